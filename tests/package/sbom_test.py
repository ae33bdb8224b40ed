"""The lists of what the programs consist of (SPDX 2.3): well-formed, and nothing that is in a program is left out.

LIMPET_BUILD_DIR names the build folder; needs its programs, ninja, objdump and dpkg.
"""
import json
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get('LIMPET_BUILD_DIR', ROOT / 'build/dev')).resolve()
PROGRAMS = 'limpet-exporter', 'limpet-diagnoser'
# SPDX 2.3, clauses 6 and 7: what must be there.
DOCUMENT = {'spdxVersion', 'dataLicense', 'SPDXID', 'name', 'documentNamespace', 'creationInfo', 'packages', 'relationships'}
PACKAGE = {'SPDXID', 'name', 'downloadLocation'}
# Of the licence list of SPDX, what our libraries use; an expression joins them by OR and WITH.
LICENCES = {'0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BSL-1.0', 'GPL-2.0-or-later', 'GPL-3.0-or-later',
            'GCC-exception-3.1', 'LGPL-2.1-only', 'LGPL-2.1-or-later', 'LGPL-3.0-or-later', 'MIT', 'MPL-2.0', 'Zlib',
            'blessing'}   # SQLite's
# The compiler, the kernel's headers, and those of libraries that stand in the list as shared ones.
NOT_PARTS = re.compile(r'^(libstdc\+\+-|libgcc-|gcc-|g\+\+-|libc6-dev|linux-libc-dev|libclang|clang|libcrypt-dev)')


def said(*command, **options):
    return subprocess.run([str(one) for one in command], check=True, capture_output=True, text=True, **options).stdout


def sources_of(packages):
    """The source package of each of these, by name."""
    rows = said('dpkg-query', '-W', '-f', '${Package} ${source:Package}\n', *sorted(packages)).splitlines()
    return dict(row.split() for row in rows)


def owners_of(patterns):
    """Names of the packages that own files of these names. dpkg reads all its lists at every call, so one for all."""
    rows = said('dpkg-query', '-S', *sorted(patterns)).splitlines()
    return {row.split(': ')[1]: row.split(':')[0] for row in rows}


def sbom(program):
    return json.loads((BUILD / 'sbom' / (program + '.spdx.json')).read_text())


def included_headers():
    """Of each program, headers outside the tree that its sources include, by ninja's record."""
    text, found = said('ninja', '-C', BUILD, '-t', 'deps'), {}
    for block in text.split('\n\n'):
        lines = block.splitlines()
        if lines and lines[0].startswith(('exporter/', 'diagnoser/')):
            program = 'limpet-' + lines[0].split('/')[0]
            paths = (os.path.normpath(line.strip()) for line in lines[1:] if line.startswith('    /usr/'))
            found.setdefault(program, set()).update(paths)
    return found


class Sbom(unittest.TestCase):
    def test_well_formed(self):
        for program in PROGRAMS:
            document = sbom(program)
            self.assertLessEqual(DOCUMENT, set(document))
            self.assertEqual((document['spdxVersion'], document['dataLicense'], document['SPDXID']),
                             ('SPDX-2.3', 'CC0-1.0', 'SPDXRef-DOCUMENT'))
            self.assertRegex(document['documentNamespace'], r'^https://[^#\s]+$')
            self.assertRegex(document['creationInfo']['created'], r'^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$')
            for creator in document['creationInfo']['creators']:
                self.assertRegex(creator, r'^(Tool|Organization|Person): \S')
            ids = [package['SPDXID'] for package in document['packages']]
            self.assertEqual(len(ids), len(set(ids)))
            for package in document['packages']:
                self.assertLessEqual(PACKAGE, set(package))
                self.assertRegex(package['SPDXID'], r'^SPDXRef-[A-Za-z0-9.-]+$')
                for reference in package.get('externalRefs', []):
                    self.assertRegex(reference['referenceLocator'], r'^pkg:(deb/debian|npm)/[\w.+-]+@[^:+\s]+$')
            for relation in document['relationships']:
                self.assertIn(relation['relatedSpdxElement'], ids)
                self.assertIn(relation['spdxElementId'], [*ids, 'SPDXRef-DOCUMENT'])
                self.assertIn(relation['relationshipType'], {'DESCRIBES', 'DYNAMIC_LINK', 'STATIC_LINK', 'CONTAINS'})
            self.assertEqual(document['documentDescribes'], ['SPDXRef-' + program])

    def test_versions_and_licences_are_known(self):
        for program in PROGRAMS:
            for package in sbom(program)['packages']:
                self.assertNotEqual(package['versionInfo'], 'NOASSERTION', package)
                words = set(re.split(r' (?:OR|AND|WITH) ', package['licenseDeclared']))
                self.assertLessEqual(words, LICENCES, package)

    def test_every_shared_library_is_listed(self):
        wanted = {program: re.findall(r'NEEDED +(\S+)', said('objdump', '-p', BUILD / 'bin' / program)) for program in PROGRAMS}
        owners = owners_of('*/' + soname for sonames in wanted.values() for soname in sonames)
        for program, sonames in wanted.items():
            names = {package['name'] for package in sbom(program)['packages']}
            for soname in sonames:
                found = {owner for path, owner in owners.items() if path.endswith('/' + soname)}
                self.assertTrue(found & names, '%s of %s' % (soname, program))

    def test_every_header_that_is_compiled_in_is_of_a_listed_project(self):
        headers = included_headers()
        # One header a folder says whose all of them are.
        folders = {program: {os.path.dirname(path): path for path in paths} for program, paths in headers.items()}
        owners = owners_of({path for found in folders.values() for path in found.values()})
        sources = sources_of(set(owners.values()))
        for program, found in folders.items():
            listed = [package['name'] for package in sbom(program)['packages'] if 'pkg:deb' in str(package.get('externalRefs'))]
            parts = set(sources_of(listed).values())
            for owner in {owners[path] for path in found.values()}:
                if not NOT_PARTS.match(owner):
                    self.assertIn(sources[owner], parts, '%s is compiled into %s' % (owner, program))


if __name__ == '__main__':
    unittest.main()
