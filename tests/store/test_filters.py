"""Questions are answered by an index, in its order: what they mean is compared with counting by hand in test_statistics.py."""

from pathlib import Path

from sapper.store.filters import Filter, conditions, counts, measures, results, times
from sapper.store.repository import open_store
from tests.stored import many


def test_every_question_reads_one_index_alone(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        store.record_many(many(250, 11))
        with store.reading() as connection:
            where = conditions(Filter())
            for query in (counts(Filter()), measures(Filter()), times(where, 1, 9), results(where)):
                text = str(query.compile(store.engine, compile_kwargs={"literal_binds": True}))
                plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}")]
                assert any("USING COVERING INDEX by_" in line for line in plan)
                assert not any("TEMP B-TREE" in line or line.startswith("SCAN games") for line in plan)
