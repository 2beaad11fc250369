# SPDX-License-Identifier: Apache-2.0
"""Each rule must object to a tree that breaks it and to nothing in one that does not."""

import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from check_architecture import main, violations, wishes

LICENCE = "SPDX-License-Identifier: Apache-2.0\n"


def source(*includes):
    return "// " + LICENCE + "".join(f"#include {include}\n" for include in includes)


def header(*includes):
    return "// " + LICENCE + "#pragma once\n" + "".join(f"#include {include}\n" for include in includes)


def room(name, sources, *links):
    return "# " + LICENCE + f"headroom_room({name} SOURCES {' '.join(sources)} DEPENDS {' '.join(links)})\n"


def ui_room(name, sources, *links):
    return room(name, sources, *links).replace("headroom_room", "headroom_ui_room")


def sound_tree():
    return {
        "core/config/Bytes.h": header("<cstdint>"),
        "core/config/Bytes.cpp": source('"core/config/Bytes.h"'),
        "core/config/CMakeLists.txt": room("core-config", ["Bytes.cpp"]),
        "core/base/Quantities.h": header() + "std::string speedText(double perSecond);\n",
        "core/base/Quantities.cpp": source() + "std::string speedText(double perSecond)\n{\n    return {};\n}\n",
        "core/base/CMakeLists.txt": room("core-base", ["Quantities.cpp"]),
        "core/tensor/Torch.h": header("<ATen/ATen.h>"),
        "core/tensor/Context.h": header('"core/config/Bytes.h"', '"core/tensor/Torch.h"'),
        "core/tensor/Context.cpp": source('"core/tensor/Context.h"'),
        "core/tensor/CMakeLists.txt": room("core-tensor", ["Context.cpp"], "headroom::core-config"),
        "core/models/layers/Linear.cpp": source('"core/tensor/Context.h"', '"core/config/Bytes.h"'),
        "core/models/CMakeLists.txt": room("core-models", ["layers/Linear.cpp"], "headroom::core-tensor"),
        "profiling/collectors/Cuda.cpp": source("<c10/cuda/CUDACachingAllocator.h>", "<cupti.h>"),
        "profiling/collectors/CMakeLists.txt": room("profiling-collectors", ["Cuda.cpp"]),
        "app/cli/main.cpp": source('"core/config/Bytes.h"'),
        "app/cli/CMakeLists.txt": "# " + LICENCE + "add_executable(headroom main.cpp)\n"
                                  "target_link_libraries(headroom PRIVATE headroom::core-config)\n",
        "tests/core/config/BytesTest.cpp": source('"core/config/Bytes.h"', "<gtest/gtest.h>"),
        "tests/core/config/CMakeLists.txt": "# " + LICENCE + "headroom_tests(core-config SOURCES BytesTest.cpp)\n",
        "cmake/Options.cmake": "# " + LICENCE,
        "scripts/build": "#!/bin/sh\n# " + LICENCE,
    }


class ArchitectureTest(unittest.TestCase):
    def check(self, changes, of=violations):
        """The violations of the sound tree with these files added or replaced (None: removed)."""
        files = {path: text for path, text in {**sound_tree(), **changes}.items() if text is not None}
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return list(of(root))

    def assert_wish(self, changes, *parts):
        self.assertEqual(self.check(changes), [])
        self.assert_one(changes, *parts, of=wishes)

    def assert_one(self, changes, *parts, of=violations):
        found = self.check(changes, of)
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def test_a_sound_tree_has_no_violations(self):
        self.assertEqual(self.check({}), [])

    def test_an_empty_folder_is_no_sound_tree(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(len(list(violations(root))), 1)
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(main([root]), 1)

    def test_a_room_may_not_include_one_above_it(self):
        self.assert_one({"core/config/Bytes.h": header('"core/tensor/Context.h"'), "app/cli/main.cpp": source()},
                        "core/config/Bytes.h: includes core/tensor/Context.h", "only core/base")

    def test_the_ground_floor_includes_the_standard_library_alone(self):
        self.assert_one({"core/base/Csv.h": header('"core/config/Bytes.h"')}, "core/base/Csv.h", "only the standard library")

    def test_a_sub_folder_stands_on_its_folder(self):
        self.assertEqual(self.check({"core/models/Model.h": header(),
                                     "core/models/blocks/Block.h": header('"core/models/Model.h"')}), [])

    def test_a_folder_does_not_stand_on_its_sub_folder(self):
        self.assert_one({"core/models/Model.h": header('"core/models/blocks/Block.h"'), "core/models/blocks/Block.h": header()},
                        "core/models/Model.h: includes core/models/blocks/Block.h")

    def test_sub_folders_are_part_of_a_library_or_libraries_themselves(self):
        lists = "# " + LICENCE + "headroom_room(core-models-layers SOURCES Linear.cpp DEPENDS headroom::core-tensor)\n"
        self.assertEqual(self.check({"core/models/layers/CMakeLists.txt": lists}), [])
        self.assert_one({"core/models/layers/CMakeLists.txt": lists.replace("models-layers", "layers")},
                        "core/models/layers/CMakeLists.txt: has no target core-models-layers")

    def test_folders_are_small(self):
        self.assert_wish({f"core/config/H{number}.h": header() for number in range(40)}, "core/config: holds 43 files")

    def test_a_room_may_include_what_its_rooms_include(self):
        self.assertEqual(self.check({"core/models/layers/Linear.cpp": source('"core/config/Bytes.h"')}), [])

    def test_a_room_may_not_link_one_above_it(self):
        self.assert_one({"core/tensor/CMakeLists.txt": room("core-tensor", ["Context.cpp"], "headroom::core-models")},
                        "core/tensor/CMakeLists.txt: links headroom::core-models")

    def test_a_commented_link_is_none(self):
        text = sound_tree()["core/config/CMakeLists.txt"] + "# headroom::core-models is above\n"
        self.assertEqual(self.check({"core/config/CMakeLists.txt": text}), [])

    def test_only_one_header_includes_torch(self):
        self.assert_one({"core/tensor/Context.cpp": source("<torch/torch.h>")},
                        "core/tensor/Context.cpp: includes <torch/torch.h>")

    def test_cuda_stays_in_the_collectors(self):
        self.assert_one({"core/models/layers/Linear.cpp": source("<cuda_runtime_api.h>")}, "only for profiling/collectors")

    def test_qt_stays_in_the_user_interface(self):
        self.assert_one({"app/cli/main.cpp": source("<QString>")}, "app/cli/main.cpp: includes <QString>", "ui/")

    def test_the_user_interface_may_include_qt(self):
        self.assertEqual(self.check({"ui/plot/Plot.cpp": source("<QWidget>", "<QtCore/QtGlobal>"),
                                     "ui/plot/CMakeLists.txt": ui_room("ui-plot", ["Plot.cpp"])}), [])

    def test_what_is_made_of_a_test_is_no_header(self):
        test = source("<QtTest>", '"ViewTest.moc"')
        self.assertEqual(self.check({"tests/ui/plot/ViewTest.cpp": test, "tests/ui/plot/CMakeLists.txt":
                                     "# " + LICENCE + "headroom_ui_tests(ui-plot SOURCES ViewTest.cpp)\n"}), [])

    def test_the_command_line_may_not_include_torch_rooms(self):
        found = self.check({"app/cli/main.cpp": source('"core/tensor/Torch.h"')})
        self.assertIn("app/cli/main.cpp: includes core/tensor/Torch.h, but app/cli may include only", "\n".join(found))
        self.assertIn("app/cli/main.cpp: reaches core/tensor/Torch.h", "\n".join(found))

    def test_the_command_line_may_not_reach_torch_through_others(self):
        found = self.check({"core/config/Bytes.h": header('"core/tensor/Context.h"')})
        self.assertIn("app/cli/main.cpp: reaches core/tensor/Torch.h", "\n".join(found))

    def test_the_command_line_may_not_link_torch_through_others(self):
        found = self.check({"core/config/CMakeLists.txt": room("core-config", ["Bytes.cpp"], "headroom::core-tensor")})
        self.assertIn("app/cli/CMakeLists.txt: links core/tensor", "\n".join(found))

    def test_the_command_line_may_not_link_libtorch_itself(self):
        text = sound_tree()["app/cli/CMakeLists.txt"] + "target_link_libraries(headroom PRIVATE LibTorch::c10)\n"
        self.assert_one({"app/cli/CMakeLists.txt": text}, "app/cli/CMakeLists.txt: links LibTorch")

    def test_what_tests_share_is_used_by_several(self):
        shared = {"tests/support/Refusal.h": header('"core/config/Bytes.h"')}
        users = {f"tests/{folder}/Fixture.h": header('"tests/support/Refusal.h"') for folder in ["core/config", "app/cli"]}
        self.assertEqual(self.check({**shared, **users}), [])
        self.assert_one(shared, "tests/support/Refusal.h: is included from nowhere")
        del users["tests/app/cli/Fixture.h"]
        self.assert_one({**shared, **users}, "tests/support/Refusal.h: is included from tests/core/config")

    def test_what_tests_share_reaches_torch_in_one_half_alone(self):
        def shared(path):
            users = {f"tests/{folder}/Fixture.h": header(f'"{path}"') for folder in ["core/config", "app/cli"]}
            return {path: header('"core/tensor/Torch.h"'), **users}
        self.assertEqual(self.check(shared("tests/support/torch/Norms.h")), [])
        self.assert_one(shared("tests/support/Norms.h"), "tests/support/Norms.h: includes core/tensor/Torch.h")
        self.assert_one(shared("tests/support/more/Norms.h"), "tests/support/more/Norms.h: is in no room of what tests share")

    def test_sources_outside_of_the_rooms_are_found(self):
        self.assert_one({"core/extra/X.cpp": source(), "core/extra/CMakeLists.txt": room("core-extra", ["X.cpp"])},
                        "core/extra/X.cpp: is in no room")

    def test_includes_are_paths_from_the_root(self):
        self.assert_one({"core/config/Bytes.cpp": source('"Bytes.h"')}, 'includes "Bytes.h"')

    def test_a_room_is_a_target_of_its_name(self):
        self.assert_one({"core/config/CMakeLists.txt": room("configuration", ["Bytes.cpp"])}, "no target core-config")

    def test_a_room_has_a_list_of_its_sources(self):
        found = self.check({"core/config/CMakeLists.txt": None})
        self.assertIn("core/config: has sources but no CMakeLists.txt, nor has a folder above", found)

    def test_every_source_is_listed(self):
        self.assert_one({"core/models/layers/Norm.cpp": source()}, "layers/Norm.cpp: is not listed in core/models")

    def test_every_test_is_listed(self):
        self.assert_one({"tests/core/config/NoteTest.cpp": source()}, "tests/core/config/NoteTest.cpp: is not listed")

    def test_a_source_that_ends_like_a_listed_one_is_not_listed(self):
        self.assert_one({"core/config/tes.cpp": source()}, "core/config/tes.cpp: is not listed")

    def test_a_folder_of_descriptors_is_taken_as_it_is(self):
        every = room("core-config", ["Bytes.cpp", "models/*.cpp"])
        self.assertEqual(self.check({"core/config/CMakeLists.txt": every, "core/config/models/Wan.cpp": source()}), [])

    def test_nothing_is_half_translated(self):
        text = source("<QWidget>") + 'const auto text = tr("Run");\n'
        self.assert_one({"ui/plot/Plot.cpp": text, "ui/plot/CMakeLists.txt": ui_room("ui-plot", ["Plot.cpp"])},
                        "ui/plot/Plot.cpp: calls tr()")

    def test_every_file_names_its_licence(self):
        self.assert_one({"scripts/build": "#!/bin/sh\n"}, "scripts/build: does not begin with SPDX")

    def test_every_header_is_guarded(self):
        self.assert_one({"core/config/Bytes.h": source()}, "core/config/Bytes.h: has no #pragma once")

    def test_names_say_what_is_inside(self):
        for name in ["StringUtils.h", "string_helpers.h", "IOManager.h", "common.h"]:
            self.assert_one({f"core/config/{name}": header()}, f"core/config/{name}: '")

    def test_words_that_only_contain_a_banned_one_are_fine(self):
        self.assertEqual(self.check({"core/config/Utilisation.h": header()}), [])

    def test_files_are_short(self):
        self.assert_wish({"core/config/Bytes.cpp": source() + "\n" * 400}, "has 401 lines")

    def test_a_text_of_a_quantity_is_written_once(self):
        for function in ["std::string speedText(double rate)", "    static QString speedText(double rate)",
                         "std::string percent(double ratio)"]:
            self.assert_one({"core/config/Bytes.cpp": source() + function + "\n{\n}\n"},
                            "core/config/Bytes.cpp: has a function", "core/base/Quantities.h is the home of")

    def test_a_call_of_such_a_text_is_none(self):
        calls = "const std::string text = speedText(2);\nreturn speedText(2) + percent;\nint percent(double ratio);\n"
        self.assertEqual(self.check({"core/config/Bytes.cpp": source() + calls}), [])

    def test_other_texts_have_one_home_too(self):
        text = source() + "std::string mostlyText(const CategoryBytes& categories)\n{\n}\n"
        self.assert_one({"core/config/Bytes.cpp": text, "core/tensor/Context.cpp": text},
                        "core/tensor/Context.cpp: has a function mostlyText, which core/config/Bytes.cpp has already")

    def test_one_place_starts_programs(self):
        self.assert_one({"core/config/Bytes.cpp": source() + "int n = std::system(text);\n"}, "calls system()")
        self.assertEqual(self.check({"core/config/Bytes.cpp": source() + "bool b = file.system(1) || isSystem();\n"}), [])

    def test_people_read_one_unit_of_speed(self):
        self.assert_one({"core/config/Bytes.cpp": source() + 'const char* kUnit = "it/s";\n'}, "says 'it/s'")
        self.assertEqual(self.check({"core/config/Bytes.cpp": source() + "// limit/step, unit/second\n"}), [])

    def test_toml_is_parsed_in_one_place(self):
        self.assert_one({"core/config/Bytes.cpp": source() + "auto table = toml::parse_file(path);\n"}, "parses TOML by itself")
        self.assert_one({"core/config/Bytes.cpp": source("<toml++/toml.h>")}, "is only for core/toml/.+")
        text = source("<toml++/toml.h>") + "auto table = toml::parse(text);\n"
        self.assertEqual(self.check({"core/toml/TomlText.cpp": text,
                                     "core/toml/CMakeLists.txt": room("core-toml", ["TomlText.cpp"])}), [])


if __name__ == "__main__":
    unittest.main()
