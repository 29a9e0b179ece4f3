"""What a game server counts.

Counting happens for every packet, so it is an addition to a slot of a list and nothing else.

Knows: names, helps and labels of the metrics.
Does not know: sockets, HTTP, the clock, who counts.
"""

from bisect import bisect_left
from collections import Counter

from sapper.net.packets import PacketType
from sapper.server.exposition import BUCKETS, counter, counters, exposition, gauge, histogram


class Metrics:
    """The counts of a server."""

    __slots__ = ("bytes_sent", "closed", "errors", "finished", "latency", "latency_sum", "opened", "packets", "playing", "refused")  # fmt: skip

    def __init__(self) -> None:
        self.opened = 0
        """Connections accepted since the start."""
        self.playing = 0
        """Games that have not ended; set when somebody asks."""
        self.bytes_sent = 0
        self.packets = [0] * (max(PacketType) + 1)
        """By the number of their type."""
        self.latency = [0] * (len(BUCKETS) + 1)
        """Answers by their time, not cumulative; the last is what no bucket holds."""
        self.latency_sum = 0.0
        self.finished: Counter[str] = Counter()
        """Games, by how they ended; debugged ones apart."""
        self.closed: Counter[str] = Counter()
        """Connections, by why they ended."""
        self.refused: Counter[str] = Counter()
        """Connections that were not let in, by why."""
        self.errors: Counter[str] = Counter()
        """What went wrong: `protocol` is a client's fault, `server` and `result` are ours."""

    def observe(self, seconds: float) -> None:
        """Count one answer that took so long."""
        self.latency[bisect_left(BUCKETS, seconds)] += 1
        self.latency_sum += seconds

    def text(self) -> str:
        """The exposition."""
        open_now = self.opened - sum(self.closed.values())
        packets = {
            kind.name.lower(): self.packets[kind] for kind in PacketType if kind is not PacketType.SCREEN_CONTENT
        }
        return exposition(
            (
                gauge("sapper_connections", "Connections that are open.", open_now),
                counter("sapper_connections_accepted_total", "Connections accepted.", self.opened),
                counters("sapper_connections_closed_total", "Connections that ended.", "reason", self.closed),
                counters("sapper_connections_refused_total", "Connections not let in.", "reason", self.refused),
                gauge("sapper_games_playing", "Games that have not ended.", self.playing),
                counter("sapper_games_started_total", "Games started.", self.playing + sum(self.finished.values())),
                counters("sapper_games_finished_total", "Games that ended.", "result", self.finished),
                counters("sapper_packets_total", "Packets received.", "type", packets),
                counter("sapper_sent_bytes_total", "Bytes of answers.", self.bytes_sent),
                counters("sapper_errors_total", "Faults of clients, and mistakes of the server.", "kind", self.errors),
                histogram(
                    "sapper_answer_seconds", "Time from having a packet to having handed over its answer.", self.latency,
                    self.latency_sum,
                ),
            )
        )  # fmt: skip
