#!/usr/bin/env python3
"""Forwards Ethernet frames between two interfaces, each after a time: delay without loss, for kernels without netem.

    delay.py MILLISECONDS ONE OTHER [SHAPE]

Runs in the network namespace of both until it is stopped, and prints "forwarding" when it has begun. The time is a round
trip's: frames wait half of it in each direction. Senders must not leave checksums to the interface (ethtool -K tx off).
Shapes:

    steady    all frames wait as long
    sent      those from ONE wait for all of it, the others not at all
    jitter    each waits up to twice as long, in order
    reorder   acknowledgments without data wait up to twice as long and overtake each other, which asks for none of what
              TCP takes for loss; the rest does not wait
"""
import collections
import heapq
import itertools
import random
import select
import socket
import sys
import time

EVERYTHING = 0x0003     # ETH_P_ALL
OUTGOING = 4            # PACKET_OUTGOING: what we have sent ourselves
SOL_PACKET, ADD_MEMBERSHIP, PROMISCUOUS = 263, 1, 1
QUEUE = 4 << 20         # bytes a socket holds for us while we sleep
SHAPES = ('steady', 'sent', 'jitter', 'reorder')


class InOrder:
    """Frames that wait; each leaves after those before it."""

    def __init__(self):
        self._frames = collections.deque()

    def add(self, due, frame):
        self._frames.append((due, frame))

    def head(self):
        """(when it may leave, the frame), or None."""
        return self._frames[0] if self._frames else None

    def take(self):
        self._frames.popleft()


class ByTime:
    """Frames that wait; each leaves when it is due."""

    def __init__(self):
        self._frames, self._numbers = [], itertools.count()

    def add(self, due, frame):
        heapq.heappush(self._frames, (due, next(self._numbers), frame))

    def head(self):
        return self._frames[0][::2] if self._frames else None

    def take(self):
        heapq.heappop(self._frames)


def is_acknowledgment(frame):
    """Whether it is TCP over IPv4 without data."""
    if len(frame) < 54 or frame[12:14] != b'\x08\x00' or frame[23] != socket.IPPROTO_TCP:
        return False
    header = 4 * (frame[14] & 15)
    offset = 14 + header + 12
    return len(frame) > offset and int.from_bytes(frame[16:18], 'big') == header + 4 * (frame[offset] >> 4)


def wait_of(shape, seconds, is_sent, frame):
    """How long a frame waits; seconds: of a round trip."""
    if shape == 'sent':
        return seconds if is_sent else 0.0
    if shape == 'jitter':
        return random.uniform(0, seconds)
    if shape == 'reorder':
        return random.uniform(0, seconds) if is_acknowledgment(frame) else 0.0
    return seconds / 2


def listen(interface):
    """A raw socket that sees every frame that comes in there, whoever it is for."""
    link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(EVERYTHING))
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, QUEUE)
    link.bind((interface, EVERYTHING))
    index = socket.if_nametoindex(interface)
    link.setsockopt(SOL_PACKET, ADD_MEMBERSHIP,
                    index.to_bytes(4, sys.byteorder) + PROMISCUOUS.to_bytes(2, sys.byteorder) + bytes(10))
    link.setblocking(False)
    return link


def take(link, waiting, now, wait):
    """Adds what has come in; wait(frame): how long it waits."""
    for _ in range(256):
        try:
            frame, sender = link.recvfrom(65536)
        except BlockingIOError:
            return
        if sender[2] != OUTGOING:
            waiting.add(now + wait(frame), frame)


def send(link, waiting, now):
    """Sends what is due. A frame that the interface has no room for is tried again."""
    while (head := waiting.head()) and head[0] <= now:
        try:
            link.send(head[1])
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            if error.errno != 105:      # ENOBUFS: as if there was no room
                raise
            return
        waiting.take()


def forward(one, other, seconds, shape):
    """For ever; seconds: of a round trip."""
    queue = ByTime if shape == 'reorder' else InOrder
    ways = [(one, other, queue(), lambda frame: wait_of(shape, seconds, True, frame)),
            (other, one, queue(), lambda frame: wait_of(shape, seconds, False, frame))]
    while True:
        now = time.monotonic()
        for source, sink, waiting, wait in ways:
            take(source, waiting, now, wait)
            send(sink, waiting, now)
        heads = [waiting.head()[0] for _, _, waiting, _ in ways if waiting.head()]
        pause = max(0.0001, min(heads) - time.monotonic()) if heads else 1
        select.select([one, other], [], [], pause)


def main():
    shape = sys.argv[4] if len(sys.argv) == 5 else 'steady'
    if len(sys.argv) not in (4, 5) or shape not in SHAPES:
        sys.exit(__doc__)
    one, other = listen(sys.argv[2]), listen(sys.argv[3])
    print('forwarding', flush=True)
    forward(one, other, float(sys.argv[1]) / 1000, shape)


if __name__ == '__main__':
    main()
