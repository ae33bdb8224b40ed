"""Reading a metrics page (Prometheus text format), as far as the lab needs it."""
import http.client
import re
import typing

_LINE = re.compile(r'([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+(\S+))?$')
_LABEL = re.compile(r'([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"')
_ESCAPES = {'\\\\': '\\', '\\"': '"', '\\n': '\n'}


class Sample(typing.NamedTuple):
    name: str
    labels: dict
    value: float
    at: typing.Optional[float] = None   # its timestamp; recordings have it in seconds


def parse(text):
    """Samples of a page, in order; lines that are no samples are left out."""
    samples = []
    for line in text.splitlines():
        match = None if line.startswith('#') else _LINE.match(line.strip())
        if match:
            name, labels, value, at = match.groups()
            try:
                samples.append(Sample(name, _labels(labels or ''), float(value),
                                      None if at is None else float(at)))
            except ValueError:
                continue
    return samples


def _labels(text):
    return {key: re.sub(r'\\.', lambda m: _ESCAPES.get(m.group(), m.group()), value)
            for key, value in _LABEL.findall(text)}


def fetch(address, port, path='/metrics', seconds=2.0):
    """The body of a page as text; None when nobody answers with it within so many seconds."""
    connection = http.client.HTTPConnection(address, port, timeout=seconds)
    try:
        connection.request('GET', path)
        answer = connection.getresponse()
        body = answer.read().decode('utf-8', 'replace')
        return body if answer.status == 200 else None
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def answers(address, port, seconds=2.0):
    """Whether anything there speaks HTTP, whatever it says."""
    connection = http.client.HTTPConnection(address, port, timeout=seconds)
    try:
        connection.request('GET', '/')
        connection.getresponse()
        return True
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
