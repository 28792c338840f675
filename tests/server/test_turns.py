"""Fair turns for engines: tables that ask for much wait behind those that ask for little."""

import asyncio

from quatuor.server.engines import Turns


async def test_tables_take_turns():
    turns, served = Turns(1), []

    async def ask(table: str) -> None:
        await turns.take(table)
        served.append(table)
        await asyncio.sleep(0)
        turns.give_back()

    await turns.take("first")
    asking = [asyncio.ensure_future(ask(table)) for table in "aaaabbc"]
    await asyncio.sleep(0)
    turns.give_back()
    await asyncio.gather(*asking)
    assert served == list("abcabaa")


async def test_whoever_stops_waiting_holds_nobody_up():
    turns = Turns(1)
    await turns.take("first")
    gone, next_one = (asyncio.ensure_future(turns.take(table)) for table in "ab")
    await asyncio.sleep(0)
    gone.cancel()
    turns.give_back()
    await asyncio.wait_for(next_one, 5)
    late = asyncio.ensure_future(turns.take("c"))
    await asyncio.sleep(0)
    turns.give_back()
    late.cancel()  # in the moment it is served
    await asyncio.gather(late, return_exceptions=True)
    await asyncio.wait_for(turns.take("d"), 5)
