"""The Python SDK against the repair café's server: initialize, list, call, errors.

    sdk.py PROGRAM BASE_URL HTTP_URL PITFALLS

PITFALLS is the server of that spec; it is held against an API of this file, which answers as it
should not. Run with `mcp` 1.x or 2.x, whichever the interpreter has; each over stdio and over HTTP. Exits with
1 and a message at the first thing that is not as it has to be.
"""

import asyncio
import http.server
import importlib.metadata
import os
import sys
import tempfile
import threading

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


ZIP = b"PK\x00\xff" * 64


class Odd(http.server.BaseHTTPRequestHandler):
    """An API whose answers are other than its document says."""

    def do_GET(self):
        kind, body = {
            "/company": ("application/json", b'{"name": ["a"], "size": 7, "staff": 3}'),
            "/motd": ("application/zip", ZIP),
        }.get(self.path, ("application/json", b"{}"))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def pitfalls(folder):
    """An odd API, and the environment of the server that is held against it."""
    api = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Odd)
    threading.Thread(target=api.serve_forever, daemon=True).start()
    return {
        "PITFALLS_BASE_URL": f"http://127.0.0.1:{api.server_port}",
        "PITFALLS_DOWNLOADS_DIR": folder,
        "PITFALLS_HEALTH_TOOL": "1",
        "PITFALLS_FEEDBACK_FILE": os.path.join(folder, "feedback.jsonl"),
        "PITFALLS_TOOLS_PAGE": "5",
    }


async def odd(call, read, pages):
    """The client checks what is promised in outputSchema, and raises where it does not hold."""
    names = [name for page in pages for name in page]
    same("pages of the list", [len(page) for page in pages][:2], [5, 5])
    same("tools of the server", names[-2:], ["server_health", "send_feedback"])
    tool = next(name for name in names if name.startswith("read_jobs"))
    result = await call(tool, {"action": "get_company"})
    same("a drifting answer", result[1], {"staff": 3, "_unexpected": {"name": ["a"], "size": 7}})
    tool = next(name for name in names if name.startswith("get_motd"))
    _, _, _, content = await call(tool, {"action": "get_motd"})
    same("kinds of blocks", [block.type for block in content], ["text", "resource_link"])
    same("bytes of the resource", await read(content[1].uri), ZIP)
    same("health", (await call("server_health", {}))[1]["failed_calls"], 0)
    same("feedback", (await call("send_feedback", {"message": "fine"}))[0], False)


async def version_1(program, environment, url, other):
    import base64

    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamablehttp_client
    from mcp.shared.exceptions import McpError
    from mcp.types import ElicitResult

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

    for agrees in [False, True]:
        asked = []

        async def person(_, params):
            asked.append(params.message)
            return ElicitResult(action="accept" if agrees else "decline", content={"confirm": agrees})

        async with stdio_client(StdioServerParameters(command=program, env=environment)) as streams:
            async with ClientSession(*streams, elicitation_callback=person) as session:
                await session.initialize()
                result = await session.call_tool("delete_repair", {"repair_id": "r2"})
                same(f"isError of a deletion ({result.content})", result.isError, not agrees)
                same("questions", len(asked), 1)
    print("elicitation: ok")

    with tempfile.TemporaryDirectory() as folder:
        child = StdioServerParameters(command=other, env=pitfalls(folder))
        async with stdio_client(child) as streams, ClientSession(*streams) as session:
            await session.initialize()
            pages, cursor = [], None
            while not pages or cursor:
                page = await session.list_tools(cursor)
                pages.append([tool.name for tool in page.tools])
                cursor = page.nextCursor

            async def call(name, arguments):
                result = await session.call_tool(name, arguments)
                return result.isError, result.structuredContent, None, result.content

            async def read(uri):
                return base64.b64decode((await session.read_resource(uri)).contents[0].blob)

            await odd(call, read, pages)
    print("drifting answers, resources, pages: ok")


async def version_2(program, environment, url, other):
    import base64

    from mcp import Client, MCPError, StdioServerParameters
    from mcp.types import ElicitResult

    for mode in ["auto", "legacy", "2026-07-28"]:
        child = StdioServerParameters(command=program, env=environment)
        for name, target in [("stdio", child), ("http", url)]:
            async with Client(target, mode=mode) as client:
                await walk(Version2(client), MCPError)
            print(f"{name}, {mode}: ok")

    for mode, repair in [("auto", "r5"), ("legacy", "r6")]:
        for agrees in [False, True]:
            asked = []

            async def person(_, params):
                asked.append(params.message)
                answer = {"confirm": agrees}
                return ElicitResult(action="accept" if agrees else "decline", content=answer)

            child = StdioServerParameters(command=program, env=environment)
            async with Client(child, mode=mode, elicitation_callback=person) as client:
                result = await client.call_tool("delete_repair", {"repair_id": repair})
                same(f"isError of a deletion ({result.content})", result.is_error, not agrees)
                same("questions", len(asked), 1)
        print(f"elicitation, {mode}: ok")

    for mode in ["auto", "legacy"]:
        with tempfile.TemporaryDirectory() as folder:
            child = StdioServerParameters(command=other, env=pitfalls(folder))
            async with Client(child, mode=mode) as client:
                pages, cursor = [], None
                while not pages or cursor:
                    page = await client.list_tools(cursor=cursor)
                    pages.append([tool.name for tool in page.tools])
                    cursor = page.next_cursor

                async def call(name, arguments):
                    result = await client.call_tool(name, arguments)
                    return result.is_error, result.structured_content, None, result.content

                async def read(uri):
                    return base64.b64decode((await client.read_resource(uri)).contents[0].blob)

                await odd(call, read, pages)
        print(f"drifting answers, resources, pages, {mode}: ok")


def main():
    program, base, url, other = sys.argv[1:]
    version = importlib.metadata.version("mcp")
    print(f"mcp {version}")
    run = version_1 if version.startswith("1.") else version_2
    asyncio.run(asyncio.wait_for(run(program, {"REPAIR_CAFE_BASE_URL": base}, url, other), 120))


main()
