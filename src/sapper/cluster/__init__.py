"""Chunks of a simulation on the workers of a Dask cluster."""
