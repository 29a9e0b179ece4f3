"""A board's analysis as the bytes that are sent: made where it is worked out, or ten thousand chances would be packed and unpacked
by the process that everybody plays in.
"""

from sapper.solver.advisor import Advisor
from sapper.web.games import jobs
from sapper.web.games.messages import write_json


def analysis_json(text: str, mine_count: int | None, most_cells: int, advisor: Advisor | None = None) -> bytes:
    """What `jobs.analyse_text` finds, as JSON; its errors."""
    return write_json(jobs.analyse_text(text, mine_count, most_cells, advisor))
