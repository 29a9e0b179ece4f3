"""Deductions by named techniques, each with a proof a person can follow."""
