"""The same format from its description alone, with nothing but the standard library.

usage: independent.py DIR   prints a JSON object: the manifest of every directory in DIR, by its name
"""
import hashlib
import json
import os
import sys


def manifest(root):
    files = []
    for directory, _, names in os.walk(root):
        for name in names:
            place = os.path.join(directory, name)
            with open(place, "rb") as file:
                content = file.read()
            path = os.path.relpath(place, root).replace(os.sep, "/")
            files.append({"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()})
    files.sort(key=lambda row: row["path"].encode("utf-16-be"))
    rows = [[row["path"], row["bytes"], row["sha256"]] for row in files]
    canonical = json.dumps(["skills-anywhere-bundle-1", rows], ensure_ascii=False, separators=(",", ":"))
    return {
        "schema": "skills-anywhere-bundle-1",
        "sha256": hashlib.sha256(canonical.encode("utf-8")).hexdigest(),
        "total_bytes": sum(row["bytes"] for row in files),
        "files": files,
    }


base = sys.argv[1]
json.dump({name: manifest(os.path.join(base, name)) for name in os.listdir(base)}, sys.stdout)
