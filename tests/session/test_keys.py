"""Keys of games: what a command takes for one."""

import secrets

import pytest

from sapper.session.keys import draw_key


def test_a_key_is_no_option(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(draw_key()) == 20
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _: "-a-B_3")
    assert draw_key() == "_a_B_3"
