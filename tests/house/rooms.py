#!/usr/bin/env python3
"""Who includes whom: the rooms of the tree in their order, and no arrow back.

    tests/house/rooms.py            # files, lines and layers of each room
    tests/house/rooms.py --check    # the test house.rooms: only what is wrong

A room uses itself and the rooms that are named for it. Within a room no file includes, over any number of others, itself (x.hpp and
x.cpp are one file here). In reports/ every name of a file is there once.
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPORTS = ("reports/reading", "reports/judging", "reports/writing", "reports/many_sessions", "reports/commands")
MAY_USE = {
    "session": (),
    "kernels": ("simulator/device.hpp", "simulator/access.hpp"),  # what stands in for CUDA's own words where kernels are host code
    "fixtures": ("session", "kernels"),
    "suites": ("session", "kernels", "fixtures"),
    "simulator": ("kernels", "fixtures/machine/nvml_api.hpp", "session/toml.hpp"),
    "ctest": ("session", "kernels", "fixtures"),
    **{room: ("session", *REPORTS[:i]) for i, room in enumerate(REPORTS)},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def room_of(path):
    return next((room for room in MAY_USE if path.startswith(room + "/")), None)


def stem(path):
    return path.rsplit(".", 1)[0]


def sources():
    for suffix in ("cpp", "hpp", "cu", "cuh"):
        for file in ROOT.rglob("*." + suffix):
            path = file.relative_to(ROOT).as_posix()
            if room_of(path):
                yield path, file.read_text()


def layers_of(edges):
    """How many files stand on each other at most; or the files of a circle."""
    depth, open_now = {}, []

    def visit(file):
        if file in open_now:
            return open_now[open_now.index(file) :]
        if file not in depth:
            open_now.append(file)
            for other in sorted(edges[file]):
                circle = visit(other)
                if circle:
                    return circle
            open_now.pop()
            depth[file] = 1 + max((depth[other] for other in edges[file]), default=0)
        return None

    for file in sorted(edges):
        circle = visit(file)
        if circle:
            return 0, circle
    return max(depth.values(), default=0), None


def main():
    wrong, edges, files, lines = [], collections.defaultdict(lambda: collections.defaultdict(set)), collections.Counter(), collections.Counter()
    names = collections.defaultdict(set)
    for path, text in sources():
        room = room_of(path)
        files[room] += 1
        lines[room] += text.count("\n")
        edges[room][stem(path)]  # there, even where it includes nothing
        if room in REPORTS:
            names[pathlib.PurePath(path).stem].add(stem(path))
        for other in INCLUDE.findall(text):
            theirs = room_of(other)
            if theirs is None:
                wrong.append(f"{path} includes {other}, which is in no room")
            elif theirs == room:
                if stem(other) != stem(path):
                    edges[room][stem(path)].add(stem(other))
            elif not any(other == allowed or other.startswith(allowed + "/") for allowed in MAY_USE[room]):
                wrong.append(f"{path} includes {other}: {room} may not use {theirs}")
    for name, where in sorted(names.items()):
        if len(where) > 1:
            wrong.append(f"{name} is the name of more than one file: {', '.join(sorted(where))}")
    for room in MAY_USE:
        layers, circle = layers_of(edges[room])
        if circle:
            wrong.append(f"a circle in {room}: {' -> '.join(circle)} -> {circle[0]}")
        if "--check" not in sys.argv:
            print(f"{room:24} {files[room]:4} files {lines[room]:6} lines {layers:3} layers")
    if not files or any(files[room] == 0 for room in MAY_USE):
        wrong.append("a room has no files: has it another name?")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
