"""What support staff can do, by the name of the action."""

from .money import shown
from .refund import RefundService


class Denied(Exception):
    """The person may not do this."""


class BackOffice:
    def __init__(self, service: RefundService, staff: set) -> None:
        self.service = service
        self.staff = staff

    def handle(self, action: str, request: dict) -> str:
        """Run the action that a request names."""
        return getattr(self, "do_" + action)(request)

    def do_refund(self, request: dict) -> str:
        if request["by"] not in self.staff:
            raise Denied(request["by"])
        done = self.service.refund(request["order"], request["key"], request["by"])
        return f"refunded {shown(done.amount)} of {done.order_id}"

    def do_history(self, request: dict) -> str:
        return "\n".join(what for _, what, _ in self.service.audit.about(request["order"]))
