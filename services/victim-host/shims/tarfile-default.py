"""extractall as an application calls it: without a filter, so with the default of this Python."""

import sys
import tarfile

with tarfile.open(sys.argv[1]) as archive:
    archive.extractall(sys.argv[2])
