"""Orders, payments and refunds of a small shop."""
