#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the archives in corpus/archive: small exported models that are sound, and ones that are not, each in one way.

Usage: archive_corpus.py [FOLDER]
"""

import copy
import io
import json
import pathlib
import struct
import sys
import zipfile

TIME = (1980, 1, 1, 0, 0, 0)


def tensor(sizes, dtype=7):
    """Contiguous; only the first size may be free."""
    strides = [1]
    for size in sizes[:0:-1]:
        strides.insert(0, strides[0] * size["as_int"])
    return {"dtype": dtype, "sizes": sizes, "requires_grad": False, "device": {"type": "meta", "index": None},
            "strides": [{"as_int": stride} for stride in strides], "storage_offset": {"as_int": 0}, "layout": 7}


def symbol(name, hint):
    return {"as_expr": {"expr_str": f"Symbol('{name}', positive=True, integer=True)", "hint": {"as_int": hint}}}


def computed(expression, hint):
    return {"as_expr": {"expr_str": expression, "hint": {"as_int": hint}}}


def arg(name):
    return {"as_tensor": {"name": name}}


def linear(source, result, weight, layer):
    stack = f"L__self__,,model.Tiny;L__self__layers.{layer},layers.{layer},model.Block"
    return {"target": "torch.ops.aten.linear.default",
            "inputs": [{"name": "input", "arg": arg(source), "kind": 1}, {"name": "weight", "arg": arg(weight), "kind": 1}],
            "outputs": [arg(result)],
            "metadata": {"nn_module_stack": stack,
                         "stack_trace": f'File "/home/a/model.py", line {10 + layer}, in forward\n    x = f(x)'}}


def sound():
    """Two linears of width 4 over a batch of free size."""
    values = {"p_0": tensor([{"as_int": 4}, {"as_int": 4}]), "p_1": tensor([{"as_int": 4}, {"as_int": 4}])}
    for name in ("x", "a", "b"):
        values[name] = tensor([symbol("s0", 2), {"as_int": 4}])
    graph = {"inputs": [arg("p_0"), arg("p_1"), arg("x")], "outputs": [arg("b")],
             "nodes": [linear("x", "a", "p_0", 0), linear("a", "b", "p_1", 1)],
             "tensor_values": values, "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": False}
    parameter = lambda i: {"parameter": {"arg": {"name": f"p_{i}"}, "parameter_name": f"layers.{i}.weight"}}
    signature = {"input_specs": [parameter(0), parameter(1), {"user_input": {"arg": arg("x")}}],
                 "output_specs": [{"user_output": {"arg": arg("b")}}]}
    return {"graph_module": {"graph": graph, "signature": signature, "module_call_graph": []},
            "opset_version": {"aten": 10}, "range_constraints": {"s0": {"min_val": 2, "max_val": 64}},
            "schema_version": {"major": 8, "minor": 17}, "verifiers": ["TRAINING"], "torch_version": "2.11.0",
            "guards_code": ["L['x'].size()[0] <= 64"]}


def weights():
    meta = tensor([{"as_int": 4}, {"as_int": 4}])
    return {"config": {f"layers.{i}.weight": {"path_name": "weight_0", "is_param": True, "use_pickle": False,
                                              "tensor_meta": meta} for i in range(2)}}


def archive(model, config=None, more=None, method=zipfile.ZIP_STORED, folder="m/"):
    out = io.BytesIO()
    if isinstance(model, dict) and len(json.dumps(model)) > 6000:
        method = zipfile.ZIP_DEFLATED
    entries = {"models/model.json": model if isinstance(model, bytes) else json.dumps(model).encode(),
               "data/weights/model_weights_config.json": json.dumps(config or weights()).encode(),
               "data/constants/model_constants_config.json": b'{"config": {}}', "archive_version": b"0"}
    entries.update(more or {})
    with zipfile.ZipFile(out, "w", method) as zipped:
        for name, content in entries.items():
            zipped.writestr(zipfile.ZipInfo(folder + name, TIME), content, method)
    return out.getvalue()


def changed(change):
    model = sound()
    change(model)
    return archive(model)


def graph(model):
    return model["graph_module"]["graph"]


def set_node(index, key, value):
    return lambda model: graph(model)["nodes"][index].__setitem__(key, value)


def argument(value):
    return lambda model: graph(model)["nodes"][0]["inputs"][0].__setitem__("arg", value)


def nested(model):
    inner = None
    for _ in range(40):
        body = {"inputs": [], "outputs": [], "nodes": [], "tensor_values": {}}
        if inner:
            body["nodes"] = [{"target": "torch.ops.higher_order.cond",
                              "inputs": [{"name": "", "arg": {"as_graph": {"name": "g", "graph": inner}}, "kind": 1}],
                              "outputs": [], "metadata": {}}]
        inner = body
    argument({"as_graph": {"name": "g", "graph": inner}})(model)


def shared_pair(model):
    graph(model)["nodes"][0]["inputs"][0]["arg"] = arg("b")


S0 = "Symbol('s0', positive=True, integer=True)"

# Each function that sizes are computed with, and its value where s0 is 2.
FUNCTIONS = {
    f"Add({S0}, Integer(5))": 7, f"Mul(Integer(3), {S0})": 6, f"Max({S0}, Integer(9))": 9, f"Min({S0}, Integer(1))": 1,
    f"Pow({S0}, Integer(3))": 8, f"PowByNatural({S0}, 4)": 16, f"Mul(Rational(1, 2), {S0})": 1,
    f"FloorDiv({S0}, Integer(2))": 1, f"CleanDiv(Mul(4, {S0}), 2)": 4, f"CeilDiv({S0}, 3)": 1, f"Mul(2, IntTrueDiv({S0}, 2))": 2,
    f"Mod(7, {S0})": 1, f"PythonMod(Integer(-3), {S0})": 1, f"floor(IntTrueDiv({S0}, 4))": 0, f"ceiling(IntTrueDiv({S0}, 4))": 1,
    f"ToFloat({S0})": 2, f"TruncToInt(ToFloat({S0}))": 2, f"FloorToInt(IntTrueDiv({S0}, 4))": 0,
    f"CeilToInt(IntTrueDiv({S0}, 4))": 1,
}


def sized(expression, hint):
    """A value between the linears has this size; that of the input stays a symbol alone, or nothing could be computed."""
    return changed(lambda m: graph(m)["tensor_values"]["a"]["sizes"].__setitem__(0, computed(expression, hint)))


def every_function(model):
    """Values that no node makes are not looked at."""
    for i, (expression, value) in enumerate(FUNCTIONS.items()):
        graph(model)["tensor_values"][f"e{i}"] = tensor([computed(expression, value), {"as_int": 4}])
        graph(model)["sym_int_values"][f"n{i}"] = computed(expression, value)
        graph(model)["nodes"] += [
            {"target": "torch.ops.aten.neg.default", "inputs": [{"name": "self", "arg": arg("x"), "kind": 1}],
             "outputs": [arg(f"e{i}")], "metadata": {}}, size_node("math.trunc", [], f"n{i}")]


def other_number(model):
    graph(model)["nodes"].append(size_node("math.trunc", [], "n"))
    graph(model)["sym_int_values"]["n"] = computed(f"Add({S0}, 1)", 400)


def size_node(target, reads, result):
    number = lambda name: {"as_sym_int": {"as_name": name}}
    return {"target": target, "inputs": [{"name": "", "arg": number(name), "kind": 1} for name in reads],
            "outputs": [number(result)], "metadata": {}}


def symbolic_loop(*nodes):
    def change(model):
        graph(model)["nodes"] = [size_node("_operator.mul", reads, result) for reads, result in nodes] + graph(model)["nodes"]
        for _, result in nodes:
            graph(model)["sym_int_values"][result] = computed(f"Mul(2, {S0})", 4)
    return changed(change)


def from_file(model):
    """The first node maps a file that is not there, which makes it; the second one fills it."""
    values = graph(model)["tensor_values"]
    values["mapped"] = values["filled"] = tensor([{"as_int": 8}])
    node = lambda target, inputs, result: {
        "target": target, "inputs": [{"name": n, "arg": a, "kind": 1} for n, a in inputs.items()],
        "outputs": [arg(result)], "metadata": {"nn_module_stack": "L__self__,,model.Tiny"}, "name": result}
    graph(model)["nodes"] = [
        node("torch.ops.aten.from_file.default", {"filename": {"as_string": "made-by-an-archive"}, "shared": {"as_bool": True},
                                                  "size": {"as_int": 8}, "dtype": {"as_scalar_type": 7}}, "mapped"),
        node("torch.ops.aten.fill_.Scalar", {"self": arg("mapped"), "value": {"as_float": 12.07843}}, "filled"),
    ] + graph(model)["nodes"]


def lying_size(data):
    """The directory says that model.json has 4 GB."""
    at = data.index(b"PK\x01\x02")
    return data[:at + 24] + struct.pack("<I", 0xFFFFFFF0) + data[at + 28:]


def short_size(data):
    at = data.index(b"PK\x01\x02")
    return data[:at + 24] + struct.pack("<I", 16) + data[at + 28:]


def with_strides(strides):
    config = weights()
    config["config"]["layers.0.weight"]["tensor_meta"]["strides"] = strides
    return config


def corpus():
    whole = archive(sound())
    notes = {"schema": "headroom.capture/1", "model": "model.Tiny", "training": True, "blocks": ["layers.0", "layers.1"]}
    note = lambda content: archive(sound(), more={"extra/headroom.json": json.dumps(content).encode()})
    odd = weights()
    odd["config"]["layers.0.weight"]["path_name"] = "../../../../etc/passwd"
    pickled = weights()
    pickled["config"]["layers.0.weight"]["use_pickle"] = True
    huge = weights()
    for entry in huge["config"].values():
        entry["tensor_meta"]["sizes"] = [{"as_int": 1 << 62}, {"as_int": 1 << 62}]
    strides = lambda of: archive(sound(), with_strides(of))
    bomb = b'{"graph_module": [' + b"0," * 3_000_000 + b"0]}"
    return {
        "sound": whole,
        "sound_with_notes": note(notes),
        "sound_compressed": archive(sound(), method=zipfile.ZIP_DEFLATED),
        "sound_without_folder": archive(sound(), folder=""),
        "empty": b"",
        "no_zip": b"PK is how it begins, and nothing else",
        "truncated": whole[: len(whole) // 2],
        "truncated_directory": whole[:-30],
        "no_entries": b"PK\x05\x06" + bytes(18),
        "flipped_byte": whole[:200] + bytes([whole[200] ^ 0x20]) + whole[201:],
        "lying_size": lying_size(whole),
        "short_size": short_size(whole),
        "no_model": archive(sound(), folder="").replace(b"models/model.json", b"models/other.json"),
        "no_json": archive(b"model"),
        "number_beyond": archive(b"4e4444"),
        "no_utf8": archive(b'{"graph_module": "\xff\xfe\xfd"}'),
        "deep_json": archive(b"[" * 100_000, method=zipfile.ZIP_DEFLATED),
        "bomb": archive(bomb + bomb + bomb, method=zipfile.ZIP_DEFLATED),
        "list": archive(b"[]"),
        "null": archive(b"null"),
        "other_schema": changed(lambda m: m["schema_version"].update(major=9)),
        "schema_text": changed(lambda m: m["schema_version"].update(major="8")),
        "no_schema": changed(lambda m: m.pop("schema_version")),
        "no_graph": changed(lambda m: m["graph_module"].pop("graph")),
        "graph_number": changed(lambda m: m["graph_module"].update(graph=7)),
        "nodes_object": changed(lambda m: graph(m).update(nodes={})),
        "node_text": changed(lambda m: graph(m).update(nodes=["linear"])),
        "no_target": changed(lambda m: graph(m)["nodes"][0].pop("target")),
        "target_list": changed(set_node(0, "target", [])),
        "unknown_kind": changed(argument({"as_custom_obj": {"name": "c"}})),
        "two_kinds": changed(argument({"as_int": 1, "as_float": 2.0})),
        "empty_kind": changed(argument({})),
        "argument_number": changed(argument(3)),
        "integer_text": changed(argument({"as_int": "3"})),
        "integer_beyond": changed(argument({"as_int": 1 << 64})),
        "nested_graphs": changed(nested),
        "cyclic": changed(shared_pair),
        "self_reading": changed(argument(arg("a"))),
        "unknown_value": changed(argument(arg("nowhere"))),
        "value_twice": changed(set_node(1, "outputs", [arg("a")])),
        "unknown_output": changed(lambda m: graph(m).update(outputs=[arg("nowhere")])),
        "no_values": changed(lambda m: graph(m).pop("tensor_values")),
        "values_list": changed(lambda m: graph(m).update(tensor_values=[1, 2])),
        "unknown_dtype": changed(lambda m: graph(m)["tensor_values"]["a"].update(dtype=99)),
        "negative_size": changed(lambda m: graph(m)["tensor_values"]["a"].update(sizes=[{"as_int": -4}])),
        "size_text": changed(lambda m: graph(m)["tensor_values"]["a"].update(sizes=["4"])),
        "huge_value": changed(lambda m: graph(m)["tensor_values"]["a"].update(sizes=[{"as_int": 1 << 40}] * 2)),
        "many_dimensions": changed(lambda m: graph(m)["tensor_values"]["a"].update(sizes=[{"as_int": 1}] * 100)),
        "huge_weights": archive(sound(), huge),
        "stride_too_few": strides([{"as_int": 1}]),
        "stride_negative": strides([{"as_int": -4}, {"as_int": 1}]),
        "stride_text": strides(["4", {"as_int": 1}]),
        "odd_expression": changed(lambda m: graph(m)["tensor_values"]["x"]["sizes"].__setitem__(
            0, {"as_expr": {"expr_str": "Mul(" * 5000, "hint": {"as_int": 2}}})),
        "expression_number": changed(lambda m: graph(m)["tensor_values"]["x"]["sizes"].__setitem__(
            0, {"as_expr": {"expr_str": 5}})),
        "division_by_zero": changed(lambda m: graph(m)["tensor_values"]["x"]["sizes"].__setitem__(
            0, {"as_expr": {"expr_str": "FloorDiv(Symbol('s0'), Integer(0))", "hint": {"as_int": 2}}})),
        "every_function": changed(every_function),
        "wide_expression": sized("Add(" + ", ".join([S0] * 5000) + ")", 10_000),
        "deep_expression": sized("Max(" * 90 + S0 + ", 1)" * 90, 2),
        "quotient_of_zero": sized(f"FloorDiv({S0}, Integer(0))", 2),
        "remainder_of_zero": sized(f"Mod({S0}, Add({S0}, Integer(-2)))", 1),
        "infinite_power": sized(f"Pow({S0}, Integer(99999))", 2),
        "power_beyond": sized(f"Pow({S0}, Integer(60))", 1 << 40),
        "negative_expression": sized(f"Add({S0}, Integer(-100))", 0),
        "other_than_the_example": sized(f"Mul({S0}, Integer(3))", 5),
        "number_other_than_the_example": changed(other_number),
        "size_of_itself": changed(lambda m: graph(m)["tensor_values"]["x"]["sizes"].__setitem__(0, computed(f"Mul(2, {S0})", 2))),
        "symbolic_loop": symbolic_loop((["n", "n"], "n")),
        "symbolic_loop_of_two": symbolic_loop((["m", "m"], "n"), (["n", "n"], "m")),
        "from_file": changed(from_file),
        "deep_guard": changed(lambda m: m.update(guards_code=["(" * 20_000 + "1" + ")" * 20_000])),
        "long_guard": changed(lambda m: m.update(guards_code=["not " * 20_000 + "1"])),
        "odd_guards": changed(lambda m: m.update(guards_code=["L[", "L['x'].size()[99] == 1", "1 % 0", "", 5, "2 ** 9999"])),
        "guards_number": changed(lambda m: m.update(guards_code=5)),
        "ranges_list": changed(lambda m: m.update(range_constraints=[1])),
        "range_backwards": changed(lambda m: m.update(range_constraints={"s0": {"min_val": 64, "max_val": 2}})),
        "no_signature": changed(lambda m: m["graph_module"].pop("signature")),
        "unknown_input_kind": changed(lambda m: m["graph_module"]["signature"]["input_specs"].append({"token": {}})),
        "parameter_without_value": changed(lambda m: m["graph_module"]["signature"]["input_specs"][0]["parameter"].update(
            arg={"name": "nowhere"})),
        "parameter_without_weight": changed(
            lambda m: m["graph_module"]["signature"]["input_specs"][0]["parameter"].update(parameter_name="other")),
        "input_without_value": changed(lambda m: m["graph_module"]["signature"]["input_specs"].append(
            {"user_input": {"arg": arg("y")}})),
        "path_outside": archive(sound(), odd),
        "pickled": archive(sound(), pickled),
        "weights_list": archive(sound(), [1]),
        "notes_other_schema": note({**notes, "schema": "headroom.capture/99"}),
        "notes_list": note([1]),
        "notes_types": note({**notes, "blocks": [1, 2], "tied": {"a": 5}}),
        "notes_lifetimes": note({**notes, "lifetimes": {"inference": {"a": 5}}}),
        "notes_circle": note({**notes, "tied": {"layers.0.weight": ["layers.1.weight"],
                                                "layers.1.weight": ["layers.0.weight"]}}),
        "long_names": changed(lambda m: graph(m)["nodes"][0].update(target="torch.ops." + "x" * 100_000)),
        "odd_stack": changed(lambda m: graph(m)["nodes"][0]["metadata"].update(
            nn_module_stack=";;,,;a,b;" + "L__self__,x.,y;" * 300, stack_trace='File "' * 500)),
    }


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "corpus" / "archive")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in corpus().items():
        (folder / f"{name}.pt2").write_bytes(content)


if __name__ == "__main__":
    main()
