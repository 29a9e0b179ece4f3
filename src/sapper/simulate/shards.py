"""Parts of a run that are played apart, on several machines: which games each has."""

from typing import NamedTuple

from sapper.errors import LayoutError
from sapper.simulate.plan import Plan


class Shard(NamedTuple):
    """Part `number` of `of`, counted from 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def games(self, games: int) -> range:
        """The numbers of its games of so many: parts differ by one game at most."""
        return range(games * (self.number - 1) // self.of, games * self.number // self.of)

    def plan(self, plan: Plan) -> Plan:
        """The plan of this part; `LayoutError` where there are fewer games than parts."""
        if plan.games < self.of:
            raise LayoutError(f"{plan.games} games cannot make {self.of} parts: each needs at least one")
        numbers = self.games(plan.games)
        return plan.part(plan.begin + numbers.start, len(numbers))
