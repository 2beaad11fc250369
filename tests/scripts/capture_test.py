# SPDX-License-Identifier: Apache-2.0
"""resources/capture/headroom_capture.py with the torch of this Python; skipped where there is none.

Usage: capture_test.py        (any Python with torch 2.6 or newer)
"""

import importlib.util
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = CHECKOUT / "resources/capture/headroom_capture.py"
sys.path[:0] = [str(SCRIPT.parent), str(CHECKOUT / "tests/reference")]
HAS_TORCH = importlib.util.find_spec("torch") is not None
if HAS_TORCH:
    import headroom_capture
    import imported_people as people
    import torch


@unittest.skipUnless(HAS_TORCH, "this Python has no torch")
class CaptureTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "model.pt2"

    def captured(self, model, *args, **how):
        return headroom_capture.capture(model, args, path=self.path, **how)

    def json(self, entry):
        with zipfile.ZipFile(self.path) as archive:
            return json.loads(archive.read(f"model/{entry}"))

    def refused(self, model, *args, **how):
        with self.assertRaises(headroom_capture.CaptureError) as caught:
            self.captured(model, *args, **how)
        return str(caught.exception)

    def test_every_torch_writes_the_same_files(self):
        self.captured(people.Tied(), torch.zeros(2, 6, dtype=torch.long))
        model = self.json("models/model.json")
        self.assertEqual(model["schema_version"]["major"], 8)
        self.assertTrue(all(node["name"] for node in model["graph_module"]["graph"]["nodes"]))
        weights = self.json("data/weights/model_weights_config.json")["config"]
        self.assertEqual(weights["table.weight"]["tensor_meta"]["sizes"], [{"as_int": 40}, {"as_int": 12}])

    def test_notes_ties_of_parameters_and_buffers(self):
        with torch.device("meta"):
            model, tokens = people.Tied(), torch.zeros(2, 6, dtype=torch.long)
        notes = self.captured(model, tokens)
        self.assertEqual(notes["tied"], {"table.weight": ["head.weight"],
            "layers.0.positions.table": ["layers.1.positions.table"]})
        self.assertEqual(notes, self.json("extra/headroom.json"))

    def test_a_local_variable_keeps_its_tensor_until_the_function_ends(self):
        class Holding(torch.nn.Module):
            def inner(self, x):
                held = x.exp()
                return held.sin().cos()

            def forward(self, x):
                return self.inner(x).tan()

        deaths = self.captured(Holding(), torch.zeros(4, 3))["lifetimes"]["inference"]
        # sin's result is a temporary; the variable lives as long as its function, and the result of that is the next one's.
        self.assertEqual(deaths, {"exp": "tan", "sin": "tan", "cos": "", "tan": ""})

    def test_lifetimes_are_the_same_with_values_and_without(self):
        of = {}
        for device in ("cpu", "meta"):
            with torch.device(device):
                of[device] = self.captured(people.ResNet(), torch.zeros(4, 3, 16, 16))["lifetimes"]
        self.assertEqual(of["cpu"], of["meta"])

    def test_lifetimes_are_seen_where_an_export_slices_what_python_takes_as_a_whole(self):
        class Slicing(torch.nn.Module):
            def forward(self, values):
                for _ in range(4):
                    values = values[:, :, :, :2].repeat(1, 1, 1, 2)
                return values

        notes = self.captured(Slicing(), torch.zeros(2, 3, 5, 4))
        self.assertIsNone(notes["lifetimes_problem"])
        self.assertEqual(notes["free_dimensions"], {"values": [0, 1, 2, 3]})
        self.assertIn("repeat", notes["lifetimes"]["inference"])

    def test_leaves_the_model_as_it_was(self):
        model, tokens = people.Tied(), torch.zeros(2, 6, dtype=torch.long)
        before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        self.captured(model, tokens)
        self.assertIs(model.head.weight, model.table.weight)
        self.assertIs(type(model.layers[0].positions.table), torch.Tensor)
        for name, tensor in model.state_dict().items():
            self.assertTrue(torch.equal(tensor, before[name]), name)
        model(tokens).sum().backward()

    def test_names_functions_whose_backward_is_lost(self):
        notes = self.captured(people.OwnBackward(), torch.zeros(4, 8))
        self.assertEqual([function["name"] for function in notes["autograd_functions"]], ["imported_people.StraightThrough"])
        self.assertRegex(notes["autograd_functions"][0]["source"], r"^imported_people\.py:\d+$")

    def test_traces_are_one_line_and_the_person_s(self):
        self.captured(people.Plain(), torch.zeros(4, 8))
        nodes = self.json("models/model.json")["graph_module"]["graph"]["nodes"]
        traces = [node["metadata"]["stack_trace"] for node in nodes
                  if "stack_trace" in node["metadata"]]
        self.assertTrue(any("people.py" in trace for trace in traces), traces)
        for trace in traces:
            self.assertEqual(trace.count("File \""), 1, trace)

    def test_notes_what_a_class_of_diffusers_keeps_from_casting(self):
        class Kept(people.Plain):
            _keep_in_fp32_modules = ["wide"]
            _skip_layerwise_casting_patterns = ["norm", "wide"]

        self.assertEqual(self.captured(Kept(), torch.zeros(4, 8))["kept_from_casting"], ["wide", "norm"])
        self.assertEqual(self.captured(people.Plain(), torch.zeros(4, 8))["kept_from_casting"], [])

    def test_asks_no_hub_that_cannot_be_reached(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            address = f"http://127.0.0.1:{server.getsockname()[1]}"
            self.assertIsNone(headroom_capture._unreached(address))
        self.assertRegex(headroom_capture._unreached(address), r"^127\.0\.0\.1 cannot be reached: \w")

    def test_notes_mode_and_autocast_around_it(self):
        with torch.autocast("cpu", torch.bfloat16):
            notes = self.captured(people.Plain().eval(), torch.zeros(4, 8))
        self.assertFalse(notes["training"])
        self.assertEqual(notes["autocast"], {"device": "cpu", "dtype": "bfloat16"})

    def test_sizes_are_free_unless_they_are_fixed(self):
        self.assertEqual(self.captured(people.Plain(), torch.zeros(4, 8))["free_dimensions"], {"hidden": [0]})
        self.assertEqual(self.captured(people.Plain(), torch.zeros(4, 8), dynamic_shapes="fixed")["free_dimensions"], {})

    def test_frees_fewer_sizes_rather_than_exporting_without_end(self):
        class Slow(torch.nn.Module):
            def forward(self, x):
                if isinstance(x.shape[1], torch.SymInt):
                    end = time.process_time() + 1.1
                    while time.process_time() < end:
                        pass
                return x.reshape(x.shape[1], x.shape[0]) * 2

        notes = self.captured(Slow(), torch.zeros(4, 8), patience=1)
        self.assertEqual(notes["free_dimensions"], {"x": [0]})
        self.assertIn("torch.export took more than 1 s of processor time with sizes free (patience)", notes["fixed_because"])

    def test_sizes_that_are_compared_stay_free(self):
        class Compared(torch.nn.Module):
            def forward(self, x):
                return x * 2 if x.shape[0] > 3 else x

        notes = self.captured(Compared(), torch.zeros(4, 8))
        self.assertEqual(notes["free_dimensions"], {"x": [0, 1]})
        self.assertIsNone(notes["fixed_because"])

    def test_sizes_stay_free_beside_keywords_of_any_name(self):
        class Loose(torch.nn.Module):
            def forward(self, x, **options):
                return x * options["scale"] if options["twice"] else x

        model = Loose()
        notes = headroom_capture.capture(model, (torch.zeros(4, 8),), {"scale": torch.ones(8), "twice": True}, self.path)
        self.assertEqual(notes["free_dimensions"]["x"], [0, 1])
        self.assertIsNone(notes["fixed_because"])
        self.assertNotIn("forward", vars(model))

    def library(self, name, text):
        """A module of transformers, as its folder tells."""
        folder = self.path.parent / "transformers"
        folder.mkdir()
        (folder / f"{name}.py").write_text(text)
        spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def test_a_library_that_asks_for_a_flag_as_a_number_is_told(self):
        attention = self.library("attention", "def has_global(mask):\n    return mask.any().item()\n")

        class Attending(torch.nn.Module):
            def forward(self, x):
                return x * 2.0 if attention.has_global(x > 0) else x + 1.0

        notes = self.captured(Attending(), torch.ones(4, 3))
        self.assertEqual(notes["assumed"], [{"source": "attention.py:2", "answer": False}])

    def test_a_library_that_looks_for_padding_is_told_that_there_is_none(self):
        padding = self.library("padding", "def warn(ids):\n    if 0 in ids[:, [-1, 0]]:\n        raise ValueError\n")

        class Warning(torch.nn.Module):
            def forward(self, ids):
                padding.warn(ids)
                return ids * 2.0

        notes = self.captured(Warning(), torch.ones(4, 3, dtype=torch.long))
        self.assertEqual(notes["assumed"], [{"source": "padding.py:2", "answer": False}])

    def test_no_layer_is_dropped_by_what_a_library_draws(self):
        dropping = self.library("dropping", "import random\nimport torch\n\n\ndef is_dropped(by):\n"
                                "    if by == 'torch':\n        return torch.rand([]) < 0.9\n"
                                "    return random.uniform(0, 1) < 0.9\n")

        class Dropping(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(6))

            def forward(self, x):
                for place, layer in enumerate(self.layers):
                    if not dropping.is_dropped("torch" if place % 2 else "random"):
                        x = layer(x)
                return x

        notes = self.captured(Dropping(), torch.zeros(4, 8))
        self.assertCountEqual(notes["assumed"], [{"source": f"dropping.py:{line}", "answer": False} for line in (7, 8)])
        nodes = self.json("models/model.json")["graph_module"]["graph"]["nodes"]
        self.assertEqual([node["target"] for node in nodes], ["torch.ops.aten.linear.default"] * 6)

    def test_an_autocast_region_for_cuda_needs_no_gpu(self):
        class Region(torch.nn.Module):
            def forward(self, x):
                with torch.autocast("cuda", torch.bfloat16):
                    return x @ x

        self.captured(Region(), torch.zeros(4, 4))
        node = self.json("models/model.json")["graph_module"]["graph"]["nodes"][-1]
        self.assertEqual(node["target"], "torch.ops.higher_order.wrap_with_autocast")
        self.assertEqual(node["inputs"][2]["arg"], {"as_bool": True})

    def test_says_which_line_keeps_a_model_from_being_captured(self):
        class Asking(torch.nn.Module):
            def forward(self, x):
                return x * 2 if x.sum() > 0 else x

        self.assertRegex(self.refused(Asking(), torch.zeros(4, 3)), r'capture_test\.py:\d+: "return x \* 2 if x\.sum\(\) > 0')

    def test_a_weight_that_is_made_on_the_cpu_goes_to_meta_with_the_others(self):
        class Old(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = torch.nn.Linear(8, 8)
                self.embed = torch.nn.Parameter(torch.Tensor(8).uniform_())  # heeds no torch.device("meta")
                self.also = self.embed

            def forward(self, x):
                return self.linear(x) * self.embed + self.also

        with torch.device("meta"):
            model, x = Old(), torch.zeros(4, 8)
        self.assertEqual(model.embed.device.type, "cpu")
        self.assertEqual(self.captured(model, x)["tied"], {"embed": ["also"]})

    def test_a_cache_among_the_outputs_is_named(self):
        class SomeCache:
            pass

        class Caching(torch.nn.Module):
            def forward(self, x):
                return x * 2, SomeCache()

        self.assertIn('valid is kwargs={..., "use_cache": False}', self.refused(Caching(), torch.zeros(4, 8)))

    def test_refuses_what_is_no_model_no_tuple_no_place(self):
        self.assertIn("torch.nn.Module", self.refused(3))
        self.assertIn("missing a required argument: 'tokens'", self.refused(people.Tied()))
        self.assertIn("no module \"encoder.9\"", self.refused(people.Plain(), torch.zeros(4, 8), blocks=["encoder.9"]))
        self.path = self.path.parent / "nowhere" / "model.pt2"
        self.assertIn("there is no folder", self.refused(people.Plain(), torch.zeros(4, 8)))


@unittest.skipUnless(HAS_TORCH, "this Python has no torch")
class CommandLineTest(unittest.TestCase):
    def error_of(self, *arguments):
        done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr.strip().splitlines()[-1]

    def test_errors_are_one_line(self):
        self.assertIn("there is no such folder", self.error_of("--diffusers", "/nowhere"))
        self.assertIn("found 0; valid is a whole number of 1 or more", self.error_of("--diffusers", ".", "--batch", "0"))
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("cannot be read", self.error_of("--diffusers", folder))
            (pathlib.Path(folder) / "config.json").write_text('{"_class_name": "NoSuchModel"}')
            self.assertRegex(self.error_of("--diffusers", folder), "NoSuchModel|pip install diffusers")


if __name__ == "__main__":
    unittest.main()
