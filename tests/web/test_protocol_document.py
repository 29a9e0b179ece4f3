"""What is made from the structs of messages: the page's types, the document's tables, its examples as they are played."""

from pathlib import Path

import pytest

from scripts import web_messages


def test_tables_and_examples_are_those_of_the_structs() -> None:
    text = web_messages.DOCUMENT.read_text(encoding="utf-8")
    assert text.count("```exchange") >= 4
    assert {match[2] for match in web_messages.REGION.finditer(text)} == set(web_messages.REGIONS)
    assert text == web_messages.document(text)


def test_the_site_has_a_table_of_each_message_and_each_body() -> None:
    text = web_messages.DOCUMENT.read_text(encoding="utf-8")
    assert "```{made-table} messages\n" in text
    assert "```{made-table} bodies\n" in text
    bodies, messages = web_messages.bodies_tables(), web_messages.message_tables()
    assert all(f"**`{kind.__name__}`**: " in bodies for kind in web_messages.BODIES)
    assert messages.count("**`") == len(web_messages.MESSAGES)
    assert "| `moves` | list of `PlayedMove` | " in bodies
    assert "| `win_low` | " in messages


def test_what_differs_is_said_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    document, types = tmp_path / "protocol.md", tmp_path / "messages.d.ts"
    document.write_text("<!-- made by scripts/web_messages.py: verbs -->\nold\n<!-- until here -->\n", encoding="utf-8")
    for name, path in (("DOCUMENT", document), ("TYPES", types)):
        monkeypatch.setattr(web_messages, name, path)
    assert web_messages.main([]) == 1
    assert "differs: protocol.md" in capsys.readouterr().out
    assert web_messages.main(["--write"]) == 0
    assert web_messages.main([]) == 0
    assert web_messages.main(["--declarations"]) == 0
    assert "| `left` | `cell`: [integer, integer] |" in document.read_text(encoding="utf-8")
    assert 'do: "left";' in types.read_text(encoding="utf-8")
