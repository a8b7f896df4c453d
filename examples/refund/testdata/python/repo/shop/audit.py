"""The record of what people did."""


class Audit:
    def __init__(self) -> None:
        self.records: list[tuple[str, str, str]] = []

    def write(self, who: str, what: str, about: str) -> None:
        self.records.append((who, what, about))

    def about(self, order_id: str) -> list[tuple[str, str, str]]:
        """The records of one order, oldest first."""
        return [record for record in self.records if record[2] == order_id]
