"""Orders and what may become of them."""

from dataclasses import dataclass, field
from enum import Enum


class Status(Enum):
    PLACED = "placed"
    PAID = "paid"
    SHIPPED = "shipped"
    REFUNDED = "refunded"
    CANCELLED = "cancelled"


TRANSITIONS = {
    Status.PLACED: {Status.PAID, Status.CANCELLED},
    Status.PAID: {Status.SHIPPED, Status.REFUNDED, Status.CANCELLED},
    Status.SHIPPED: {Status.REFUNDED},
    Status.REFUNDED: set(),
    Status.CANCELLED: set(),
}


class InvalidTransition(Exception):
    """An order cannot go from one status to another."""


@dataclass
class Order:
    id: str
    total: int
    status: Status = Status.PLACED
    lines: list = field(default_factory=list)

    def move(self, to: Status) -> None:
        """Change the status, if that is allowed."""
        if to not in TRANSITIONS[self.status]:
            raise InvalidTransition(f"{self.id}: {self.status.value} to {to.value}")
        self.status = to


class Orders:
    """Orders by their number."""

    def __init__(self) -> None:
        self._all: dict[str, Order] = {}

    def add(self, order: Order) -> Order:
        self._all[order.id] = order
        return order

    def get(self, order_id: str) -> Order:
        return self._all[order_id]
