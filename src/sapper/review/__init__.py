"""One game judged move by move: chances, mistakes, luck."""
