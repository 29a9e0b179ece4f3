"""The five states, three of them final."""

from sapper.core.status import Status


def test_three_states_are_final() -> None:
    assert [status for status in Status if status.ended] == [Status.WON, Status.LOST, Status.TERMINATED]


def test_codes_are_fixed() -> None:
    assert {status.value: status.code for status in Status} == {
        "ready": 0,
        "playing": 1,
        "won": 2,
        "lost": 3,
        "terminated": 4,
    }
