"""What a game server counts.

Counting happens for every packet, so it is an addition to a slot of a list and nothing else.
"""

from collections import Counter

from sapper.net.packets import PacketType
from sapper.server.metrics import AnswerHistogram, MetricFamily, exposition


class Metrics:
    """The counts of a server."""

    __slots__ = ("answers", "bytes_sent", "closed", "errors", "finished", "opened", "packets", "playing", "refused")  # fmt: skip

    def __init__(self) -> None:
        self.opened = 0
        """Connections accepted since the start."""
        self.playing = 0
        """Games that have not ended; set by `GameServer.snapshot`."""
        self.bytes_sent = 0
        self.packets = [0] * (max(PacketType) + 1)
        """By the number of their type."""
        self.answers = AnswerHistogram()
        self.finished: Counter[str] = Counter()
        """Games, by how they ended; debugged ones apart."""
        self.closed: Counter[str] = Counter()
        """Connections, by why they ended."""
        self.refused: Counter[str] = Counter()
        """Connections that were not let in, by why."""
        self.errors: Counter[str] = Counter()
        """What went wrong: `protocol` is a client's fault, `server` is ours."""

    def text(self) -> str:
        open_now = self.opened - sum(self.closed.values())
        packets = {
            kind.name.lower(): self.packets[kind] for kind in PacketType if kind is not PacketType.SCREEN_CONTENT
        }
        return exposition(
            (
                MetricFamily("sapper_connections", "Connections that are open.", open_now),
                MetricFamily("sapper_connections_accepted_total", "Connections accepted.", self.opened),
                MetricFamily("sapper_connections_closed_total", "Connections that ended.", self.closed, "reason"),
                MetricFamily("sapper_connections_refused_total", "Connections not let in.", self.refused, "reason"),
                MetricFamily("sapper_games_playing", "Games that have not ended.", self.playing),
                MetricFamily("sapper_games_started_total", "Games started.", self.playing + sum(self.finished.values())),
                MetricFamily("sapper_games_finished_total", "Games that ended.", self.finished, "result"),
                MetricFamily("sapper_packets_total", "Packets received.", packets, "type"),
                MetricFamily("sapper_sent_bytes_total", "Bytes of answers.", self.bytes_sent),
                MetricFamily("sapper_errors_total", "Faults of clients, and mistakes of the server.", self.errors, "kind"),
                MetricFamily("sapper_answer_seconds", "Time from having a packet to having handed over its answer.", self.answers),
            )
        )  # fmt: skip
