"""The exposition is what Prometheus reads."""

import re

from sapper.net.metrics import Metrics
from sapper.net.packets import PacketType
from sapper.server.exposition import BUCKETS

SAMPLE = re.compile(r'(?P<name>[a-z_]+)(?:\{(?P<label>[a-z]+)="(?P<value>[^"\\\n]*)"\})? (?P<number>[-+.0-9e]+)')


def read_exposition(text: str) -> dict[str, float]:
    """Samples by name and label, having checked the form of every line (format 0.0.4)."""
    assert text.endswith("\n")
    samples: dict[str, float] = {}
    kinds: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("# HELP "):
            assert line.split(" ")[2] not in kinds
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert kind in {"counter", "gauge", "histogram"}
            kinds[name] = kind
        else:
            match = SAMPLE.fullmatch(line)
            assert match is not None, line
            family = re.sub("_(bucket|sum|count)$", "", match["name"])
            assert kinds.get(match["name"]) in {"counter", "gauge"} or kinds.get(family) == "histogram", line
            assert (kinds.get(match["name"]) == "counter") == match["name"].endswith("_total")
            key = f"{match['name']}{{{match['value']}}}" if match["label"] else match["name"]
            assert key not in samples
            samples[key] = float(match["number"])
    return samples


def _filled() -> Metrics:
    metrics = Metrics()
    metrics.opened = 5
    metrics.closed.update(["quit", "quit", "idle"])
    metrics.refused["the server is full"] += 1
    metrics.errors["protocol"] += 4
    metrics.playing = 2
    metrics.finished.update(["won", "lost", "lost"])
    metrics.packets[PacketType.REVEAL] = 7
    metrics.bytes_sent = 1000
    for seconds in (0.00005, 0.0001, 0.02, 3.0):
        metrics.observe(seconds)
    return metrics


def test_an_empty_server_has_every_metric() -> None:
    samples = read_exposition(Metrics().text())
    assert samples["sapper_connections"] == 0
    assert samples["sapper_answer_seconds_bucket{+Inf}"] == 0
    assert len([key for key in samples if key.startswith("sapper_packets_total")]) == len(PacketType) - 1


def test_the_samples() -> None:
    samples = read_exposition(_filled().text())
    assert samples["sapper_connections"] == 2
    assert samples["sapper_connections_accepted_total"] == 5
    assert samples["sapper_connections_closed_total{quit}"] == 2
    assert samples["sapper_connections_refused_total{the server is full}"] == 1
    assert samples["sapper_errors_total{protocol}"] == 4
    assert samples["sapper_games_playing"] == 2
    assert samples["sapper_games_started_total"] == 5
    assert samples["sapper_games_finished_total{lost}"] == 2
    assert samples["sapper_packets_total{reveal}"] == 7
    assert samples["sapper_sent_bytes_total"] == 1000


def test_the_histogram_is_cumulative() -> None:
    samples = read_exposition(_filled().text())
    counts = [samples[f"sapper_answer_seconds_bucket{{{bound}}}"] for bound in (*BUCKETS, "+Inf")]
    assert counts == [2] * 6 + [2, 3, 3, 3, 3, 3, 3, 4]
    assert samples["sapper_answer_seconds_count"] == 4
    assert abs(samples["sapper_answer_seconds_sum"] - 3.02015) < 1e-9
