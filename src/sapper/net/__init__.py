"""The binary protocol without I/O (packets, receiver, seat), and its asyncio server."""
