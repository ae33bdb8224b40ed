"""Decisions: the index is what their first lines say, each is short, and each is cited where it holds."""
import importlib.machinery
import importlib.util
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / 'docs/decisions'
MOST_WORDS = 250


def script():
    loader = importlib.machinery.SourceFileLoader('decisions', str(ROOT / 'scripts/decisions'))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('decisions', loader))
    loader.exec_module(module)
    return module


def pages():
    return sorted(FOLDER.glob('[0-9]*.md'))


def words(text):
    """Words as a reader counts them: neither the marks of tables nor numbers between them alone."""
    return len(re.findall(r'[^\s|]*\w[^\s|]*', text))


class Decisions(unittest.TestCase):
    def test_index_is_made_of_the_pages(self):
        self.assertEqual((FOLDER / 'README.md').read_text(), script().index(),
                         'run: scripts/decisions > docs/decisions/README.md')

    def test_numbers_are_used_once(self):
        numbers = [page.name[:4] for page in pages()]
        self.assertEqual(len(numbers), len(set(numbers)))

    def test_states_are_known(self):
        for page in pages():
            state = script().HEAD.match(page.read_text())[4]
            found = re.fullmatch(r'holds(; .+)?|replaced by (\d{4})', state)
            self.assertTrue(found, '%s: expected "holds", "holds; …" or "replaced by NNNN", got "%s"' % (page.name, state))
            for number in re.findall(r'\d{4}', state):
                self.assertTrue(list(FOLDER.glob(number + '-*.md')), '%s: there is no decision %s' % (page.name, number))

    def test_each_is_short(self):
        long = {page.name: words(page.read_text()) for page in pages() if words(page.read_text()) > MOST_WORDS}
        self.assertEqual(long, {})

    def test_each_is_cited_elsewhere(self):
        listed = subprocess.run(['git', 'grep', '-hoE', r'decisions/[0-9]{4}', '--', ':!docs/decisions'], cwd=ROOT,
                                capture_output=True, text=True, check=False)
        if listed.returncode == 128:
            self.skipTest('no repository')
        cited = set(re.findall(r'\d{4}', listed.stdout))
        self.assertEqual([page.name for page in pages() if page.name[:4] not in cited], [],
                         'fold it into the page that it explains, or cite it there')


if __name__ == '__main__':
    unittest.main()
