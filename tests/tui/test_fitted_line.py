from sapper.tui.fitted_line import FittedLine, LinePart, fitted
from tests.terminal_game import Shown, shown

PARTS = [LinePart("? help", 0), LinePart("Esc menu", 2), LinePart("Space reveal", 1), LinePart("u undo", 3)]


def test_parts_are_whole_and_the_least_important_go_first() -> None:
    assert fitted(PARTS, 80) == "? help   Esc menu   Space reveal   u undo"
    assert fitted(PARTS, 40) == "? help  Esc menu  Space reveal  u undo"
    assert fitted(PARTS, 37) == "? help   Esc menu   Space reveal"
    assert fitted(PARTS, 29) == "? help   Space reveal"
    assert fitted(PARTS, 3) == "? help"


def test_no_key_of_the_game_is_cut_and_the_end_is_told_in_any_width() -> None:
    async def test(on: Shown) -> None:
        await on.press("1", "space")
        layout = on.play.game.referee.layout
        assert layout is not None
        on.view.move_to(next(iter(layout.mines)))
        await on.press("space")
        for width in (120, 80, 60, 40):
            await on.pilot.resize_terminal(width, 12)
            await on.until(lambda wide=width: on.pilot.app.screen.query_one("#keys").size.width == wide - 2)  # type: ignore[misc]
            await on.pilot.pause()
            for name in ("keys", "boxes"):
                line = on.pilot.app.screen.query_one(f"#{name}", FittedLine)
                assert len(str(line.content)) <= line.content_size.width
            assert {"? help", "Space reveal", "f flag", "Esc menu"} <= set(on.text("keys").split("  "))
            assert "GAME OVER" in on.text("boxes")
        assert "a new" not in on.text("keys")

    shown(test, size=(100, 30))
