#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules of docs/architecture.md on a checkout and prints each violation.

Usage: check_architecture.py [CHECKOUT]

Each rule is a function that takes a SourceTree and yields messages.
"""

import collections
import os
import re
import sys

sys.dont_write_bytecode = True  # nothing is left behind in the checkout

from rooms import (BANNED_TEXTS, BANNED_WORDS, CONFINED_HEADERS, FORMER_QUANTITY_TEXTS, MAX_FILES, MAX_LINES, MAY_INCLUDE,
                   PROGRAMS, QUANTITY_HEADERS, SINGLE_TEXTS, STARTING_CALLS, STARTING_ROOMS, TEST_SUPPORT, TORCH_FOLDERS,
                   TORCH_FREE_PROGRAMS, folder_of, is_within, reachable, room_of)
from source_tree import SourceTree

ROOM_OF_TARGET = {room.replace("/", "-"): room for room in MAY_INCLUDE}


def in_rooms(tree):
    return [path for path in tree.code if not path.startswith("tests/")]


def rooms_stand_on_each_other(tree):
    for room in MAY_INCLUDE:
        if room in reachable(room, MAY_INCLUDE):
            yield f"tests/architecture/rooms.py: {room} may include itself by way of others"


def every_source_is_in_a_room(tree):
    for path in in_rooms(tree):
        if room_of(path) is None:
            yield f"{path}: is in no room; the rooms are {', '.join(sorted(MAY_INCLUDE))}"


def includes_are_rooted(tree):
    for path in tree.code:
        for header in tree.rooted_includes(path):
            if not os.path.exists(os.path.join(tree.root, header)):
                yield f'{path}: includes "{header}", which is no path from the root of the repository'


def rooms_include_what_they_may(tree):
    for path in in_rooms(tree):
        room = room_of(path)
        allowed = reachable(room, MAY_INCLUDE) | {room}
        for header in tree.rooted_includes(path):
            reached = room_of(header)
            if room and reached and reached not in allowed:
                yield f"{path}: includes {header}, but {room} may include only {names(allowed - {room})}"


def library_of(tree, room):
    """The folder whose list holds a room's sources: its own, or that of the nearest folder above; None without one."""
    while room and tree.cmake(room) is None:
        room = room.rpartition("/")[0]
    return room or None


def rooms_link_what_they_may(tree):
    for room in MAY_INCLUDE:
        members = [member for member in MAY_INCLUDE if library_of(tree, member) == room]
        allowed = {room}.union(members, *(reachable(member, MAY_INCLUDE) for member in members))
        allowed |= {library_of(tree, member) for member in allowed} - {None}
        for target in tree.links(room):
            reached = ROOM_OF_TARGET.get(target)
            if reached and reached not in allowed:
                yield f"{room}/CMakeLists.txt: links headroom::{target}, but may link only {names(allowed - {room})}"


def foreign_headers_stay_where_they_belong(tree):
    for path in in_rooms(tree):
        for _, header in tree.includes[path]:
            places = confined_to(header)
            if places and not any(re.fullmatch(place, path) for place in places):
                yield f"{path}: includes <{header}>, which is only for {' and '.join(places)}"


def confined_to(header):
    for pattern, places in CONFINED_HEADERS:
        if re.fullmatch(pattern, header):
            return places
    return None


def light_programs_do_not_include_torch(tree):
    graph = {path: [h for h in tree.rooted_includes(path) if h in tree.includes] for path in tree.code}
    for path in in_rooms(tree):
        if is_within(room_of(path) or "", TORCH_FREE_PROGRAMS):
            for header in sorted(reachable(path, graph)):
                if is_within(room_of(header) or "", TORCH_FOLDERS):
                    yield f"{path}: reaches {header} through its includes, and with it LibTorch"


def light_programs_do_not_link_torch(tree):
    graph = {room: [ROOM_OF_TARGET[t] for t in tree.links(room) if t in ROOM_OF_TARGET] for room in MAY_INCLUDE}
    for program in TORCH_FREE_PROGRAMS:
        for room in sorted(room for room in reachable(program, graph) if is_within(room, TORCH_FOLDERS)):
            yield f"{program}/CMakeLists.txt: links {room}, directly or through others, and with it LibTorch"
        if re.search(r"LibTorch::|headroom_use_torch_header", tree.cmake(program) or ""):
            yield f"{program}/CMakeLists.txt: links LibTorch"


def test_support_stands_on_little(tree):
    edges = {**MAY_INCLUDE, **TEST_SUPPORT}
    for path in tree.code:
        room = folder_of(path)
        if not is_within(room, ["tests/support"]):
            continue
        if room not in TEST_SUPPORT:
            yield f"{path}: is in no room of what tests share; they are {names(TEST_SUPPORT)}"
            continue
        allowed = reachable(room, edges) | {room}
        for header in tree.rooted_includes(path):
            if folder_of(header) not in allowed:
                yield f"{path}: includes {header}, but {room} may include only {names(allowed - {room})}"


def test_support_is_shared(tree):
    for shared in tree.code:
        if is_within(folder_of(shared), ["tests/support"]):
            users = {folder_of(path) for path in tree.code if shared in tree.rooted_includes(path)}
            if len(users) < 2:
                yield f"{shared}: is included from {names(users) if users else 'nowhere'}; what one folder uses lives there"


def libraries_are_targets_of_their_name(tree):
    rooms = sorted({room_of(path) for path in in_rooms(tree) if path.endswith(".cpp")} - {None})
    for room in rooms:
        if library_of(tree, room) is None:
            yield f"{room}: has sources but no CMakeLists.txt, nor has a folder above"
    for folder in sorted({library_of(tree, room) for room in rooms} - {None}):
        targets = [folder.replace("/", "-"), PROGRAMS.get(folder, folder.replace("/", "-"))]
        text = tree.cmake(folder)
        if not any(re.search(rf"(headroom_room|headroom_ui_room|add_\w+)\(\s*{re.escape(t)}\s", text) for t in targets):
            yield f"{folder}/CMakeLists.txt: has no target {' or '.join(dict.fromkeys(targets))}"


def sources_are_listed(tree):
    for path in tree.code:
        if path.endswith(".cpp"):
            folder, entry = tree.listing(path)
            entries = re.split(r"[\s()\"]+", tree.cmake(folder) or "")
            every = entry.rpartition("/")[0] + "/*.cpp"  # all that a folder of descriptors holds
            if entry not in entries and every not in entries:
                yield f"{path}: is not listed in {folder + '/' if folder else 'any '}CMakeLists.txt"


def sources_name_their_licence(tree):
    for path, text in tree.texts.items():
        if "SPDX-License-Identifier: Apache-2.0" not in "\n".join(text.splitlines()[:2]):
            yield f"{path}: does not begin with SPDX-License-Identifier: Apache-2.0"


def headers_are_guarded(tree):
    for path in tree.code:
        if path.endswith(".h") and "\n#pragma once\n" not in tree.texts[path]:
            yield f"{path}: has no #pragma once"


def files_are_named_after_what_they_hold(tree):
    for path in tree.files + tree.scripts:
        words = {word.lower() for part in path.split("/") for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", part)}
        for word in sorted(words & BANNED_WORDS):
            yield f"{path}: '{word}' says nothing about what is in it"


def files_are_short(tree):
    for path, text in tree.texts.items():
        lines = text.count("\n")
        if lines > MAX_LINES:
            yield f"{path}: has {lines} lines, more than {MAX_LINES}"


def folders_are_small(tree):
    count = collections.Counter(os.path.dirname(path) for path in tree.files)
    for folder, files in sorted(count.items()):
        if files > MAX_FILES and "/corpus/" not in folder:
            yield f"{folder}: holds {files} files, more than {MAX_FILES}"


# A function that gives a text: at the beginning of a line.
TEXT_FUNCTION = re.compile(r"^[ \t]*(?:(?:static|inline|constexpr) )*(?:std::string|QString) (?:\w+::)*(\w+)\(", re.MULTILINE)


def texts_given_by(tree, path):
    return set(TEXT_FUNCTION.findall(tree.texts.get(path, "")))


def texts_of_quantities_have_one_home(tree):
    told = set(FORMER_QUANTITY_TEXTS).union(*(texts_given_by(tree, header) for header in QUANTITY_HEADERS))
    homes = {header.removesuffix(".h") for header in QUANTITY_HEADERS}
    for path in in_rooms(tree):
        if path.rpartition(".")[0] not in homes:
            for name in sorted(told & texts_given_by(tree, path)):
                yield f"{path}: has a function {name}, a text that {' or '.join(QUANTITY_HEADERS)} is the home of"


def single_texts_are_written_once(tree):
    for name in SINGLE_TEXTS:
        holders = [path for path in in_rooms(tree) if path.endswith(".cpp") and name in texts_given_by(tree, path)]
        for path in holders[1:]:
            yield f"{path}: has a function {name}, which {holders[0]} has already"


def people_read_one_unit_of_speed(tree):
    for path in in_rooms(tree):
        for found in sorted({match for text in BANNED_TEXTS for match in re.findall(text, tree.texts[path])}):
            yield f"{path}: says '{found}', where people read steps/s"


def toml_is_parsed_in_one_place(tree):
    for path in tree.code:
        if room_of(path) != "core/toml" and re.search(r"\btoml::parse", tree.texts[path]):
            yield f"{path}: parses TOML by itself, without the bounds of parseToml (core/toml/TomlText.h)"


def one_place_starts_programs(tree):
    for path in [path for path in in_rooms(tree) if room_of(path) not in STARTING_ROOMS]:
        for call in sorted(set(re.findall(STARTING_CALLS, tree.texts[path]))):
            yield f"{path}: calls {call}(), where WorkerProcess alone starts programs: what a file says is not run"


def the_window_speaks_english(tree):
    for path in in_rooms(tree):
        if re.search(r"(?<![\w.>])tr\(\"", tree.texts[path]):
            yield f"{path}: calls tr(): nothing is translated, and texts of other rooms are English in any case"


RULES = [
    rooms_stand_on_each_other,
    every_source_is_in_a_room,
    includes_are_rooted,
    rooms_include_what_they_may,
    rooms_link_what_they_may,
    foreign_headers_stay_where_they_belong,
    light_programs_do_not_include_torch,
    light_programs_do_not_link_torch,
    test_support_stands_on_little,
    test_support_is_shared,
    libraries_are_targets_of_their_name,
    sources_are_listed,
    sources_name_their_licence,
    headers_are_guarded,
    files_are_named_after_what_they_hold,
    texts_of_quantities_have_one_home,
    single_texts_are_written_once,
    people_read_one_unit_of_speed,
    toml_is_parsed_in_one_place,
    one_place_starts_programs,
    the_window_speaks_english,
]

# What is said and forbids nothing: a count does not know whether what is together belongs together.
WISHES = [files_are_short, folders_are_small]


def names(rooms):
    return ", ".join(sorted(rooms)) or "the standard library"


def violations(root):
    tree = SourceTree(root)
    # A checker that looks at the wrong folder would find nothing wrong.
    if not in_rooms(tree):
        yield f"{root}: holds no sources"
    for rule in RULES:
        yield from rule(tree)


def wishes(root):
    tree = SourceTree(root)
    for wish in WISHES:
        yield from wish(tree)


def main(arguments):
    here = os.path.dirname(os.path.abspath(__file__))
    root = arguments[0] if arguments else os.path.join(here, "..", "..")
    found = list(violations(root))
    print(*[f"warning: {wish}" for wish in wishes(root)], *found, sep="\n")
    print(f"architecture: {len(found)} violations of {len(RULES)} rules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
