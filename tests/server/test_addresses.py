"""What counts as one address."""

import pytest

from sapper.server.addresses import is_loopback, network_of


@pytest.mark.parametrize(
    ("address", "network"),
    [("10.0.0.1", "10.0.0.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("::ffff:10.0.0.1", "10.0.0.1"),
     ("fe80::1%eth0", "fe80::/64"), ("a:b", "a:b"), ("", "")],
)  # fmt: skip
def test_an_ipv6_network_is_one(address: str, network: str) -> None:
    assert network_of(address) == network


def test_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.5", "::1", "localhost", "LOCALHOST")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "example.org")))
