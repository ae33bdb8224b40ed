"""Every relative link in the documentation points at something, and every command of the README exists."""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pages():
    listed = subprocess.run(['git', 'ls-files', '*.md'], cwd=ROOT, capture_output=True, text=True, check=False)
    names = listed.stdout.split() or [str(path.relative_to(ROOT)) for path in ROOT.glob('**/*.md')
                                      if 'build' not in path.parts]
    return [ROOT / name for name in names]


def headings(page):
    """What GitHub makes of the headings of a page: lower case, without punctuation, hyphens for spaces."""
    return [re.sub(r'[^\w\- ]', '', line.lower()).strip().replace(' ', '-')
            for line in re.findall(r'^#+ (.*)$', page.read_text(), re.MULTILINE)]


class Links(unittest.TestCase):
    def test_relative_links_exist(self):
        for page in pages():
            for link in re.findall(r'\]\(([^)#\s]+)(?:#[^)]*)?\)', page.read_text()):
                if not re.match(r'[a-z]+:', link):
                    self.assertTrue((page.parent / link).exists(), '%s: %s' % (page.relative_to(ROOT), link))

    def test_headings_that_are_linked_to_exist(self):
        for page in pages():
            for link, anchor in re.findall(r'\]\(([^)#\s]*)#([^)\s]+)\)', page.read_text()):
                if not re.match(r'[a-z]+:', link) and (not link or link.endswith('.md')):
                    target = page.parent / link if link else page
                    self.assertIn(anchor, headings(target), '%s: %s#%s' % (page.relative_to(ROOT), link, anchor))

    def test_files_that_the_readme_runs_exist(self):
        readme = (ROOT / 'README.md').read_text()
        for block in re.findall(r'```sh\n(.*?)```', readme, re.S):
            for name in re.findall(r'(?:\./|--config )((?:scripts|config)/[\w./-]+)', block):
                self.assertTrue((ROOT / name).exists(), name)


if __name__ == '__main__':
    unittest.main()
