"""docs/openapi.yaml has every path of the API that the router has, and no other. Needs python3-yaml."""
import pathlib
import re
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATH = re.compile(r'"(/api/v1/[a-z_./]*)"')


def routed():
    """Paths that sources of the diagnoser's web pages name, each as the router compares it."""
    found = set()
    for folder in 'runtime', 'federation':
        for path in (ROOT / 'diagnoser' / folder).glob('*pages.cc'):
            # The text of the landing page names some again; all come from these files alone.
            found |= set(PATH.findall(path.read_text()))
    return found


def described():
    document = yaml.safe_load((ROOT / 'docs/openapi.yaml').read_text())
    return document['paths'], document['components']['schemas']


class OpenApi(unittest.TestCase):
    def test_every_path_is_described_and_every_description_has_a_path(self):
        # A path with a parameter is a prefix to the router; what stands behind the parameter is the handler's matter.
        told = {re.sub(r'\{.*', '', path) for path in described()[0]}
        self.assertEqual(routed(), told)

    def test_every_operation_says_what_it_answers(self):
        for path, operations in described()[0].items():
            for method, operation in operations.items():
                self.assertIn(method, ('get', 'post'), path)
                self.assertIn('summary', operation, path)
                self.assertIn('200', operation['responses'], path)
                self.assertEqual(re.findall(r'\{(\w+)\}', path),
                                 [one['name'] for one in operation.get('parameters', []) if one['in'] == 'path'], path)

    def test_references_lead_somewhere(self):
        text = (ROOT / 'docs/openapi.yaml').read_text()
        schemas = described()[1]
        for name in set(re.findall(r'#/components/schemas/(\w+)', text)):
            self.assertIn(name, schemas)

    def test_the_page_says_the_limit_of_connections_that_the_server_has(self):
        limit = re.search(r'max_connections = (\d+);', (ROOT / 'exporter/common/web/limits.h').read_text()).group(1)
        self.assertIn('At most %s;' % format(int(limit), ','), (ROOT / 'docs/api.md').read_text())


if __name__ == '__main__':
    unittest.main()
