"""Many games at once: plans, processes, results, comparisons, checkpoints and shards."""
