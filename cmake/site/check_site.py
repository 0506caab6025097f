#!/usr/bin/env python3
"""Checks a built site: check_site.py FOLDER

Every link and anchor within it leads somewhere, every picture is there, nothing is fetched from a
network, and no Markdown is left over in the text of pages. Prints what is wrong and exits with 1.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FETCHED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "embed": "src"}
LEFTOVER = re.compile(r"^\s*\||```|\]\(|<!--|\n\s*([-*]|\d+\.) ")
STYLE_URL = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
VERBATIM = {"code", "pre", "script", "style", "title"}


class Page(HTMLParser):
    """The anchors of a page, what it links to and fetches, and the lines of its paragraphs."""

    def __init__(self, file):
        super().__init__()
        self.anchors, self.links, self.fetches, self.texts = set(), [], [], []
        self.open, self.main = [], 0
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(attributes[k] for k in ("id", "name") if attributes.get(k))
        if tag in ("a", "area") and attributes.get("href"):
            self.links.append(attributes["href"])
        if attributes.get(FETCHED.get(tag)):
            self.fetches.append(attributes[FETCHED[tag]])
        if tag == "img" and not attributes.get("src"):
            self.fetches.append("")
        if tag in VERBATIM:
            self.open.append(tag)
        if tag == "p":
            self.texts.append("")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data):
        if not self.open and self.texts:
            self.texts[-1] += data


def main(folder):
    site = Path(folder).resolve()
    pages = {file: Page(file) for file in sorted(site.rglob("*.html"))}
    problems = []

    def target(file, link):
        """The file that a link means and its anchor, or a problem."""
        parts = urlsplit(link)
        path = site / parts.path.lstrip("/") if parts.path.startswith("/") else file.parent / unquote(parts.path)
        found = (path if parts.path else file).resolve()
        if found.is_dir():
            found /= "index.html"
        return found, unquote(parts.fragment)

    def complain(file, text):
        problems.append(f"{file.relative_to(site)}: {text}")

    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto", "javascript"):
                continue
            found, anchor = target(file, link)
            if not found.is_file():
                complain(file, f"links to {link}, which is not there")
            elif anchor and found in pages and anchor not in pages[found].anchors:
                complain(file, f"links to {link}, where there is no such anchor")
        for link in page.fetches:
            if urlsplit(link).scheme not in ("", "data", "javascript") or link.startswith("//"):
                complain(file, f"fetches {link} from a network")
            elif not urlsplit(link).scheme and not target(file, link)[0].is_file():
                complain(file, f"shows or loads {link!r}, which is not there")
        if not file.is_relative_to(site / "api") and not file.is_relative_to(site / "api_passes"):
            for text in page.texts:
                if found := LEFTOVER.search(text):
                    complain(file, f"has Markdown left over: {text[found.start():][:60]!r}")
    for file in sorted(site.rglob("*.css")):
        for match in STYLE_URL.finditer(file.read_text(encoding="utf-8")):
            link = match[1] or match[2]
            if link.startswith("data:") or urlsplit(link).path == "":
                continue
            if urlsplit(link).scheme or link.startswith("//"):
                complain(file, f"fetches {link} from a network")
            elif not target(file, link)[0].is_file():
                complain(file, f"loads {link}, which is not there")
    print("\n".join(problems) or f"{len(pages)} pages: links, anchors and pictures are whole", flush=True)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
