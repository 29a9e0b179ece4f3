"""Networks of addresses: all addresses that one machine can have count as one."""

import ipaddress


def network_of(address: str) -> str:
    """The network that an address is counted as: an IPv6 one of 64 bits, since whoever has one has all of it.

    >>> network_of("2001:db8::1:2"), network_of("::ffff:192.0.2.1"), network_of("192.0.2.1")
    ('2001:db8::/64', '192.0.2.1', '192.0.2.1')
    """
    if ":" not in address:
        return address
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{ipaddress.IPv6Network((int(found) >> 64 << 64, 64))}"


def is_loopback(host: str) -> bool:
    """Whether an address to serve on can be reached from this machine only."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
