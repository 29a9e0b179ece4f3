"""Who asks for little comes first; an address with many connections has no more than one share; nobody saves time up."""

from heapq import heappop, heappush

from hypothesis import given
from hypothesis import strategies as st

from sapper.server.fair_shares import Account, FairShares


def _serve(shares: FairShares, accounts: dict[str, Account], seconds: dict[str, float], work: int) -> list[str]:
    """Who is served in which order, where all of them always want something."""
    line = [(shares.begin(account), name) for name, account in sorted(accounts.items())]
    line.sort()
    served = []
    for _ in range(work):
        _, name = heappop(line)
        shares.take(accounts[name])
        shares.charge(accounts[name], seconds[name])
        served.append(name)
        heappush(line, (shares.begin(accounts[name]), name))
    return served


def test_who_asks_for_much_waits_for_who_asks_for_little() -> None:
    shares = FairShares()
    accounts = {name: shares.open(name) for name in ("much", "little")}
    served = _serve(shares, accounts, {"much": 1.0, "little": 0.1}, 110)
    assert 99 <= served.count("little") <= 101


def test_an_address_has_one_share_however_many_connections() -> None:
    shares = FairShares()
    accounts = {f"flood {number}": shares.open("flood") for number in range(20)} | {"other": shares.open("other")}
    served = _serve(shares, accounts, dict.fromkeys(accounts, 1.0), 2000)
    assert 950 <= served.count("other") <= 1050


def test_a_new_connection_owes_what_the_last_one_from_there_owed() -> None:
    shares = FairShares()
    first, other = shares.open("a"), shares.open("b")
    shares.charge(first, 5.0)
    shares.close(first)
    again = shares.open("a")
    assert shares.begin(again) == 5.0
    assert shares.begin(other) == 0.0


def test_work_that_ends_after_its_connection_is_owed_by_the_next_one_from_there() -> None:
    shares = FairShares()
    gone = shares.open("a")
    shares.take(gone)
    shares.close(gone)
    assert len(shares) == 0
    shares.charge(gone, 5.0)
    assert shares.begin(shares.open("a")) == 5.0


def test_who_was_away_has_saved_nothing_up() -> None:
    shares = FairShares()
    busy, away = shares.open("a"), shares.open("b")
    for _ in range(100):
        shares.take(busy)
        shares.charge(busy, 1.0)
    assert shares.begin(away) == 99.0


def test_addresses_that_owe_nothing_are_forgotten() -> None:
    shares = FairShares()
    for number in range(100):
        shares.close(shares.open(f"{number}"))
    assert len(shares) == 0
    debtor, worker = shares.open("debtor"), shares.open("worker")
    shares.charge(debtor, 1.0)
    shares.close(debtor)
    shares.forget()
    assert len(shares) == 2
    for _ in range(3):
        shares.take(worker)
        shares.charge(worker, 1.0)
    shares.forget()
    assert len(shares) == 1


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 10)), max_size=50))
def test_virtual_time_never_goes_back(work: list[tuple[str, float]]) -> None:
    shares = FairShares()
    accounts = {name: shares.open(name) for name in "abc"}
    idle = shares.open("idle")
    before = 0.0
    for name, seconds in work:
        shares.take(accounts[name])
        shares.charge(accounts[name], seconds)
        assert shares.begin(idle) >= before
        before = shares.begin(idle)
