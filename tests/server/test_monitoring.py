"""deploy/: dashboard and alert rules name only metrics that the server exports."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from quatuor.server.engine_queue import Priority
from tests.server.client import Guest
from tests.server.test_operation import numbers

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = re.compile(r"\b(?:quatuor|process)_\w+")
PARTS = {"histogram": ("_bucket", "_sum", "_count"), "counter": ("",), "gauge": ("",)}


async def exported(guest: Guest) -> set[str]:
    lines = (await guest.http.get("/metrics")).text.splitlines()
    kinds = dict(line.split()[2:4] for line in lines if line.startswith("# TYPE"))
    return {name + part for name, kind in kinds.items() for part in PARTS[kind]}


def rules() -> list[dict]:
    (group,) = yaml.safe_load((DEPLOY / "alerts.yml").read_text(encoding="utf-8"))["groups"]
    return group["rules"]


def panels() -> list[dict]:
    return json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))["panels"]


async def test_dashboard_and_alerts_name_metrics_that_exist_and_the_dashboard_shows_all_of_ours(ada):
    known = await exported(ada)
    shown = {name for panel in panels() for target in panel["targets"] for name in NAME.findall(target["expr"])}
    alerted = {name for rule in rules() for name in NAME.findall(rule["expr"])}
    assert shown - known == set()
    assert alerted - known == set()
    ours = {re.sub(r"_(bucket|sum|count)$", "", name) for name in known if name.startswith("quatuor_")}
    assert {name for name in ours if not name.endswith("_created")} == {
        re.sub(r"_bucket$", "", name) for name in shown if name.startswith("quatuor_")
    }


def test_alerts_are_complete_and_the_dashboards_panels_do_not_overlap():
    assert len({rule["alert"] for rule in rules()}) == len(rules()) >= 10
    for rule in rules():
        assert rule["annotations"]["summary"]
        assert rule["expr"].count("(") == rule["expr"].count(")")
        assert set(re.findall(r'priority="(\w+)"', rule["expr"])) <= {priority.name.lower() for priority in Priority}
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels()]
    assert len(set(places)) == len(places)


PROMTOOL = shutil.which("promtool") or shutil.which("promtool", path=Path(sys.executable).parent)


@pytest.mark.skipif(not PROMTOOL, reason="there is no promtool: tools/promtool fetches Debian's")
async def test_promtool_accepts_the_alerts_and_the_metrics(ada):
    done = subprocess.run([PROMTOOL, "check", "rules", DEPLOY / "alerts.yml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    text = (await ada.http.get("/metrics")).text
    done = subprocess.run([PROMTOOL, "check", "metrics"], input=text, capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stdout + done.stderr  # 3: it can be read, but a name is unusual


async def test_a_refusal_for_a_budget_is_counted(start_server):
    server = start_server(budgets={"new_tables": 2})
    guest = Guest(server.address)
    table = {"game": "plus4", "seats": [{"kind": "me"}, {"kind": "me"}]}
    answers = [(await guest.http.post("/api/tables", json=table)).status_code for _ in range(4)]
    counted = 'quatuor_budget_refusals_total{budget="new_tables"'
    found = sum(value for key, value in (await numbers(guest)).items() if key.startswith(counted))
    assert found == answers.count(429) > 0


def test_all_images_can_be_pinned_by_their_digests(tmp_path):
    engine = tmp_path / "docker"
    engine.write_text("#!/bin/sh\n[ $1 = pull ] && exit\nfor image; do :; done\necho ${image%%:*}@sha256:0123\n")
    engine.chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run([DEPLOY / "pin"], env=path, capture_output=True, text=True, check=True)
    pinned = dict(line.split("=", 1) for line in done.stdout.splitlines())
    names = ("POSTGRES", "PYTHON", "CADDY")
    assert pinned == {f"{name}_IMAGE": f"docker.io/library/{name.lower()}@sha256:0123" for name in names}
    compose = yaml.safe_load((DEPLOY / "compose.yml").read_text(encoding="utf-8"))
    images = [service["image"] for service in compose["services"].values() if "image" in service]
    assert len(images) == 2
    assert all(re.fullmatch(r"\$\{\w+_IMAGE:-\S+\}", image) for image in images)
    container = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    assert re.findall(r"^FROM (.*)$", container, re.MULTILINE) == ["${PYTHON_IMAGE}"]
    assert f"ARG PYTHON_IMAGE={compose['services']['quatuor']['build']['args']['PYTHON_IMAGE'][16:-1]}\n" in container
