"""Pictures of statistics and simulations."""
