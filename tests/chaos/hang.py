"""A folder seen through another, where reads of some files never return: hang.py FOLDER MOUNT FILE (Debian's python3-fusepy).

FILE lists their paths, a line each; it is read at each open, so that files begin to hang, and end, while it runs.
"""
import errno
import os
import sys
import time

import fusepy


class Hanging(fusepy.Operations):
    def __init__(self, folder, listed):
        self.folder, self.listed = folder, listed

    def _path(self, path):
        return os.path.join(self.folder, path.lstrip('/'))

    def _hangs(self, path):
        with open(self.listed, encoding='utf-8') as lines:
            return path.lstrip('/') in lines.read().split()

    def getattr(self, path, handle=None):
        try:
            found = os.lstat(self._path(path))
        except OSError as error:
            raise fusepy.FuseOSError(error.errno or errno.EIO) from error
        return {key: getattr(found, key) for key in ('st_mode', 'st_nlink', 'st_size', 'st_uid', 'st_gid', 'st_mtime')}

    def readdir(self, path, handle):
        return ['.', '..', *os.listdir(self._path(path))]

    def readlink(self, path):
        return os.readlink(self._path(path))

    def open(self, path, flags):
        return os.open(self._path(path), os.O_RDONLY)

    def read(self, path, size, offset, handle):
        while self._hangs(path):
            time.sleep(0.05)
        return os.pread(handle, size, offset)

    def release(self, path, handle):
        os.close(handle)


if __name__ == '__main__':
    fusepy.FUSE(Hanging(sys.argv[1], sys.argv[3]), sys.argv[2], foreground=True, allow_other=True, direct_io=True)
