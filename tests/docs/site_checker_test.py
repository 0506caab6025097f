"""cmake/site/check_site.py finds what is wrong with a site, and nothing where all is well."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cmake/site"))
sys.dont_write_bytecode = True
import check_site


class SiteChecker(unittest.TestCase):
    def problems(self, body, **files):
        """What the checker says of a page with this body beside these files."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "index.html").write_text(f"<html><body>{body}</body></html>")
            for name, text in files.items():
                Path(folder, name.replace("_", ".")).write_text(text)
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                code = check_site.main(folder)
            self.assertEqual(code == 0, said.getvalue().endswith("are whole\n"))
            return "" if code == 0 else said.getvalue()

    def test_a_whole_site_has_no_problems(self):
        body = (
            '<h2 id="x">x</h2><a href="#x">x</a><a href="other.html#y">y</a><img src="a.png">'
            '<p>a | b and <code>![not](a link)</code></p><a href="https://example.org/">out</a>'
        )
        other = '<a id="y"></a>'
        self.assertEqual(self.problems(body, other_html=other, a_png="", s_css="a{background:url(a.png)}"), "")

    def test_dead_links_are_found(self):
        self.assertIn("nothing.html, which is not there", self.problems('<a href="nothing.html">x</a>'))

    def test_dead_anchors_are_found(self):
        self.assertIn("no such anchor", self.problems('<a href="#nowhere">x</a>'))
        self.assertIn("no such anchor", self.problems('<a href="other.html#z">x</a>', other_html="<p>y</p>"))

    def test_missing_pictures_are_found(self):
        self.assertIn("'a.png', which is not there", self.problems('<img src="a.png">'))

    def test_what_comes_from_a_network_is_found(self):
        for body in (
            '<script src="https://example.org/x.js"></script>',
            '<link rel="stylesheet" href="//example.org/x.css">',
        ):
            self.assertIn("from a network", self.problems(body))
        self.assertIn("from a network", self.problems("", s_css='@import "https://example.org/f.css";'))

    def test_markdown_that_was_not_understood_is_found(self):
        for text in ("| a | b |\n|---|---|", "```sh\nx\n```", "see [x](y.md)", "text\n- item"):
            self.assertIn("Markdown left over", self.problems(f"<p>{text}</p>"))


if __name__ == "__main__":
    unittest.main()
