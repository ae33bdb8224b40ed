"""docs/dependencies.md names every library and package the build uses, in its version."""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / 'docs/dependencies.md').read_text()


def rows():
    """Of both tables: (the packages, the version)."""
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        if line.startswith('| ') and '`' in line:
            place = 2 if len(cells) == 7 else 1
            yield re.findall('`([^`]+)`', cells[place]), cells[place + 1]


def packages(*wanted):
    section, found = '', set()
    for line in (ROOT / 'scripts/packages.txt').read_text().splitlines():
        if line.startswith('['):
            section = line.strip('[]')
        elif line and not line.startswith('#') and section in wanted:
            found.add(line)
    return found


class Dependencies(unittest.TestCase):
    def test_every_library_that_cmake_looks_for(self):
        text = (ROOT / 'cmake/Dependencies.cmake').read_text()
        looked_for = set(re.findall(r'^\s*(?:find_package|pkg_check_modules)\((\S+)', text, re.M))
        looked_for -= {'PkgConfig'}  # a tool: pkg-config
        named = set(re.findall('`([^` ]+)`', PAGE))
        self.assertEqual(looked_for - named, set())

    def test_every_package_that_building_and_running_need_and_no_other(self):
        self.assertEqual({name for names, _ in rows() for name in names}, packages('build', 'run'))

    def test_versions_are_those_installed(self):
        for names, version in rows():
            for name in names:
                got = subprocess.run(['dpkg-query', '-W', '-f', '${Version}', name],
                                     capture_output=True, text=True).stdout
                # Without Debian's epoch. A security update may raise the last number.
                installed = re.match(r'(?:\d+:)?([\d.]+)', got)
                if installed:
                    self.assertEqual((installed.group(1) + '.').find(
                        '.'.join(version.split('.')[:2]) + '.'), 0, '%s is %s' % (name, got))

    def test_every_library_has_a_licence(self):
        self.assertEqual(len(list(rows())), len(re.findall(
            r'\| (?:BSL|BSD|MPL|MIT|Apache|LGPL|GPL|Zlib|ISC|blessing)[-\w. ]* \|', PAGE)))


if __name__ == '__main__':
    unittest.main()
