"""What can be set about a server; the defaults are for a family at home."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from quatuor.server.proxies import PROXIES
from quatuor.server.smtp import MailServer

PACKAGE = Path(__file__).resolve().parent.parent


def page_folder() -> Path:
    """The built page: inside the package where it was installed from a wheel, else where the checkout builds it."""
    inside = PACKAGE / "server" / "static"
    return inside if inside.is_dir() else PACKAGE.parent / "web" / "dist"


def data_folder() -> Path:
    """The default folder of the store."""
    return Path(platformdirs.user_data_dir("quatuor"))


@dataclass(frozen=True)
class Settings:
    """All times in seconds."""

    store: str | None = None  # an SQLAlchemy URL or the path of an SQLite file; None: in the user's data folder
    secret: Path | None = None  # a file with the key that signs cookies; processes that share a store share it too
    page: Path = field(default_factory=page_folder)
    log_level: str = "warning"  # debug, info, warning, error
    log_format: str = "text"  # or json: one object a line
    origins: tuple[str, ...] = ()  # pages elsewhere that may talk to this server, such as http://localhost:5173
    proxies: tuple[str, ...] = PROXIES  # whose X-Forwarded-For and X-Forwarded-Proto are believed
    hosts: tuple[
        str, ...
    ] = ()  # names under which the server is reached; none: any, but on the loopback only its names
    metrics_for: tuple[str, ...] = ("127.0.0.1", "::1")  # addresses that may read /metrics
    engine_pace: float = 0.4  # an engine takes at least this long: an instant answer startles
    engine_workers: int | None = None  # processes that search, besides the one for short work; None: one for each core
    engine_threads: int | None = None  # the former name of engine_workers
    engine_memory: int = 512  # MiB: a worker that holds more after a search is replaced
    analyses: int = 64  # games analysed at the same time
    away_after: float = 4.0  # seconds without a socket after which the others see a player as away
    forget_after: float = 300.0  # how long a table that nobody uses stays in memory
    idle_tables: int = 1000  # that stay in memory; if there are more, the longest unused leave at once
    messages: tuple[float, float] = (30, 8)  # of one connection: at once, and each second in the long run
    faults: tuple[float, float] = (12, 0.2)  # malformed or refused by the limit above; more closes the connection
    requests: tuple[float, float] | None = None  # that change something, of one network; None: as budgets say
    sign_ins: tuple[float, float] = (10, 1 / 30)  # of one address, and for one name
    session_days: int = 90  # how long a browser stays signed in without coming back
    session_check: float = 30.0  # how long a check of a session holds, while messages of other processes arrive
    queue_bytes: int = 1024 * 1024  # waiting for a slow reader before its socket is closed
    queue: int | None = None  # messages, the limit of earlier releases: accepted, without effect
    smtp: str | None = field(default=None, repr=False)  # smtp://user:password@host:port; None: nobody gets mail
    mail_from: str | None = None  # the sender of mails
    site_url: str | None = None  # where visitors reach the page, for links in mails: https://games.example.org
    mail_after: float = 600.0  # how long a person is awaited before they get a mail
    mail_every: float = 30.0  # how often the outbox is checked
    mails_a_day: int = 1000  # to all people together
    budgets: Mapping[str, float] = field(default_factory=dict)  # numbers other than those of budgets.LIMITS

    def __post_init__(self) -> None:
        for name, least in {"engine_workers": 1, "engine_threads": 1, "engine_memory": 256, "analyses": 1}.items():
            value = getattr(self, name)
            if value is not None and value < least:
                raise ValueError(f"{name}={value}: choose a whole number from {least}")
        if self.smtp is not None:
            MailServer.read(self.smtp)
            if not self.mail_from or "@" not in self.mail_from:
                raise ValueError("mails need a sender: QUATUOR_MAIL_FROM=games@example.org")
            if not (self.site_url or "").startswith(("https://", "http://")):
                raise ValueError("mails need the address of the page: QUATUOR_SITE_URL=https://games.example.org")

    @property
    def url(self) -> str:
        """The store as an SQLAlchemy URL."""
        if self.store is None:
            return f"sqlite:///{data_folder() / 'quatuor.sqlite'}"
        if "://" not in self.store:
            return f"sqlite:///{Path(self.store).resolve()}"
        scheme, _, rest = self.store.partition("://")
        return f"postgresql+psycopg://{rest}" if scheme in ("postgres", "postgresql") else self.store

    @property
    def secret_file(self) -> Path:
        """Where the secret that signs cookies is kept: beside the store, or in the user's data folder."""
        if self.secret is not None:
            return self.secret
        beside = Path(self.url.removeprefix("sqlite:///")).parent
        return (beside if self.url.startswith("sqlite:///") else data_folder()) / "secret"
