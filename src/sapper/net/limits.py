"""What an operator allows: limits with their defaults and reasons, and who gets in under them."""

from dataclasses import dataclass, fields

from sapper.errors import InvalidValueError


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """The limits of a server. Sizes are in bytes, times in seconds; `InvalidValueError` for impossible ones."""

    connections: int = 10_000
    """At once. At some 10 KB each on small boards that is 100 MB; a connection with the largest board, all of it
    in colour, holds about 1 MB."""
    per_address: int = 256
    """At once from one address (an IPv6 network of 64 bits is one); 0 is no limit. A school has one address for all its players; forty such
    addresses fill a server, one does not."""
    idle: float = 600.0
    """Without a whole packet. Ten minutes is a long thought; clients that went away without a word go then."""
    payload: int = 1024
    """The longest payload of a packet. START, the only one that a client sends, has 3 bytes."""
    queued: int = 64 * 1024
    """Answers that were not sent yet, above which a connection's packets are left unread until the client has
    read. One screen more than this is the most that a connection can pile up. websockets stops at 32 KiB, asyncio at 64."""
    stall: float = 10.0
    """How long a client may leave such answers unread; then it is cut off. Also the time to say goodbye in."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name == "per_address" else 1
            if value < least:
                raise InvalidValueError(f"limit {field.name!r} is {value}; it is at least {least}")
