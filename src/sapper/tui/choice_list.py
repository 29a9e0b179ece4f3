"""A list to choose from, in a window of any width.

Knows: Textual's list.
Does not know: what is chosen.
"""

from textual.geometry import Size
from textual.widgets import OptionList


class ChoiceList(OptionList):
    """Textual's list, which ends the program where the window leaves no column for its words."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Rows of the list; as of one column of words where there is none."""
        padding = self.get_component_styles("option-list--option").padding.width
        return super().get_content_height(container, viewport, max(width, padding + 1))
