"""What mkdocs does not do by itself.

Pages link to files of the tree: other pages, sources, configs, headers. Here these links become links
to pages of the site. Pages at the root of the tree are pages of the site too, a header's link leads to
its reference, and every other file that a page links to gets a page with its text.
"""

import json
import os
import posixpath
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pygments.formatters
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
WORK = Path(os.environ["TUFF_SITE_WORK"])  # build.cmake has put the references there
REFERENCES = ["api", "api_passes"]
HEADER_FOLDERS = {
    "engine/include/tuff": "api", "bindings/c/include/tuff": "api", "passes": "api_passes",
}  # fmt: skip
ROOT_PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
LINK = re.compile(r"\]\(([^)\s#]+)")
LANGUAGES = {
    ".c": "c", ".comp": "glsl", ".cpp": "cpp", ".frag": "glsl", ".glsl": "glsl", ".h": "c",
    ".hpp": "cpp", ".json": "json", ".sh": "sh", ".txt": "cmake", ".vert": "glsl", ".yml": "yaml",
    ".rahit": "glsl", ".rchit": "glsl", ".rgen": "glsl", ".rmiss": "glsl",
}  # fmt: skip


def tree_path(page):
    """Where a page of the site lies in the tree."""
    return page if page in ROOT_PAGES else "docs/" + page


def target_of(page, link):
    """The path in the tree that a link in a page of the tree means; None of other links."""
    if ":" in link or link.startswith(("/", "#")):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))


def headers():
    """The reference's page of each installed header, by its path in the tree."""
    pages = {}
    for reference in REFERENCES:
        for compound in ElementTree.parse(WORK / f"{reference}.tag").iter("compound"):
            if compound.get("kind") == "file":
                path = Path(compound.findtext("path"), compound.findtext("name"))
                page = compound.findtext("filename").removesuffix(".html")
                pages[path.relative_to(ROOT).as_posix()] = f"{reference}/{page}.html"
    return pages


def text_page(path):
    """A page that shows a file, or the files of a folder."""
    source = ROOT / path
    files = [source] if source.is_file() else sorted(f for f in source.rglob("*") if f.is_file())
    text = f"# {path}\n"
    for file in files:
        try:
            content = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture beside configs
        if source.is_dir():
            text += f"\n## {file.relative_to(source)}\n"
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", content)), default=0))
        text += f"\n{fence}{LANGUAGES.get(file.suffix, 'text')}\n{content.rstrip()}\n{fence}\n"
    return text


class Links(Treeprocessor):
    """Runs before mkdocs looks at links, and knows the page that is being rendered."""

    pages = {}  # path in the tree: path in the site
    page = ""

    def run(self, root):
        for element in root.iter():
            key = {"a": "href", "img": "src"}.get(element.tag)
            link, mark, anchor = (element.get(key) or "").partition("#") if key else ("", "", "")
            target = target_of(tree_path(self.page), link) if link else None
            if target is None:
                continue
            if target not in self.pages:
                raise ValueError(f"{tree_path(self.page)} links to {target}, which is not there")
            relative = posixpath.relpath(self.pages[target], posixpath.dirname(self.page) or ".")
            element.set(key, relative + mark + anchor)


class LinksExtension(Extension):
    def extendMarkdown(self, md):
        md.treeprocessors.register(Links(md), "tuff_links", 1)  # mkdocs' own has 0


def on_config(config):
    config.markdown_extensions.append(LinksExtension())
    return config


def on_files(files, config):
    def add(path, folder):
        files.append(File(path, str(folder), config.site_dir, config.use_directory_urls))

    for page in ROOT_PAGES:
        add(page, ROOT)
    pages = {tree_path(file.src_uri): file.src_uri for file in files}
    for reference in REFERENCES:
        for file in (WORK / reference).rglob("*"):
            if file.is_file():
                add(str(file.relative_to(WORK)), WORK)
    pages |= headers()
    pages |= {folder: f"{reference}/files.html" for folder, reference in HEADER_FOLDERS.items()}

    texts = WORK / "texts"
    for file in [f for f in files if f.src_uri.endswith(".md")]:
        content = Path(file.abs_src_path).read_text(encoding="utf-8")
        for link in LINK.findall(content):
            target = target_of(tree_path(file.src_uri), link)
            if target is None or target in pages or not (ROOT / target).exists():
                continue
            if Path(target).suffix in [".png", ".svg"]:
                add(target, ROOT)
                pages[target] = target
                continue
            page = f"files/{target}.md"
            (texts / page).parent.mkdir(parents=True, exist_ok=True)
            (texts / page).write_text(text_page(target), encoding="utf-8")
            add(page, texts)
            pages[target] = page
    Links.pages = pages
    return files


def on_page_markdown(markdown, page, config, files):
    Links.page = page.file.src_uri
    if page.file.src_uri.startswith("files/"):
        Links.page = "files"  # their texts have no links
    return markdown


def on_post_build(config):
    site = Path(config.site_dir)
    # A page that is no server's may not fetch the index: it comes as a script. Texts of files would
    # hide what pages say.
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    docs = [doc for doc in index["docs"] if not doc["location"].startswith("files/")]
    script = f"var tuff_search_docs = {json.dumps(docs)};\n"
    (site / "search/search_index.js").write_text(script, encoding="utf-8")
    (site / "search/search_index.json").unlink()
    (site / "search/worker.js").unlink()
    style = pygments.formatters.HtmlFormatter(style="tango").get_style_defs(".codehilite")
    (site / "highlight.css").write_text(style, encoding="utf-8")
