"""Refunds of orders."""

from .audit import Audit
from .order import Orders, Status
from .payment import PaymentGateway, Refund


class InvalidAmount(Exception):
    """An amount cannot be paid back."""


class NotRefundable(Exception):
    """An order is in no state to be paid back."""


class RefundService:
    def __init__(self, orders: Orders, gateway: PaymentGateway, audit: Audit) -> None:
        self.orders = orders
        self.gateway = gateway
        self.audit = audit

    def refund(self, order_id: str, key: str, by: str) -> Refund:
        """Pay an order back in full."""
        order = self.orders.get(order_id)
        if order.status not in (Status.PAID, Status.SHIPPED):
            raise NotRefundable(f"{order_id} is {order.status.value}")
        done = self.gateway.refund(order, key)
        order.move(Status.REFUNDED)
        self.audit.write(by, "refund", order_id)
        return done
