import json
from pathlib import Path

import pytest

from sapper.cli.main import main

BOARDS = Path(__file__).parents[1] / "data" / "boards"


def test_layouts_become_rows_and_means(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "two.txt"
    file.write_text("4 2 1 1 0\n3 1 1 1 0\n", encoding="ascii")
    assert main(["metrics", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert " ".join(lines[0].split()) == "width height mine_count bbbv openings islands zini human_zini zeros"
    assert [line.split() for line in lines[1:3]] == [
        ["4", "2", "1", "4", "1", "1", "4", "4", "2"],
        ["3", "1", "1", "2", "0", "2", "2", "2", "0"],
    ]
    assert lines[3] == "2 layouts; mean bbbv 3.00, openings 0.50, islands 1.50, zini 3.00, human_zini 3.00"


def test_the_json_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "--json", str(BOARDS / "expert-open.txt")]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == 1500
    assert all(row["mine_count"] == 99 and row["zini"] <= row["bbbv"] for row in rows)
    # Uniform Expert layouts that begin with an opening: 171.39 ± 0.09 in the mean (spread 25), so ± 3 for 1,500.
    assert sum(row["bbbv"] for row in rows) / len(rows) == pytest.approx(171.39, abs=3)


def test_a_file_without_layouts_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "none.txt"
    file.write_text("# nothing here\n", encoding="ascii")
    assert main(["metrics", str(file)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "no layouts"


@pytest.mark.parametrize(("data", "message"), [(b"4 2 1 9 0\n", ":1:7: mine 9"), (b"\x01", ": at byte 1: ")])
def test_unreadable_input_is_one_line_and_code_2(
    data: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad"
    file.write_bytes(data)
    assert main(["metrics", str(file)]) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_a_missing_file_is_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "no-such-file"]) == 2
    assert "no-such-file" in capsys.readouterr().err
