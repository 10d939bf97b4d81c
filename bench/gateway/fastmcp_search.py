"""fastmcp as a gateway: a proxy over one shared client, with its BM25 search in front."""

import asyncio
import json
import sys

from fastmcp import Client
from fastmcp.server import create_proxy
from fastmcp.server.transforms.search import BM25SearchTransform


async def main() -> None:
    with open(sys.argv[1]) as file:
        client = Client(json.load(file))
    async with client:
        proxy = create_proxy(client, name="fastmcp")
        proxy.add_transform(BM25SearchTransform())
        await proxy.run_async(transport="stdio", show_banner=False)


asyncio.run(main())
