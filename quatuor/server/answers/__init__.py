"""What the server answers and sends: one struct for each kind of object. docs/protocol.md explains them.

The OpenAPI description and the page's ``web/src/lib/types.ts`` are made from these structs. A field that may be missing
is ``UNSET`` by default; one that may be null says so.
"""
# ruff: noqa: F403

from quatuor.server.answers.common import *
from quatuor.server.answers.games import *
from quatuor.server.answers.lessons import *
from quatuor.server.answers.messages import *
from quatuor.server.answers.moderation import *
from quatuor.server.answers.people import *
from quatuor.server.answers.puzzles import *
from quatuor.server.answers.tables import *
from quatuor.server.answers.tournaments import *
