"""The rankers of rivals as they are released, each over the tools of one data set.

An original is a function that reads the tools once and returns what answers a text with places of tools, best first.
"""

import re
import sqlite3
from types import SimpleNamespace

HITS = 10


def pydantic_ai(tools):
    from pydantic_ai.toolsets._tool_search import ToolSearchToolset

    class Name(str):
        """A name that knows the place of its tool, since tools of one name are told apart here."""

    def named(place, tool):
        name = Name(tool["name"])
        name.place = place
        return name

    corpus = [
        SimpleNamespace(name=named(place, tool), description=tool.get("description"))
        for place, tool in enumerate(tools)
    ]
    toolset = ToolSearchToolset(wrapped=None)
    tool = SimpleNamespace(corpus=corpus, discovered_tool_names=set())

    def answer(text):
        from pydantic_ai.exceptions import ModelRetry

        try:
            found = toolset._run_keywords_search([text], tool)
        except ModelRetry:
            return []
        return [match["name"].place for match in found["discovered_tools"]]

    return answer


def fastmcp(tools):
    from fastmcp.server.transforms.search.base import _extract_searchable_text
    from fastmcp.server.transforms.search.bm25 import _BM25Index

    def text_of(tool):
        return _extract_searchable_text(
            SimpleNamespace(
                name=tool["name"],
                description=tool.get("description"),
                parameters=tool.get("input_schema"),
            )
        )

    index = _BM25Index()
    index.build([text_of(tool) for tool in tools])
    return lambda text: index.query(text, HITS)


# What ToolHive makes of a text before it asks SQLite, by its public description.
PHRASE_WORDS = set(
    """name description schema input output type properties required title id tool server
    meta data content text value field column table index key primary""".split()
)


def toolhive(tools):
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE tools USING fts5(name, description, tokenize='porter')")
    rows = [
        (place, tool["name"], tool.get("description") or "") for place, tool in enumerate(tools, 1)
    ]
    table.executemany("INSERT INTO tools(rowid, name, description) VALUES (?, ?, ?)", rows)

    def answer(text):
        words = text.split()
        if not words:
            return []
        is_phrase = len(words) == 1 or any(word.lower() in PHRASE_WORDS for word in words)
        parts = [" ".join(words)] if is_phrase else words
        quoted = " OR ".join('"' + part.replace('"', '""') + '"' for part in parts)
        asked = "SELECT rowid FROM tools WHERE tools MATCH ? ORDER BY rank LIMIT ?"
        return [rowid - 1 for (rowid,) in table.execute(asked, (quoted, HITS))]

    return answer


def tantivy(tools):
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False)
    builder.add_unsigned_field("place", stored=True)
    index = tantivy.Index(builder.build())
    writer = index.writer(num_threads=1)
    for place, tool in enumerate(tools):
        parts = [tool["name"], tool.get("description") or ""]
        for name, parameter in ((tool.get("input_schema") or {}).get("properties") or {}).items():
            parts.append(name)
            if isinstance(parameter, dict) and isinstance(parameter.get("description"), str):
                parts.append(parameter["description"])
        writer.add_document(tantivy.Document(text=" ".join(parts), place=place))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def answer(text):
        words = " ".join(re.findall(r"\w+", text.replace("_", " "))).lower()
        if not words:
            return []
        hits = searcher.search(index.parse_query(words, ["text"]), HITS).hits
        return [searcher.doc(address)["place"][0] for _, address in hits]

    return answer


def ratel(tools):
    from ratel_ai import _native

    registry = _native.ToolRegistry()
    places = {tool["id"]: place for place, tool in enumerate(tools)}
    for tool in tools:
        schema = tool.get("input_schema") or {}
        registry.register(tool["id"], tool["name"], tool.get("description") or "", schema, {})
    return lambda text: [places[hit.tool_id] for hit in registry.search(text, HITS)]


ORIGINALS = {
    "pydantic-ai": pydantic_ai,
    "toolhive": toolhive,
    "fastmcp": fastmcp,
    "tantivy": tantivy,
    "ratel": ratel,
}
