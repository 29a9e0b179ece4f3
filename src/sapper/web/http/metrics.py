"""What the web server counts, for the operator: the same names as the game server's where it is the same."""

from collections import Counter

from sapper.server.connections import ConnectionTracker
from sapper.server.metrics import AnswerHistogram, MetricFamily, exposition
from sapper.server.worker_pool import WorkerPool
from sapper.store.repository import Store
from sapper.web.games.registry import GameRegistry
from sapper.web.http.limits import RateLimits


class WebMetrics:
    """The counts of a web server that nothing else keeps."""

    __slots__ = ("answers", "cut", "errors", "messages", "sent", "sockets")

    def __init__(self) -> None:
        self.messages: Counter[str] = Counter()
        """Of games, by their verbs."""
        self.answers = AnswerHistogram()
        self.cut: Counter[str] = Counter()
        """Sockets that were closed, by why."""
        self.errors: Counter[str] = Counter()
        """`message` is a client's fault; `endpoint` and `socket` are ours, and their traceback is in the log."""
        self.sent = 0
        """Characters of messages."""
        self.sockets = 0
        """Open now."""

    def text(
        self,
        registry: GameRegistry,
        connections: ConnectionTracker,
        rates: RateLimits,
        store: Store | None,
        pool: WorkerPool,
    ) -> str:
        left = max(0, int(rates.kept_of_all.left(rates.clock())))
        return exposition(
            (
                MetricFamily("sapper_connections", "Connections that are open.", connections.count),
                MetricFamily("sapper_connections_accepted_total", "Connections accepted.", connections.accepted),
                MetricFamily("sapper_connections_refused_total", "Connections not let in.", connections.refused, "reason"),
                MetricFamily("sapper_sockets", "Sockets of games that are open.", self.sockets),
                MetricFamily("sapper_sockets_cut_total", "Sockets that the server closed.", self.cut, "reason"),
                MetricFamily("sapper_games_in_memory", "Games in memory.", registry.in_memory),
                MetricFamily("sapper_games_started_total", "Games started.", registry.started),
                MetricFamily("sapper_games_finished_total", "Games that ended.", registry.finished, "result"),
                MetricFamily("sapper_new_games_left", "New games that may go into the store now, of all addresses.", left),
                MetricFamily("sapper_new_games_refused_total", "New games refused because their address, or all, have had enough.", rates.not_kept, "quota"),
                MetricFamily("sapper_store_bytes", "Size of the store's files; 0 for PostgreSQL.", 0 if store is None else store.size),
                MetricFamily("sapper_messages_total", "Messages of games received.", self.messages, "verb"),
                MetricFamily("sapper_sent_characters_total", "Characters of messages sent.", self.sent),
                MetricFamily("sapper_errors_total", "Faults of clients, and mistakes of the server.", self.errors, "kind"),
                MetricFamily("sapper_workers_lost_total", "Worker processes that ended by themselves or could not be started.", pool.lost),
                MetricFamily("sapper_unsaved_seconds", "Age of the oldest change of a game that is on no disk yet.", registry.behind
                ),
                MetricFamily("sapper_save_seconds", "Time from a change of a game to its being on the disk.", registry.save_ages),
                MetricFamily("sapper_answer_seconds", "Time from having a message to having handed over its answer.", self.answers),
            )
        )  # fmt: skip
