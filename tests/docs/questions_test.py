"""What an operator asks is answered under a heading that is two clicks from the README, at most."""
import os
import unittest

from pages import ROOT, headings, links

CLICKS = 2
START = 'README.md'


def questions():
    """(question, page, heading) of questions.txt."""
    lines = (ROOT / 'tests/docs/questions.txt').read_text().splitlines()
    for line in lines:
        if line and not line.startswith('#'):
            question, answer = line.split(' | ')
            yield (question, *answer.split('#'))


def reached(clicks):
    """Pages that so many clicks lead to, with the fewest of them."""
    found, new = {START: 0}, [START]
    for click in range(1, clicks + 1):
        seen = []
        for name in new:
            page = ROOT / name
            for link, _ in links(page):
                target = os.path.relpath((page.parent / link).resolve(), ROOT) if link else name
                if target.endswith('.md') and target not in found:
                    found[target] = click
                    seen.append(target)
        new = seen
    return found


class Questions(unittest.TestCase):
    def test_there_are_twenty_at_least(self):
        asked = [question for question, _, _ in questions()]
        self.assertGreaterEqual(len(asked), 20)
        self.assertEqual(len(asked), len(set(asked)))

    def test_each_has_a_page_and_a_heading(self):
        for question, page, heading in questions():
            self.assertTrue((ROOT / page).exists(), '%s: %s' % (question, page))
            self.assertIn(heading, headings(ROOT / page), '%s: %s#%s' % (question, page, heading))

    def test_two_clicks_lead_to_each(self):
        near = reached(CLICKS)
        far = ['%s: %s' % (question, page) for question, page, _ in questions() if page not in near]
        self.assertEqual(far, [])

    def test_every_document_is_on_the_map(self):
        """No page below docs/ is left that only a search finds: README, map, then the page or its index."""
        near = reached(CLICKS + 1)
        lost = sorted(str(page.relative_to(ROOT)) for page in (ROOT / 'docs').rglob('*.md')
                      if str(page.relative_to(ROOT)) not in near)
        self.assertEqual(lost, [])


if __name__ == '__main__':
    unittest.main()
