"""The site of the pages: it builds, has a search, and finds broken links."""

import importlib.util
import shutil

import doc_site
import pytest
from documents import PAGES, ROOT

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("mkdocs") is None, reason="the extra 'docs' is not installed"
)


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Build the site of some pages in a folder of its own."""
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    monkeypatch.setattr(doc_site, "BUILT_IN", tmp_path)

    def run(change=None):
        pages = tmp_path / "build" / "site" / "pages"
        doc_site.stage(pages, PAGES)
        if change is not None:
            file, text = change
            (pages / file).write_text(text)
        done = doc_site.build()
        return done.returncode, done.stdout + done.stderr, tmp_path / "build" / "site" / "html"

    return run


def test_all_links_of_the_site_lead_somewhere(site):
    status, said, html = site()
    assert status == 0, said
    assert {path.with_suffix(".html").name for path in map(ROOT.joinpath, PAGES)} <= {
        *(path.name for path in html.rglob("*.html")),
        "README.html",
    }
    assert "autodeploy" in (html / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "fonts.googleapis" not in (html / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("link", ["no_such_page.md", "memory.md#no-such-heading"])
def test_a_broken_link_is_an_error(site, link):
    status, said, _ = site(("docs/python.md", f"# Python\n\n[there]({link})\n"))
    assert status != 0 and link.partition("#")[0] in said
