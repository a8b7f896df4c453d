"""Ways to pay, and to pay back."""

from .card import CardGateway
from .gateway import PaymentGateway, Refund
from .voucher import VoucherGateway

__all__ = ["CardGateway", "PaymentGateway", "Refund", "VoucherGateway"]
