"""Every relative link, heading and back-ticked path of the documentation exists, and every file that the README runs."""
import fnmatch
import re
import unittest

from pages import ROOT, headings, links, pages, tracked, without_code

# What a page calls a path without being one of ours: placeholders, paths of machines and of other programs.
NO_PATHS = re.compile(r'foo|SUBJECT|NAME|FOLDER|…|^(?:/|~|api/|proc/|sys/|dev/|etc/|bin/|build/|md\d|eth\d|mc\d|queue/|device/|md/)')
ENDINGS = r'\.(?:h|cc|c|py|md|yml|yaml|json|txt|sh|ts|tsx|mjs|cmake|svg|png|csv|xz|conf|service)'


def paths(text):
    """Back-ticked paths: with a folder and an ending that sources have, or below a folder of the root."""
    roots = '|'.join(sorted({name.split('/')[0] for name in tracked() if '/' in name}))
    for quoted in re.findall(r'`([^`\s]+)`', without_code(text)):
        for path in expanded(quoted.rstrip('.,:;')):
            if not NO_PATHS.search(path) and re.fullmatch(r'[\w.*@+/-]+', path) and (
                    re.match(r'(?:%s)/' % re.escape(roots).replace(r'\|', '|'), path) or
                    '/' in path and re.search(ENDINGS + '$', path)):
                yield path


def expanded(path):
    """a.{h,cc} as a.h and a.cc."""
    found = re.match(r'(.*)\{([\w.,-]+)\}(.*)$', path)
    return [found[1] + one + found[3] for one in found[2].split(',')] if found else [path]


class Links(unittest.TestCase):
    def test_relative_links_exist(self):
        for page in pages():
            for link, _ in links(page):
                self.assertTrue((page.parent / link).exists(), '%s: %s' % (page.relative_to(ROOT), link))

    def test_headings_that_are_linked_to_exist(self):
        for page in pages():
            for link, anchor in links(page):
                if anchor and (not link or link.endswith('.md')):
                    target = page.parent / link if link else page
                    self.assertIn(anchor, headings(target), '%s: %s#%s' % (page.relative_to(ROOT), link, anchor))

    def test_paths_in_backticks_exist(self):
        names = tracked()
        folders = {name[:cut.start()] for name in names for cut in re.finditer('/', name)}
        known = set(names) | folders
        missing = []
        for page in pages():
            if page.name == 'CHANGELOG.md':  # tells of what has gone, too
                continue
            for path in paths(page.read_text()):
                path = path.rstrip('/')
                if path in known or (page.parent / path).exists():
                    continue
                # Below a folder that the page is about: pipeline/view.cc.
                if not any(name.endswith('/' + path) or fnmatch.fnmatch(name, path) or
                           fnmatch.fnmatch(name, '*/' + path) for name in known):
                    missing.append('%s: `%s`' % (page.relative_to(ROOT), path))
        self.assertEqual(missing, [])

    def test_files_that_the_readme_runs_exist(self):
        readme = (ROOT / 'README.md').read_text()
        for block in re.findall(r'```sh\n(.*?)```', readme, re.S):
            for name in re.findall(r'(?:\./|--config )((?:scripts|config)/[\w./-]+)', block):
                self.assertTrue((ROOT / name).exists(), name)

    def test_sources_name_pages_that_exist(self):
        """docs/….md, docs/decisions/NNNN and their headings in code, configurations and scripts."""
        missing = []
        for name in tracked():
            if name.endswith('.md') or name.startswith(('tests/fixtures/', 'tests/lab/recordings/')):
                continue
            try:
                text = (ROOT / name).read_text()
            except UnicodeDecodeError:
                continue
            for page, anchor in re.findall(r'\b(docs/[\w./-]+\.md)(?:#([\w-]+))?', text):
                if not (ROOT / page).exists():
                    missing.append('%s: %s' % (name, page))
                elif anchor and anchor not in headings(ROOT / page):
                    missing.append('%s: %s#%s' % (name, page, anchor))
            for number in re.findall(r'\bdocs/decisions/(\d{4})\b', text):
                if not list((ROOT / 'docs/decisions').glob(number + '-*.md')):
                    missing.append('%s: docs/decisions/%s' % (name, number))
        self.assertEqual(missing, [])


if __name__ == '__main__':
    unittest.main()
