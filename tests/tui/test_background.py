"""The terminal is asked for its background, and what it answers is not taken for keys."""

import os
import pty
import termios

import pytest

from sapper.tui.background import FAR, PATIENCE, QUESTION, BackgroundQuestion, is_askable, patience_of, theme_in


@pytest.mark.parametrize(
    ("answered", "theme", "typed"),
    [
        (b"\x1b]11;rgb:fafa/f0f0/e6e6\x1b\\\x1b[?62;22c", "light", ""),
        (b"1\x1b]11;rgb:1e/1e/2e\x07\x1b[?6c ?", "dark", "1 "),
        (b"\x1b[?1;2c", None, ""),
    ],
)
def test_the_answer_is_found_and_the_terminal_as_it_was(answered: bytes, theme: str | None, typed: str) -> None:
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    question = BackgroundQuestion(slave, slave, patience=60.0)
    assert os.read(master, 100) == QUESTION.encode()
    assert not termios.tcgetattr(slave)[3] & termios.ECHO, "an answer is not to be seen"
    os.write(master, answered)
    assert question.answer() == theme
    assert question.typed == typed
    assert termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)


def test_a_terminal_that_says_nothing_or_is_none() -> None:
    master, slave = pty.openpty()
    assert BackgroundQuestion(slave, slave, patience=0.0).answer() is None
    os.close(master)
    os.close(slave)
    read, write = os.pipe()
    assert BackgroundQuestion(read, write).answer() is None
    os.close(write)
    os.close(read)


def test_who_is_asked_and_how_long() -> None:
    assert is_askable({"TERM": "xterm-256color"})
    assert not any(
        is_askable(environ)
        for environ in ({}, {"TERM": "dumb"}, {"TERM": "linux"}, {"TERM": "xterm", "COLORFGBG": "0;15"})
    )
    assert patience_of({}) == PATIENCE < FAR == patience_of({"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"})
    assert theme_in(b"rgb:ffff") is None
