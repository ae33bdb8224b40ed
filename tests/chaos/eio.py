"""A file system on which everything fails with EIO: eio.py FOLDER (Debian's python3-fusepy)."""
import errno
import stat
import sys

import fusepy


class Broken(fusepy.Operations):
    def getattr(self, path, handle=None):
        if path == '/':
            return {'st_mode': stat.S_IFDIR | 0o755, 'st_nlink': 2}
        raise fusepy.FuseOSError(errno.EIO)

    def _fail(self, *_):
        raise fusepy.FuseOSError(errno.EIO)

    create = open = read = write = unlink = rename = mkdir = readdir = truncate = fsync = flush = _fail


if __name__ == '__main__':
    fusepy.FUSE(Broken(), sys.argv[1], foreground=True, allow_other=True, nonempty=True)
