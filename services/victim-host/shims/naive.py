"""The positive control: an extractor without any care.

Every name is joined to the destination as it is, links get the targets they ask for, modes are applied with
all their bits, and files are written through whatever stands there. Whatever cannot be done is printed, and
the next entry is tried. It always exits 0.

    naive.py ARCHIVE DEST HOME
"""

import os
import re
import shutil
import stat
import sys


def main(archive, dest, home):
    extract = extract_zip if archive.endswith(".zip") else extract_tar
    extract(archive, lambda name: careless_path(dest, home, name))


def careless_path(dest, home, name):
    """Where a name leads. Windows names too, as under Wine: a drive is a folder in the user's home."""
    drive = re.match(r"([A-Za-z]):[\\/]*", name)
    wine = os.path.join(home, ".wine")
    if drive:
        base, name = os.path.join(wine, "drive_" + drive.group(1).lower()), name[drive.end():]
    elif name.startswith("\\\\"):
        base, name = os.path.join(wine, "unc"), name.lstrip("\\")
    else:
        base = dest
    return os.path.normpath(os.path.join(base, name.replace("\\", "/")))


def extract_tar(archive, place):
    import tarfile

    with tarfile.open(archive) as tar:
        for member in tar:
            path = place(member.name)
            if member.issym():
                make = lambda: os.symlink(member.linkname, path)
            elif member.islnk():
                make = lambda: os.link(place(member.linkname), path)
            elif member.isfifo():
                make = lambda: os.mkfifo(path, member.mode)
            elif member.isdev():
                make = lambda: os.mknod(path, member.mode | device_type(member), os.makedev(member.devmajor, member.devminor))
            elif member.isdir():
                make = lambda: make_directory(path, member.mode)
            else:
                make = lambda: write(path, tar.extractfile(member), member.mode)
            attempt(member.name, path, make)


def extract_zip(archive, place):
    import zipfile

    with zipfile.ZipFile(archive) as zipped:
        for info in zipped.infolist():
            path = place(info.filename)
            mode = info.external_attr >> 16
            if stat.S_ISLNK(mode):
                make = lambda: os.symlink(zipped.read(info), path)
            elif stat.S_ISFIFO(mode):
                make = lambda: os.mkfifo(path, stat.S_IMODE(mode))
            elif info.is_dir():
                make = lambda: make_directory(path, stat.S_IMODE(mode) or 0o755)
            else:
                make = lambda: write(path, zipped.open(info), stat.S_IMODE(mode) or 0o644)
            attempt(info.filename, path, make)


def attempt(name, path, make):
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        make()
    except Exception as error:  # one bad entry must not keep the next one from landing
        print(f"{name!a}: {error}")


def write(path, source, mode):
    with source, open(path, "wb") as target:
        shutil.copyfileobj(source, target, 64 * 1024)
    os.chmod(path, mode)


def make_directory(path, mode):
    os.makedirs(path, exist_ok=True)
    os.chmod(path, mode)


def device_type(member):
    return stat.S_IFCHR if member.ischr() else stat.S_IFBLK


if sys.argv[1:] == ["--version"]:
    print("naive 1 on Python " + sys.version.split()[0])
else:
    main(*sys.argv[1:4])
