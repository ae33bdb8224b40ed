"""Two ends of a network hog.

    flood.py sink PORT                  takes whatever comes, until it is stopped
    flood.py flood PORT ADDRESS [MBIT]  sends zeros; MBIT a second, 0: as fast as the link takes them
"""
import socket
import sys
import time


def sink(port):
    buffer = bytearray(1 << 16)
    with socket.create_server(('', port)) as listener:
        print('listening', flush=True)
        while True:
            connection, _ = listener.accept()
            with connection:
                while connection.recv_into(buffer):
                    pass


def flood(port, address, mbit):
    zeros = bytes(1 << 16)
    with socket.create_connection((address, port)) as connection:
        begin, sent = time.monotonic(), 0
        while True:
            connection.sendall(zeros)
            sent += len(zeros)
            if mbit:
                ahead = sent * 8 / (mbit * 1e6) - (time.monotonic() - begin)
                if ahead > 0:
                    time.sleep(ahead)


if __name__ == '__main__':
    if sys.argv[1] == 'sink':
        sink(int(sys.argv[2]))
    else:
        flood(int(sys.argv[2]), sys.argv[3], float(sys.argv[4]) if len(sys.argv) > 4 else 0)
