"""What the shop asks of a payment provider."""

from dataclasses import dataclass
from typing import Protocol

from ..order import Order


@dataclass(frozen=True)
class Refund:
    order_id: str
    amount: int
    key: str


class PaymentGateway(Protocol):
    def refund(self, order: Order, key: str) -> Refund:
        """Pay an order back in full; the same key pays once."""
        ...
