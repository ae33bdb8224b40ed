"""Two ends of a network hog.

    flood.py sink PORT             takes whatever comes, until it is stopped
    flood.py flood PORT ADDRESS    sends zeros as fast as the link takes them
"""
import socket
import sys


def sink(port):
    buffer = bytearray(1 << 16)
    with socket.create_server(('', port)) as listener:
        print('listening', flush=True)
        while True:
            connection, _ = listener.accept()
            with connection:
                while connection.recv_into(buffer):
                    pass


def flood(port, address):
    zeros = bytes(1 << 16)
    with socket.create_connection((address, port)) as connection:
        while True:
            connection.sendall(zeros)


if __name__ == '__main__':
    if sys.argv[1] == 'sink':
        sink(int(sys.argv[2]))
    else:
        flood(int(sys.argv[2]), sys.argv[3])
