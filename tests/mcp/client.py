"""Calls `loquat mcp` through the client of the official SDK, and prints what comes of it as one JSON object.

Usage: client.py PROGRAM QUESTION
"""
import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(program, question):
    server = StdioServerParameters(command=program, args=["mcp"], env=dict(os.environ))
    async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        greeting = await session.initialize()
        tools = (await session.list_tools()).tools
        asked = await session.call_tool("ask_persona", {"question": question})
        reckoned = await session.call_tool("evaluate_expression", {"expression": "6 * 7"})
        wrong = await session.call_tool("evaluate_expression", {"formula": 1})
        missing = await session.call_tool("run_command", {"command": "ls"})
        def told(result):
            value = result.model_dump(by_alias=True)
            return {"error": value.get("isError"), "result": value.get("structuredContent"),
                    "text": [part.get("text") for part in value["content"]]}
        print(json.dumps({
            "server": greeting.model_dump(by_alias=True)["serverInfo"]["name"],
            "tools": [tool.name for tool in tools],
            "asked": told(asked), "reckoned": told(reckoned), "wrong": told(wrong), "missing": told(missing),
        }))


asyncio.run(main(*sys.argv[1:]))
