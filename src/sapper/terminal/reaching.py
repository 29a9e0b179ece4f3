"""A connection to a server of the network protocol, or one line that says why there is none."""

import socket

from sapper.errors import UnavailableError


def place_of(host: str, port: int) -> str:
    """An address as it is written: `localhost:9999`, `[::1]:9999`."""
    return f"{host}:{port}" if ":" not in host else f"[{host}]:{port}"


def reach(host: str, port: int, within: float) -> socket.socket:
    """A connection that sends small packets at once; `UnavailableError` if there is none within so many seconds, which its calls may take too."""
    place = place_of(host, port)
    try:
        connection = socket.create_connection((host, port), timeout=within)
    except TimeoutError:
        raise UnavailableError(f"no answer from {place} within {within:.3g} seconds") from None
    except (OSError, UnicodeError) as error:  # a host name that is none is a UnicodeError
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else "not a host name"
        raise UnavailableError(f"cannot connect to {place}: {reason}") from None
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection
