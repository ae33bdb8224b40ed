"""Answers against docs/openapi.yaml. Needs python3-yaml and python3-jsonschema."""
import pathlib

import jsonschema
import yaml

SPEC = pathlib.Path(__file__).parents[2] / 'docs' / 'openapi.yaml'


def _as_json_schema(node):
    """OpenAPI 3.0 says `nullable`, JSON Schema another type; references live elsewhere."""
    if isinstance(node, list):
        return [_as_json_schema(one) for one in node]
    if not isinstance(node, dict):
        return node
    if '$ref' in node:
        return {'$ref': node['$ref'].replace('#/components/schemas/', '#/definitions/')}
    schema = {key: _as_json_schema(value) for key, value in node.items()}
    if schema.pop('nullable', False):
        if 'type' in schema:
            schema['type'] = [schema['type'], 'null']
        else:
            schema = {'anyOf': [{'type': 'null'}] + schema['allOf']}
    return schema


class Spec:
    def __init__(self):
        with open(SPEC) as file:
            self.document = yaml.safe_load(file)
        self._definitions = _as_json_schema(self.document['components']['schemas'])

    @property
    def paths(self):
        return set(self.document['paths'])

    def check(self, name, answer):
        """jsonschema.ValidationError when the answer is not a `name`."""
        jsonschema.Draft4Validator({'$ref': '#/definitions/' + name,
                                    'definitions': self._definitions}).validate(answer)
