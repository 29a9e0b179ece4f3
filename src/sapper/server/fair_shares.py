"""Whose turn it is, where work differs in size: who has had less of a server's work comes first.

Start-time fair queueing (P. Goyal, H. M. Vin, H. Cheng: Start-time Fair Queuing, SIGCOMM 1996). Virtual time is that of the work that
was taken up last. Work begins at the later of now and the end of the same client's work before; its end is that much later as it
costs. What begins first is taken first. So a client that asks for little comes before all that ask for much, and one that was away has
saved nothing up.

Connections of one address share one share: what its work costs counts as many times as the address has connections, and what a connection
owes when it closes is owed by the next one from there.

Knows: connections' accounts, by address.
Does not know: what the work is; it is told what it costs, in any unit.
"""


class Account:
    """What one connection has had. `FairShares` opens and closes it."""

    __slots__ = ("address", "end", "is_closed")

    def __init__(self, address: str, end: float) -> None:
        self.address = address
        self.end = end
        """When its work so far ends, in virtual time."""
        self.is_closed = False
        """Whether its connection has gone. Work that was begun for it can still be charged."""


class FairShares:
    """All accounts.

    >>> shares = FairShares()
    >>> busy, modest = shares.open("a"), shares.open("b")
    >>> shares.take(busy)
    >>> shares.charge(busy, 0.5)
    >>> shares.begin(modest), shares.begin(busy)
    (0.0, 0.5)
    """

    __slots__ = ("_addresses", "_latest", "_now")

    def __init__(self) -> None:
        self._now = 0.0
        self._latest = 0.0
        self._addresses: dict[str, _Address] = {}

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._addresses)

    def open(self, address: str) -> Account:
        """An account for a connection from an address; it begins with what the last one from there left."""
        of_address = self._addresses.setdefault(address, _Address())
        of_address.connections += 1
        return Account(address, of_address.owed)

    def close(self, account: Account) -> None:
        """The connection has gone."""
        account.is_closed = True
        of_address = self._addresses[account.address]
        of_address.connections -= 1
        of_address.owed = max(of_address.owed, account.end)
        if not of_address.connections and of_address.owed <= self._now:
            del self._addresses[account.address]

    def forget(self) -> None:
        """Forget addresses that have no connection and owe nothing any more. Called now and then."""
        now = self._now
        self._addresses = {name: one for name, one in self._addresses.items() if one.connections or one.owed > now}

    def begin(self, account: Account) -> float:
        """When work of this account that comes now begins, in virtual time: the smallest is to be taken first."""
        return max(self._now, account.end)

    def take(self, account: Account) -> None:
        """Work of this account is taken up now: virtual time is when it begins."""
        self._now = self.begin(account)

    def charge(self, account: Account, cost: float) -> None:
        """Work of this account, of what was taken up or right behind it, was done and cost so much.

        Where the connection has gone meanwhile, the next one from there owes it, even if the address was forgotten.
        """
        of_address = self._addresses.get(account.address)
        if of_address is None:
            of_address = self._addresses[account.address] = _Address()
        account.end = self.begin(account) + cost * max(1, of_address.connections)
        if account.is_closed:
            of_address.owed = max(of_address.owed, account.end)
        self._latest = max(self._latest, account.end)

    def rest(self) -> None:
        """Reset debts when the queue is empty."""
        self._now = self._latest


class _Address:
    """Connections of one address, and what those that closed owe."""

    __slots__ = ("connections", "owed")

    def __init__(self) -> None:
        self.connections = 0
        self.owed = 0.0
