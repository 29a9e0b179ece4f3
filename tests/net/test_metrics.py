"""The exposition is what Prometheus reads."""

from prometheus_client.parser import text_string_to_metric_families

from sapper.net.metrics import Metrics
from sapper.net.packets import PacketType


def read_exposition(text: str) -> dict[str, float]:
    """Samples by name and label."""
    samples: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        for sample in family.samples:
            (label,) = sample.labels.values() or [None]
            key = sample.name if label is None else f"{sample.name}{{{label}}}"
            assert key not in samples
            samples[key] = sample.value
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
        metrics.answers.observe(seconds)
    return metrics


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
