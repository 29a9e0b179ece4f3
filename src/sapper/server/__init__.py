"""What both servers and simulations stand on: listeners, signals, logs, limits, metrics, worker processes."""
