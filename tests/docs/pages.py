"""The documents as the tests see them: files, headings as GitHub makes anchors of them, links."""
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def tracked():
    """Paths of all files below the root that are not built, relative to it."""
    listed = subprocess.run(['git', 'ls-files', '--cached', '--others', '--exclude-standard'], cwd=ROOT,
                            capture_output=True, text=True, check=False)
    names = listed.stdout.splitlines() or [str(path.relative_to(ROOT)) for path in ROOT.rglob('*')
                                           if path.is_file() and 'build' not in path.parts]
    return [name for name in names if (ROOT / name).exists()]


def pages():
    return [ROOT / name for name in tracked() if name.endswith('.md')]


def without_code(text):
    """The text without blocks of code, whose lines are no headings and hold no links."""
    return re.sub(r'^```.*?^```', '', text, flags=re.MULTILINE | re.DOTALL)


def headings(page):
    """What GitHub makes of the headings of a page: lower case, without punctuation, hyphens for spaces."""
    return [re.sub(r'[^\w\- ]', '', line.lower()).strip().replace(' ', '-')
            for line in re.findall(r'^#+ (.*)$', without_code(page.read_text()), re.MULTILINE)]


def links(page):
    """(file or '', anchor or '') of the relative links of a page."""
    found = re.findall(r'\]\(([^)#\s]*)(?:#([^)\s]+))?\)', without_code(page.read_text()))
    return [(file, anchor) for file, anchor in found if not re.match(r'[a-z]+:', file)]
