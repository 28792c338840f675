"""The application: everything wired together."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import partial

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

import quatuor
from quatuor.server import (
    analysis,
    bots,
    description,
    errors,
    http_play,
    lessons,
    mail,
    moderation,
    operation,
    page,
    people,
    previews,
    profiles,
    puzzles,
    safety,
    tournaments,
)
from quatuor.server.bots import Bearer, Bots
from quatuor.server.cluster import Cluster
from quatuor.server.engine_budget import EngineBudget
from quatuor.server.engines import Engines
from quatuor.server.guard import Guard
from quatuor.server.metrics import Metrics
from quatuor.server.precompile import load_games
from quatuor.server.proxies import Proxied
from quatuor.server.routes import api
from quatuor.server.sanctions import Admission
from quatuor.server.scheduler import Scheduler
from quatuor.server.services import Services
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.tournaments import Tournaments
from quatuor.server.workers import Size, Workers, cores

ROUTERS = (
    analysis.api,
    puzzles.api,
    lessons.api,
    people.api,
    moderation.api,
    safety.api,
    profiles.api,
    mail.api,
    bots.api,
    tournaments.api,
    http_play.api,
    previews.api,
    operation.router,
    api,  # last: it answers whatever else is under /api
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """An ASGI app; its store is opened when the app starts."""
    chosen = settings or Settings()
    metrics = Metrics()
    app = FastAPI(
        title="Quatuor", version=quatuor.__version__, lifespan=partial(running, chosen, metrics),
        docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
    )  # fmt: skip
    errors.install(app)
    description.install(app)
    for router in ROUTERS:
        app.router.routes.extend(router.routes)  # include_router would examine every route again at the first request

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def file(request: Request, path: str) -> Response:
        table = path.removeprefix("t/").rstrip("/") if path.startswith("t/") else ""
        services = getattr(request.app.state, "services", None)  # none before the app has started
        head = await services.previews.head(request, table) if table and services else ""
        return page.serve(chosen.page, path, request.headers.get("accept-encoding", ""), head)

    app.add_middleware(GZipMiddleware, minimum_size=1024)
    app.add_middleware(Admission)
    app.add_middleware(Bearer)
    app.add_middleware(Guard, origins=chosen.origins, hosts=chosen.hosts, metrics=metrics)
    app.add_middleware(Proxied, proxies=chosen.proxies)  # the last one added is the first to see a request
    app.state.proxied = Proxied(app, chosen.proxies).trusts
    return app


@contextlib.asynccontextmanager
async def running(settings: Settings, metrics: Metrics, app: FastAPI) -> AsyncIterator[None]:
    """From the start of the app to its end: the store, the services and the background work."""
    load_games()
    store = await asyncio.to_thread(Store, settings.url, metrics, limited=True)
    count = settings.engine_workers or settings.engine_threads or cores()
    engines = Engines(Workers(Size(count, settings.engine_memory), metrics))
    services = wired(settings, metrics, store, engines)
    watch(metrics, services)
    cluster = Cluster(store, services.hub, services.guests, services.profiles, services.sessions, services.budgets)
    cluster.sanctioned = services.sanctions.refresh
    await cluster.start()
    await services.sanctions.refresh()
    scheduler = Scheduler(store, services.table_index, services.hub, services.sessions, metrics)
    await scheduler.start()
    app.state.services = services
    loops = (services.hub.sweep(), services.tournaments.follow(), services.sanctions.watch(), services.mailer.run())
    tasks = [asyncio.ensure_future(loop) for loop in loops]
    yield
    for task in tasks:
        task.cancel()
    services.mailer.close()
    services.hub.bye("shutdown")
    await scheduler.stop()
    await cluster.stop()
    engines.close()
    await asyncio.to_thread(store.close)


def wired(settings: Settings, metrics: Metrics, store: Store, engines: Engines) -> Services:
    """The services, with bots, tournaments and link previews."""
    services = Services(settings, metrics, store, engines)
    engines.workers.budget = EngineBudget(services.budgets)
    services.bots = Bots(store, services.guests)
    services.tournaments = Tournaments(store, services.table_index, services.guests, services.profiles, services.hub)
    services.previews = previews.Previews(services.hub, services.budgets)
    return services


def watch(metrics: Metrics, services: Services) -> None:
    """The metrics that are read when they are asked for."""
    hub, store, engines, uncounted = services.hub, services.store, services.engines, services.tournaments.uncounted
    metrics.watch("results_uncounted", "Tournament games that could not be counted yet", lambda: len(uncounted))
    metrics.watch("tables", "Tables in memory", lambda: len(hub.all_here()))
    metrics.watch("listeners", "Open websockets", lambda: sum(len(live.listeners) for live in hub.all_here()))
    metrics.watch("thinking", "Questions to engines that are not answered yet", lambda: engines.thinking)
    metrics.watch("write_queue_seconds", "How long the oldest thing to write has waited", lambda: store.writer.waiting)
    metrics.watch(
        "pubsub_silence_seconds", "Since a heartbeat through PostgreSQL came back", lambda: store.pubsub.silence
    )
    metrics.watch("pubsub_reconnects", "How often the listening connection was lost", lambda: store.pubsub.reconnects)
    metrics.watch("peers", "Other processes that are received", lambda: len(store.pubsub.alive()))
