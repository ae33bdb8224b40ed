"""The programs are hardened: what cmake/Flags.cmake asks for is looked for in what was built.

$LIMPET_BIN_DIR holds the programs, $LIMPET_BUILD_TYPE says how they were built. The linker's part
holds for every build, the compiler's for Release alone. Debian 12's own start files (crt1.o) lack
the note of Intel's CET, so the linker leaves it out of any program; the landing pads are counted
instead.
"""
import os
import pathlib
import platform
import re
import subprocess
import unittest

BIN_DIR = pathlib.Path(os.environ.get('LIMPET_BIN_DIR', 'build/dev/bin')).resolve()
PROGRAMS = 'limpet-exporter', 'limpet-diagnoser'
IS_RELEASE = os.environ.get('LIMPET_BUILD_TYPE') == 'Release'
ENDBR64 = b'\xf3\x0f\x1e\xfa'


def readelf(program, *options):
    return subprocess.run(['readelf', '--wide', *options, BIN_DIR / program], check=True,
                          capture_output=True, text=True).stdout


class Hardening(unittest.TestCase):
    def test_position_independent(self):
        for program in PROGRAMS:
            self.assertRegex(readelf(program, '--file-header'), r'Type:\s+DYN')
            self.assertRegex(readelf(program, '--dynamic'), r'FLAGS_1.*\bPIE\b')

    def test_relocations_are_read_only_from_the_start(self):
        for program in PROGRAMS:
            self.assertIn('GNU_RELRO', readelf(program, '--program-headers'))
            self.assertRegex(readelf(program, '--dynamic'), r'FLAGS.*\bBIND_NOW\b')

    def test_no_memory_is_writable_and_executable(self):
        for program in PROGRAMS:
            headers = readelf(program, '--program-headers')
            self.assertRegex(headers, r'GNU_STACK.* RW +0x')
            self.assertNotRegex(headers, r'LOAD.* RWE ')

    def test_no_search_path_for_libraries(self):
        for program in PROGRAMS:
            self.assertNotRegex(readelf(program, '--dynamic'), r'\((RPATH|RUNPATH)\)')

    @unittest.skipUnless(IS_RELEASE, 'the compiler hardens release builds alone')
    def test_stacks_are_guarded_and_copies_checked(self):
        for program in PROGRAMS:
            symbols = readelf(program, '--dyn-syms')
            self.assertIn('__stack_chk_fail', symbols)
            self.assertRegex(symbols, r'__(memcpy|read|recv|snprintf|fprintf|vsnprintf)_chk')

    @unittest.skipUnless(IS_RELEASE and platform.machine() == 'x86_64', 'of x86-64 release builds')
    def test_every_function_begins_with_a_landing_pad(self):
        for program in PROGRAMS:
            text = re.search(r' \.text +PROGBITS +\S+ (\S+) (\S+)',
                             readelf(program, '--section-headers'))
            start, size = (int(one, 16) for one in text.groups())
            code = (BIN_DIR / program).read_bytes()[start:start + size]
            # The main program has thousands of functions; without the option there are four.
            self.assertGreater(code.count(ENDBR64), 1000)


if __name__ == '__main__':
    unittest.main()
