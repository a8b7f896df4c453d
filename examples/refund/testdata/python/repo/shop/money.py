"""Amounts of money in cents."""


def cents(text: str) -> int:
    """Read an amount such as "12.50"."""
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int((part + "00")[:2])


def shown(amount: int) -> str:
    """Write an amount the way a customer reads it."""
    return f"{amount // 100}.{amount % 100:02d}"
