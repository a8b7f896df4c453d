"""Figures for the books."""

from .money import shown

TAX = 19


def tax(amount: int) -> int:
    """The tax that an amount holds, in cents."""
    return amount * TAX // (100 + TAX)


def line(amount: int) -> str:
    return f"{shown(amount)} holds {shown(tax(amount))} tax"
