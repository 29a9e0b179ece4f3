"""Conditions on a row of numbers: `won and seconds < 60 and bbbv >= 150`.

Python's syntax, of which only comparisons, `and`, `or`, `not`, `in`, arithmetic, numbers, texts and names are taken. It is
never given to Python to run. None, what is not known, makes a comparison false.
"""

import ast
import operator
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

import click

LONGEST: Final = 1_000

_COMPARE: Final[dict[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne, ast.In: lambda one, other: one in other, ast.NotIn: lambda one, other: one not in other,
}  # fmt: skip
_ARITHMETIC: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip


class Condition:
    """A condition that has been read; `holds` works it out for a row."""

    __slots__ = ("_tree",)

    def __init__(self, text: str, names: Collection[str]) -> None:
        """`click.UsageError` for what is no condition on these names."""
        if len(text) > LONGEST:
            raise click.UsageError(f"a condition has at most {LONGEST:,} characters")
        try:
            self._tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise click.UsageError(f"--where needs a condition such as 'won and seconds < 60', not {text!r}") from None
        for node in ast.walk(self._tree):
            _check(node, names)

    def holds(self, row: Mapping[str, Any]) -> bool:
        """Whether it holds; `click.UsageError` where the values do not go together."""
        try:
            return bool(_value(self._tree, row))
        except TypeError as error:
            raise click.UsageError(f"--where compares what does not go together: {error}") from None
        except (ZeroDivisionError, OverflowError):
            return False


_ALLOWED = (
    ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Compare, ast.Name, ast.Load, ast.Constant,
    *_COMPARE, *_ARITHMETIC,
)  # fmt: skip


def _check(node: ast.AST, names: Collection[str]) -> None:
    if not isinstance(node, _ALLOWED):
        raise click.UsageError(
            f"--where takes comparisons, and, or, not, and arithmetic; not {type(node).__name__.lower()}"
        )
    if isinstance(node, ast.Name) and node.id not in names:
        raise click.UsageError(f"--where: unknown name {node.id!r}; names: {', '.join(sorted(names))}")
    if isinstance(node, ast.Constant) and not isinstance(node.value, int | float | str):
        raise click.UsageError(f"--where: values are numbers and texts, not {node.value!r}")
    if isinstance(node, ast.BinOp) and any(_is_text(side) for side in (node.left, node.right)):
        raise click.UsageError("--where calculates with numbers, not with texts")


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _value(node: ast.expr, row: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return row[name]
        case ast.BoolOp(op=op, values=parts):
            if isinstance(op, ast.And):
                return all(_value(one, row) for one in parts)
            return any(_value(one, row) for one in parts)
        case ast.UnaryOp(op=op, operand=operand):
            value = _value(operand, row)
            if isinstance(op, ast.Not):
                return not value
            return None if value is None else -value
        case ast.BinOp(left=left, op=op, right=right):
            one, other = _value(left, row), _value(right, row)
            return None if one is None or other is None else _ARITHMETIC[type(op)](one, other)
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            values: list[Any] = [_value(one, row) for one in (left, *comparators)]
            pairs = zip(values, ops, values[1:], strict=False)
            return all(
                False if one is None or other is None else _COMPARE[type(op)](one, other) for one, op, other in pairs
            )
        case _:
            raise AssertionError(ast.dump(node))
