#!/usr/bin/env python3
"""Forwards Ethernet frames between two interfaces, each after a fixed time: delay without loss, for kernels without netem.

    delay.py MILLISECONDS ONE OTHER

Runs in the network namespace of both until it is stopped, and prints "forwarding" when it has begun. The time is a round
trip's: frames wait half of it in each direction. Senders must not leave checksums to the interface (ethtool -K tx off).
"""
import collections
import select
import socket
import sys
import time

EVERYTHING = 0x0003     # ETH_P_ALL
OUTGOING = 4            # PACKET_OUTGOING: what we have sent ourselves
SOL_PACKET, ADD_MEMBERSHIP, PROMISCUOUS = 263, 1, 1
QUEUE = 4 << 20         # bytes a socket holds for us while we sleep


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


def take(link, waiting, due):
    """Adds what has come in, to be sent at `due`."""
    for _ in range(256):
        try:
            frame, sender = link.recvfrom(65536)
        except BlockingIOError:
            return
        if sender[2] != OUTGOING:
            waiting.append((due, frame))


def send(link, waiting, now):
    """Sends what is due. A frame that the interface has no room for is tried again."""
    while waiting and waiting[0][0] <= now:
        try:
            link.send(waiting[0][1])
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            if error.errno != 105:      # ENOBUFS: as if there was no room
                raise
            return
        waiting.popleft()


def forward(one, other, each_way):
    """For ever; `each_way` in seconds."""
    ways = [(one, other, collections.deque()), (other, one, collections.deque())]
    while True:
        now = time.monotonic()
        for source, sink, waiting in ways:
            take(source, waiting, now + each_way)
            send(sink, waiting, now)
        heads = [waiting[0][0] for _, _, waiting in ways if waiting]
        pause = max(0.0001, min(heads) - time.monotonic()) if heads else 1
        select.select([one, other], [], [], pause)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    one, other = listen(sys.argv[2]), listen(sys.argv[3])
    print('forwarding', flush=True)
    forward(one, other, float(sys.argv[1]) / 2000)


if __name__ == '__main__':
    main()
