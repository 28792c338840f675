"""One mail to a mail server, by the standard library; addresses never reach the log."""

import smtplib
import ssl
from dataclasses import dataclass, field
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

TIMEOUT = 20.0  # seconds for each answer of the mail server
LOOPBACK = ("localhost", "127.0.0.1", "::1")
PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True)
class MailServer:
    """Where mails are handed in: smtp://user:password@host:port (STARTTLS) or smtps://…"""

    scheme: str
    host: str
    port: int
    user: str | None = None
    password: str = field(default="", repr=False)

    @classmethod
    def read(cls, address: str) -> "MailServer":
        """From its address. ValueError, which does not repeat the password, if the address is wrong."""
        parts = urlsplit(address)
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme not in PORTS or not parts.hostname or port == -1:
            raise ValueError(
                "the mail server is given as smtp://user:password@host:587 or smtps://user:password@host:465"
            )
        user = unquote(parts.username) if parts.username else None
        return cls(parts.scheme, parts.hostname, port or PORTS[parts.scheme], user, unquote(parts.password or ""))

    def send(self, message: EmailMessage) -> None:
        """Hand a mail in. It is encrypted, except to a server on this machine. OSError or SMTPException if it fails."""
        if self.scheme == "smtps":
            with smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT, context=ssl.create_default_context()) as line:
                self._hand_in(line, message)
            return
        with smtplib.SMTP(self.host, self.port, timeout=TIMEOUT) as line:
            if self.host not in LOOPBACK:
                line.starttls(context=ssl.create_default_context())
            self._hand_in(line, message)

    def _hand_in(self, line: smtplib.SMTP, message: EmailMessage) -> None:
        if self.user:
            line.login(self.user, self.password)
        line.send_message(message)


def is_final(error: Exception) -> bool:
    """Whether the mail server will never take this mail."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return False  # the operator may correct it
    return isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 500


def cause_of(error: Exception) -> str:
    """Why it failed, for the log: the kind of the error and the server's code. Its text may hold an address."""
    code = getattr(error, "smtp_code", None)
    return f"{error.__class__.__name__} {code}" if code else error.__class__.__name__
