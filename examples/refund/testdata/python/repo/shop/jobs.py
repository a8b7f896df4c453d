"""Work that runs at night."""

from .refund import RefundService

NIGHTLY = {"stale": "refund"}


def run(job: str, service: RefundService, orders: list) -> list:
    """Run a job on orders; the table says which operation of the service it is."""
    operation = getattr(service, NIGHTLY[job])
    return [operation(order_id, f"{job}-{order_id}", "nightly") for order_id in orders]


def refund_all(service: RefundService, orders: list) -> int:
    """Refund orders by hand; returns how much was paid back."""
    return sum(service.refund(order_id, f"all-{order_id}", "operator").amount for order_id in orders)
