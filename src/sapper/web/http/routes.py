"""The table of plain routes: which path and method is whose, what it takes and answers.

The application routes by it, and the OpenAPI document is made from it.
"""

from typing import Any, Final

from sapper.web.games.bodies import (
    BoardAnalysis,
    BoardBody,
    CreatedGame,
    GameList,
    HealthAnswer,
    NewGameBody,
    PageLook,
    PlayerCounts,
    PresetsAnswer,
    StatisticsAnswer,
    StatisticsQuery,
)
from sapper.web.games.messages import ChancesMessage, HintMessage, StateMessage
from sapper.web.games.played_bodies import (
    FinishedGameData,
    GameVerdicts,
    PlayedList,
    PlayedQuery,
    PositionAnswer,
    PositionBody,
    PracticeBody,
    ReviewedRecording,
    SharingBody,
    WrongPositions,
)
from sapper.web.games.social.bodies import (
    DailyAnswer,
    DailyBody,
    DailyQuery,
    DailyTable,
    NameAnswer,
    NameBody,
    PhraseAnswer,
    RankingAnswer,
    RankingQuery,
    RecoveryBody,
    SessionList,
)  # fmt: skip
from sapper.web.http.daily import DailyEndpoints
from sapper.web.http.endpoints import Endpoints
from sapper.web.http.openapi import Operation, query_parameters
from sapper.web.http.played import PlayedEndpoints
from sapper.web.http.social import SocialEndpoints

NEW_GAMES: Final = ("new_games", "address_new_games")
FILE_NAME: Final[dict[str, Any]] = {
    "name": "x-file-name", "in": "header", "schema": {"type": "string"},
    "description": "The name of the file: its ending helps where its content does not say what it is.",
}  # fmt: skip


def operations(
    of: Endpoints, played: PlayedEndpoints, daily: DailyEndpoints, social: SocialEndpoints
) -> tuple[Operation, ...]:
    """Every operation under `/api/` but the one that answers with their description."""
    return (
        Operation("POST", "/api/games", of.new_game, CreatedGame, body=NewGameBody, status=201, errors=("conflict", "not-yet"), rates=NEW_GAMES),
        # All of a school are one address, and all of them look at this when the server was restarted.
        Operation("GET", "/api/games", of.games, GameList, rates=["work"]),
        Operation("GET", "/api/games/{id}", of.game, StateMessage, rates=()),
        Operation("POST", "/api/games/{id}/hint", of.hint, HintMessage, errors=("conflict", "bad-request")),
        Operation("POST", "/api/games/{id}/analysis", of.chances, ChancesMessage, errors=("conflict", "bad-request")),
        Operation("POST", "/api/analysis", of.analyse, BoardAnalysis, body=BoardBody),
        Operation("GET", "/api/statistics", of.statistics, StatisticsAnswer, parameters=query_parameters(StatisticsQuery)),
        Operation("GET", "/api/played", played.played_games, PlayedList, parameters=query_parameters(PlayedQuery)),
        Operation("GET", "/api/played/{id}", played.played_game, FinishedGameData, errors=("bad-request", "not-yet")),
        Operation("GET", "/api/played/{id}/review", played.review, GameVerdicts, errors=("bad-request", "not-yet")),
        Operation("PUT", "/api/played/{id}/shared", played.share, SharingBody, body=SharingBody, errors=("not-yet",)),
        Operation("POST", "/api/recordings", played.review_recording, ReviewedRecording, body=bytes, parameters=[FILE_NAME]),
        Operation("POST", "/api/positions", played.look_into, PositionAnswer, body=PositionBody),
        Operation("GET", "/api/practice", played.wrong_positions, WrongPositions, parameters=query_parameters(PlayedQuery, "after")),
        Operation("POST", "/api/practice", played.practise, CreatedGame, body=PracticeBody, status=201, errors=("conflict",), rates=NEW_GAMES),
        Operation("GET", "/api/player", of.player, PlayerCounts, rates=()),
        Operation("DELETE", "/api/player", of.forget, status=204),
        Operation("GET", "/api/player/sessions", of.sessions, SessionList),
        Operation("DELETE", "/api/player/sessions", of.end_sessions, status=204),
        Operation("DELETE", "/api/player/sessions/{id}", of.end_session, status=204, errors=("not-found",)),
        Operation("GET", "/api/daily", daily.daily, DailyAnswer, errors=("not-found",)),
        Operation("POST", "/api/daily", daily.begin_daily, CreatedGame, body=DailyBody, status=201, errors=("conflict", "not-found"), rates=NEW_GAMES),
        Operation("GET", "/api/daily/board", daily.daily_board, DailyTable, errors=("not-found",), parameters=query_parameters(DailyQuery)),
        Operation("GET", "/api/player/name", social.name, NameAnswer, errors=("not-found",)),
        Operation("PUT", "/api/player/name", social.set_name, NameAnswer, body=NameBody, errors=("conflict", "not-found")),
        Operation("DELETE", "/api/player/name", social.drop_name, NameAnswer, errors=("not-found",)),
        Operation("POST", "/api/player/phrase", social.new_phrase, PhraseAnswer, errors=("not-found",)),
        Operation("POST", "/api/player/recovery", social.recover, NameAnswer, body=RecoveryBody, errors=("not-found",), rates=()),
        Operation("GET", "/api/rankings", social.ranking, RankingAnswer, errors=("not-found",), parameters=query_parameters(RankingQuery)),
        Operation("GET", "/api/presets", of.presets, PresetsAnswer, rates=()),
        Operation("GET", "/api/page", of.page, PageLook, rates=()),
        Operation("GET", "/health", of.health, HealthAnswer, rates=()),
    )  # fmt: skip
