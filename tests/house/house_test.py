"""What docs/architecture.md and CONTRIBUTING.md promise about the sources, read from the sources themselves.

Each row of CHECKS is one promise and a function that lists where it is broken, as "file:line: what". Run with
names of checks to see those alone.
"""

import os
import re
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The table of metrics and the mapping of series to entities may ask for names and kinds; nobody else may.
CATALOG = ("diagnoser/metrics/", "diagnoser/mapping/")
MAX_FUNCTION_LINES = 60
# Of the comment blocks of headers so many may open with a word of OPENINGS.
MAX_OPENING_SHARE = 0.03
# Up to so many lines the tests of a neighbour may do for a source.
MAX_LINES_WITHOUT_TEST = 100


def sources(*folders, endings=(".h", ".cc")):
    """Paths below the root, sorted."""
    found = []
    for folder in folders:
        for base, _, names in os.walk(os.path.join(ROOT, folder)):
            found += [os.path.relpath(os.path.join(base, name), ROOT) for name in names if name.endswith(endings)]
    return sorted(found)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def lines_matching(paths, pattern, without_comments=True):
    expression = re.compile(pattern)
    broken = []
    for path in paths:
        for number, line in enumerate(read(path).splitlines(), 1):
            code = line.split("//")[0] if without_comments else line
            if expression.search(code):
                broken.append(f"{path}:{number}: {line.strip()}")
    return broken


def outside_the_catalog():
    return [path for path in sources("diagnoser") if not path.startswith(CATALOG)]


def metric_names():
    """Names and labels of the rows of diagnoser/metrics/catalog.h."""
    return sorted(set(re.findall(r'\.(?:name|label) = "([^"]+)"', read("diagnoser/metrics/catalog.h"))))


def compared_names():
    # Words that are names of other things, too: "system" of a CPU mode, "network" of a kind.
    names = "|".join(re.escape(name) for name in metric_names())
    kinds = "storage|network|cwnd"
    quoted = rf'"(?:{names}|{kinds})"'
    return lines_matching(outside_the_catalog(), rf'[=!]= *{quoted}|{quoted} *[=!]=|starts_with\("cwnd')


def kinds_asked_for():
    kind = r"(?:EntityKind|GroupKind)::k"
    return lines_matching(outside_the_catalog(), rf"case {kind}|[=!]= *{kind}|{kind}\w+ *[=!]=")


def shapes_asked():
    return lines_matching(outside_the_catalog(), r"ReadingsShape::k")


def kinds_listed():
    """Five kinds by hand: a sixth would be forgotten there."""
    return lines_matching(outside_the_catalog(), r"\{ *(?:EntityKind|GroupKind)::k\w+, *(?:EntityKind|GroupKind)::k")


def distance_asked():
    asked = r"case DistanceKind::|[=!]= *DistanceKind::|DistanceKind::\w+ *[=!]="
    places = lines_matching(sources("diagnoser"), asked)
    files = {place.split(":")[0] for place in places}
    return [] if len(files) <= 1 else places


def causes_asked():
    """Outside verdict/, where causes are decided on, what depends on a cause is a field of its row."""
    paths = [path for path in sources("diagnoser") if not path.startswith("diagnoser/verdict/")]
    cause = r"Cause::k(?!None\b)\w+"
    return lines_matching(paths, rf"case {cause}|[=!]= *{cause}|{cause} *[=!]=")


def numbers_made_times():
    """A number of a text becomes a time in exporter/common/instants.h, where its bounds are."""
    paths = [path for path in sources("exporter", "diagnoser") if path != "exporter/common/instants.h"]
    return lines_matching(paths, r"UnixFrom\w+\(.*(?:round|static_cast<std::int64_t>\(\*?seconds)|[^.0-9]9e9|9'000'000'000")


def loose_files():
    return [path for path in sources("diagnoser") if os.path.dirname(path) == "diagnoser" and
            path != "diagnoser/main.cc"]


def layers_missing():
    rows = set(re.findall(r'^  "([\w/]+):', read("cmake/Layers.cmake"), re.M))
    folders = {os.path.dirname(path) for path in sources("diagnoser")}
    top = {"/".join(folder.split("/")[:2]) for folder in folders}
    return sorted(f"cmake/Layers.cmake: no row for {folder}" for folder in top if folder not in rows)


def functions(path):
    """(first line, number of lines) of every function body.

    In our formatting a body begins at a line that ends with "{" and closes at the brace of the same indentation. Bodies
    of namespaces and types are looked into; lambdas belong to the function around them.
    """
    lines = read(path).splitlines()
    skipped = re.compile(r"^\s*(?:namespace|extern \"C\"|(?:template <.*> )?(?:class|struct|union|enum)\b)")
    found = []
    number = 0
    while number < len(lines):
        line = lines[number]
        begins = line.rstrip().endswith("{") and not line.lstrip().startswith(("//", "#", "*"))
        head_at = number
        # The signature may take several lines: go back to where it began.
        indent = len(line) - len(line.lstrip())
        while begins and head_at > 0 and head_at > number - 12:
            head = lines[head_at]
            before = lines[head_at - 1].rstrip()
            if before.lstrip().startswith("//") and head_at > 1 and lines[head_at - 2].rstrip().endswith(","):
                head_at -= 1  # a comment among the initialisers of a constructor
                continue
            if len(head) - len(head.lstrip()) <= indent and (
                    not before or before.endswith((";", "{", "}", ":")) or before.lstrip().startswith(("//", "#"))):
                break
            head_at -= 1
        head = lines[head_at] if begins else ""
        is_function = begins and "(" in " ".join(lines[head_at:number + 1]) and not skipped.match(head)
        if not is_function or re.match(r"^\s*(?:\}|inline constexpr|constexpr std|static constexpr|const auto \w+ = \{)", head):
            number += 1
            continue
        indent = len(head) - len(head.lstrip())
        end = number + 1
        while end < len(lines) and not re.match(rf"^ {{{indent}}}\}}", lines[end]):
            end += 1
        found.append((head_at + 1, end - head_at + 1))
        number = end + 1
    return found


def long_functions():
    return [f"{path}:{line}: a function of {length} lines, at most {MAX_FUNCTION_LINES}"
            for path in sources("exporter", "diagnoser") for line, length in functions(path)
            if length > MAX_FUNCTION_LINES]


# A block that opens with one of these says what it is about before it says of what it speaks.
OPENINGS = frozenset("""about after among anybody as at before behind beneath beside between by everybody for from how in into like nobody of
on over since somebody than that through to under unlike until upon what whatever when where whether which whichever who whoever whose
with within without""".split())


def comment_blocks(path):
    """(first line, its text) of every block of // lines."""
    found, inside = [], False
    for number, line in enumerate(read(path).splitlines(), 1):
        comment = re.match(r"\s*// ?(.*)$", line)
        if comment and not inside:
            found.append((number, comment[1]))
        inside = comment is not None
    return found


def comment_openings():
    """Comments of headers begin with a subject or a verb: "Returns …", "The instant …", "file.h: …"."""
    blocks = [(path, *block) for path in sources("exporter", "diagnoser", endings=(".h",)) for block in comment_blocks(path)]
    odd = [f"{path}:{number}: {text}" for path, number, text in blocks
           if (re.match(r"[A-Za-z]+", text) or [""])[0].lower() in OPENINGS]
    share = len(odd) / len(blocks)
    return [] if share < MAX_OPENING_SHARE else [
        f"{len(odd)} of {len(blocks)} comment blocks open so: {share:.1%}, less than {MAX_OPENING_SHARE:.0%} wanted", *odd]


def references_by_number():
    paths = [path for path in sources("exporter", "diagnoser", "tests", "docs", "config", "scripts", "cmake",
                                      endings=(".h", ".cc", ".c", ".py", ".md", ".yml", ".cmake", ".sh"))
             if not path.startswith(("tests/house/", "docs/references.md"))]
    return lines_matching(paths, r"\b00[0-4] §|\balgorithms? §", without_comments=False)


def untested_sources():
    untested = []
    for path in sources("exporter", "diagnoser", endings=(".cc",)):
        lines = len(read(path).splitlines())
        test = f"tests/{path[:-len('.cc')]}_test.cc"
        if lines > MAX_LINES_WITHOUT_TEST and not os.path.exists(os.path.join(ROOT, test)):
            untested.append(f"{path}: {lines} lines and no {test}")
    return untested


def shared_namespaces():
    """Many tests compile as one source, so each has the namespace of its file's name; in it one without a name."""
    broken = []
    for path in sources("tests", endings=("_test.cc",)):
        own = os.path.basename(path).removesuffix(".cc")
        if not re.search(rf"^namespace limpet(::\w+)?::{own} {{\nnamespace {{$", read(path), re.MULTILINE):
            broken.append(f"{path}: opens no 'namespace limpet::{own} {{' and 'namespace {{'")
    return broken


def circles_of_files():
    """A file of two that include each other can be neither read nor changed without the other; of folders cmake/Layers.cmake says it."""
    paths = sources("exporter", "diagnoser")
    includes = {path: [to for to in re.findall(r'^#include "([^"]+)"', read(path), re.M) if to != path] for path in paths}
    while True:
        included = {to for those in includes.values() for to in those}
        left = {path: [to for to in those if to in includes] for path, those in includes.items() if path in included}
        left = {path: those for path, those in left.items() if those}
        if len(left) == len(includes):
            return [f"{path}: includes {' '.join(those)}" for path, those in left.items()]
        includes = left


CHECKS = (
    ("no metric's name is compared outside the catalogue", compared_names),
    ("no kind of entity or group is asked for outside the catalogue", kinds_asked_for),
    ("what keeps a kind's readings is asked for in the catalogue alone", shapes_asked),
    ("no kinds are listed by hand outside the catalogue", kinds_listed),
    ("the kind of distance is asked for in one file", distance_asked),
    ("which cause it is, is asked in verdict/ alone", causes_asked),
    ("numbers become times within the bounds of instants.h", numbers_made_times),
    ("diagnoser/ has one loose source file, main.cc", loose_files),
    ("every folder of the diagnoser has a row in cmake/Layers.cmake", layers_missing),
    ("no files include each other in a circle", circles_of_files),
    ("no function is longer than 60 lines", long_functions),
    ("comments of headers open with a subject or a verb", comment_openings),
    ("papers are referred to by name, not by number", references_by_number),
    ("every .cc file of over 100 lines has a test of its own name", untested_sources),
    ("tests have a namespace each", shared_namespaces),
)


class HouseTest(unittest.TestCase):
    longMessage = False  # the places alone

    def test_counter_of_lines(self):
        """The counter itself, on a file whose functions are known."""
        with open(os.path.join(ROOT, "tests/house/functions.txt"), encoding="utf-8") as file:
            wanted = [tuple(map(int, line.split()[1:])) for line in file if line.startswith("//! ")]
        self.assertEqual(functions("tests/house/functions.txt"), wanted)

    def test_house(self):
        for promise, check in CHECKS:
            with self.subTest(promise):
                broken = check()
                self.assertFalse(broken, f"{len(broken)} places break it:\n  " + "\n  ".join(broken))


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
