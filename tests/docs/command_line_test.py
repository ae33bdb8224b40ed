"""Manual pages and shell completion know the commands and flags that --help prints, and no others."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN_DIR = pathlib.Path(os.environ.get('LIMPET_BIN_DIR', ROOT / 'build/dev/bin')).resolve()
PROGRAMS = ('limpet-exporter', 'limpet-diagnoser')
# "  --format jsonl|text=jsonl   …"; a switch has more than one space behind its name.
FLAG = re.compile(r'^  (--[a-z][a-z.-]*)(?: (\S+))?(?:\s{2,}|\s*$)')


def help_of(program, *command):
    return subprocess.run([BIN_DIR / program, *command, '--help'], capture_output=True, text=True, check=True).stdout


def commands_of(program):
    return re.findall(r'^  ([a-z-]+) ', help_of(program).partition('Subcommands:')[2], re.MULTILINE)


def flags_of(program, command):
    """{flag: (placeholder, default)}; both are empty for a switch."""
    flags = {}
    for line in help_of(program, command).splitlines():
        found = FLAG.match(line)
        if found:
            placeholder, _, default = (found[2] or '').partition('=')
            flags[found[1]] = (placeholder, default)
    return flags


def manual(program):
    """{command: {flag: (placeholder, text)}}; flags listed together share the text."""
    sections = {}
    text = (ROOT / 'docs/man' / (program + '.1')).read_text()
    for section in re.split(r'^\.Ss ', text.partition('.Sh COMMANDS\n')[2].partition('.Sh ')[0], flags=re.MULTILINE)[1:]:
        command, _, body = section.partition('\n')
        flags, waiting = {}, []
        for item in re.split(r'^\.It ', body.partition('.Bl ')[2], flags=re.MULTILINE)[1:]:
            head, _, rest = item.partition('\n')
            flag, placeholder = re.fullmatch(r'Fl (-[a-z.-]+)(?: Ar (\S+))?', head).groups()
            waiting.append(('-' + flag, placeholder or ''))
            if rest.strip():
                flags.update({name: (takes, rest) for name, takes in waiting})
                waiting = []
        sections[command] = flags
    return sections


class Bash:
    """What bash offers for the last of `words`."""

    def __init__(self, folder):
        self.folder = folder

    def complete(self, *words):
        script = ('source %s/config/completion/limpet; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                  '_limpet "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"; '
                  'printf "%%s\\n" "${COMPREPLY[@]}"' % ROOT)
        done = subprocess.run(['bash', '-c', script, 'bash', BIN_DIR / words[0], *words[1:]], cwd=self.folder,
                              capture_output=True, text=True, check=True)
        return set(done.stdout.split())


class CommandLine(unittest.TestCase):
    def test_manual_pages_list_every_flag_of_every_command(self):
        for program in PROGRAMS:
            pages = manual(program)
            self.assertEqual(list(pages), commands_of(program), program)
            synopsis = (ROOT / 'docs/man' / (program + '.1')).read_text().partition('.Sh DESCRIPTION')[0]
            for command, told in pages.items():
                self.assertIn('Cm ' + command, synopsis)
                flags = flags_of(program, command)
                self.assertEqual({flag: takes for flag, (takes, _) in told.items()},
                                 {flag: takes for flag, (takes, _) in flags.items()}, (program, command))

    def test_manual_pages_name_the_defaults(self):
        page = manual('limpet-diagnoser')
        for command, told in page.items():
            for flag, (_, default) in flags_of('limpet-diagnoser', command).items():
                self.assertIn(default, told[flag][1], (command, flag))

    def test_completion_offers_what_help_lists(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, 'file.yml').touch()
            pathlib.Path(folder, 'folder').mkdir()
            bash = Bash(folder)
            for program in PROGRAMS:
                commands = commands_of(program)
                self.assertEqual(bash.complete(program, ''), set(commands))
                self.assertLess(set(flags_of(program, 'serve')), bash.complete(program, '--'))
                for command in commands:
                    flags = flags_of(program, command)
                    self.assertEqual(bash.complete(program, command, '--'), set(flags) | {'--help'})
                    self.assertEqual(bash.complete(program, command, 'f'), {'file.yml', 'folder'})
                    for flag, (takes, _) in flags.items():
                        offered = bash.complete(program, command, flag, '')
                        expected = {'FILE': {'file.yml', 'folder'}, 'DIR': {'folder'}}
                        if takes and takes not in expected:
                            expected[takes] = set(takes.split('|')) if '|' in takes else set()
                        self.assertEqual(offered, expected.get(takes, {'file.yml', 'folder'}), (command, flag))


if __name__ == '__main__':
    unittest.main()
