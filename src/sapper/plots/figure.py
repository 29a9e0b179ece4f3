"""How plots look, and how they are written: the same bytes for the same numbers."""

from contextlib import AbstractContextManager
from io import BytesIO
from typing import Final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

FORMATS: Final = ("svg", "png", "pdf")

COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""M. Okabe and K. Ito's colours, which every kind of colour vision tells apart."""


def styled() -> AbstractContextManager[None]:
    return rc_context(
        {
            "font.family": "DejaVu Sans",  # it comes with matplotlib, so every machine has it
            "svg.fonttype": "path",
            "svg.hashsalt": "sapper",
            "path.simplify": False,
            "text.parse_math": False,  # a $ in a name is a $
        }
    )


def new_figure(width: float, height: float, title: str) -> tuple[Figure, Axes]:
    """An empty plot of this size in inches; call it, and fill the plot, within `styled`."""
    figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_axisbelow(True)
    return figure, axes


def written(figure: Figure, form: str) -> bytes:
    """The figure as a document of one of `FORMATS`, with neither date nor anything else of the day."""
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    stream = BytesIO()
    with styled():
        figure.savefig(stream, format=form, dpi=150, metadata=dates.get(form))
    return stream.getvalue()
