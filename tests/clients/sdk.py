"""The Python SDK against the repair café's server: initialize, list, call, errors.

    sdk.py PROGRAM BASE_URL HTTP_URL

Run with `mcp` 1.x or 2.x, whichever the interpreter has; each over stdio and over HTTP. Exits with
1 and a message at the first thing that is not as it has to be.
"""

import asyncio
import importlib.metadata
import sys

TOOLS = ["read_repairs", "manage_repairs", "delete_repair", "get_health"]


def same(what, found, expected):
    if found != expected:
        sys.exit(f"error: {what}: expected {expected!r}, found {found!r}")


class Version1:
    """A session of `mcp` 1.x with names as 2.x has them."""

    def __init__(self, session, started):
        self.session, self.started = session, started

    async def list_tools(self):
        return [(tool.name, tool.inputSchema) for tool in (await self.session.list_tools()).tools]

    async def call(self, name, arguments):
        result = await self.session.call_tool(name, arguments)
        return result.isError, result.structuredContent, result.content[0].text


class Version2:
    """A client of `mcp` 2.x."""

    def __init__(self, client):
        self.client = client

    async def list_tools(self):
        return [(tool.name, tool.input_schema) for tool in (await self.client.list_tools()).tools]

    async def call(self, name, arguments):
        result = await self.client.call_tool(name, arguments)
        return result.is_error, result.structured_content, result.content[0].text


async def walk(client, error):
    listed = await client.list_tools()
    same("tools", [name for name, _ in listed], TOOLS)
    same("root of a schema", listed[0][1]["type"], "object")
    is_error, structured, text = await client.call("read_repairs", {"action": "list", "limit": 2})
    same("isError of a list", is_error, False)
    if structured is None and "repairs" not in text:
        sys.exit(f"error: a list without repairs: {text}")
    is_error, _, text = await client.call("read_repairs", {"action": "get"})
    same("isError without an identifier", is_error, True)
    if "repair_id" not in text:
        sys.exit(f"error: the refusal does not name the argument: {text}")
    is_error, _, text = await client.call("read_repairs", {"action": "get", "repair_id": "r999"})
    same("isError of what is not there", is_error, True)
    if "404" not in text:
        sys.exit(f"error: the refusal does not name the status: {text}")
    new = {
        "action": "create",
        "object": "Lampe – “blau” 🔧",
        "category": "electrical",
        "fault": "flickers",
        "owner_name": "Ida",
        "weight_kg": 0.5,
    }
    is_error, _, text = await client.call("manage_repairs", new)
    same(f"isError of a new repair ({text})", is_error, False)
    try:
        await client.call("no_such_tool", {})
    except error as found:
        same("code for an unknown tool", found.error.code, -32602)
    else:
        sys.exit("error: an unknown tool is called without an error")
    calls = [client.call("get_health", {}) for _ in range(32)]
    outcomes = await asyncio.gather(*calls)
    same("calls in parallel", [is_error for is_error, _, _ in outcomes], [False] * 32)


async def version_1(program, environment, url):
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamablehttp_client
    from mcp.shared.exceptions import McpError

    async def session(name, streams):
        async with ClientSession(streams[0], streams[1]) as session:
            started = await session.initialize()
            same("name of the server", started.serverInfo.name, "repair-cafe")
            await walk(Version1(session, started), McpError)
            print(f"{name}: ok, {started.protocolVersion}")

    async with stdio_client(StdioServerParameters(command=program, env=environment)) as streams:
        await session("stdio", streams)
    async with streamablehttp_client(url) as streams:
        await session("http", streams)


async def version_2(program, environment, url):
    from mcp import Client, MCPError, StdioServerParameters

    for mode in ["auto", "legacy", "2026-07-28"]:
        child = StdioServerParameters(command=program, env=environment)
        for name, target in [("stdio", child), ("http", url)]:
            async with Client(target, mode=mode) as client:
                await walk(Version2(client), MCPError)
            print(f"{name}, {mode}: ok")


def main():
    program, base, url = sys.argv[1:]
    version = importlib.metadata.version("mcp")
    print(f"mcp {version}")
    run = version_1 if version.startswith("1.") else version_2
    asyncio.run(asyncio.wait_for(run(program, {"REPAIR_CAFE_BASE_URL": base}, url), 120))


main()
