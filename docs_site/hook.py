"""What mkdocs asks for while it builds the site: pages of components, completed metric pages, links out of docs/."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from group_page import group_page
from measured import Measured
from metric_page import completed, overview
from outside import Outside

from coheval import registry

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

OTHER_GROUPS = [group for group in registry.GROUPS if group != "metrics"]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """In the navigation, `metrics` and `components` stand for a page each of what the registry has."""
    pages = {
        "metrics": ["metrics/README.md", *(f"metrics/{name}.md" for name in registry.names("metrics"))],
        "components": [f"components/{group}.md" for group in OTHER_GROUPS],
    }
    config.nav = _filled(config.nav or [], pages)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    from mkdocs.structure.files import File, InclusionLevel

    for name in registry.names("metrics"):
        if files.get_file_from_path(f"metrics/{name}.md") is None:  # of a plug-in: the page has no prose
            files.append(File.generated(config, f"metrics/{name}.md", content=f"# {name}\n"))
    for group in OTHER_GROUPS:
        files.append(File.generated(config, f"components/{group}.md", content=group_page(group)))
    for path, uri in _outside(config).files.items():
        made = File.generated(config, uri, abs_src_path=str(path), inclusion=InclusionLevel.NOT_IN_NAV)
        files.append(made)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    folder, _, name = page.file.src_uri.rpartition("/")
    if folder == "metrics":
        name = name.removesuffix(".md")
        markdown = (
            overview(markdown) if name == "README" else completed(name, markdown, _measured(config), _docs(config))
        )
    return _outside(config).relinked(markdown, page.file.src_uri)


def _filled(entries: Iterable[Any], pages: dict[str, list[str]]) -> list[Any]:
    return [_filled_entry(entry, pages) for entry in entries]


def _filled_entry(entry: Any, pages: dict[str, list[str]]) -> Any:
    if not isinstance(entry, dict):
        return entry
    return {
        title: _filled(below, pages) if isinstance(below, list) else pages.get(below, below)
        for title, below in entry.items()
    }


def _docs(config: MkDocsConfig) -> Path:
    return Path(config.docs_dir)


def _measured(config: MkDocsConfig) -> Measured:
    return _read(_docs(config) / "results.md")


def _outside(config: MkDocsConfig) -> Outside:
    return _found(_docs(config))


_read = cache(Measured.read)
_found = cache(Outside.find)
