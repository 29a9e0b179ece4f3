"""HTTP and WebSocket: routes, identity, limits, static files."""
