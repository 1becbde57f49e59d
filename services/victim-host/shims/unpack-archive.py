"""shutil.unpack_archive as an application calls it: the format by the file's name, no filter."""

import shutil
import sys

shutil.unpack_archive(sys.argv[1], sys.argv[2])
