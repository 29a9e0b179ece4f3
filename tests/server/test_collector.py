"""A server's process looks at few objects at a time, and never again at those that it began with."""

import gc

from sapper.server.collector import COLLECT, collect_in_short_looks


def test_what_is_there_is_not_looked_at_again() -> None:
    usual = gc.get_threshold()
    there: list[object] = []
    there.append(there)
    try:
        collect_in_short_looks()
        assert gc.get_threshold() == COLLECT
        assert gc.get_freeze_count() > 0
        assert not any(one is there for one in gc.get_objects())
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()
    assert any(one is there for one in gc.get_objects())
