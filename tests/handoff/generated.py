# SPDX-License-Identifier: Apache-2.0
"""What `headroom settings` writes, and what it defines."""

import json
import subprocess
import sys

HEADROOM = sys.argv[1] if len(sys.argv) > 1 else "headroom"


def settings(target, *arguments):
    """The document headroom.settings/1 of a trial."""
    command = [HEADROOM, "settings", *arguments, "--for", target, "--format", "json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def module_of(document):
    """What the generated Python defines, on the CPU."""
    names = {}
    text = document["text"].replace('DEVICE = "cuda"', 'DEVICE = "cpu"')
    text = text.replace("output_dir=output_dir,", "output_dir=output_dir, use_cpu=True,")
    exec(compile(text, document["file"], "exec"), names)
    return names


def lacking(document):
    return {each["path"] for each in document["lacking"]}


def counting_checkpoint(names):
    """Counts the regions that generated code runs; returns the list of what was called."""
    real, calls = names["checkpoint"], []

    def counted(block, *args, **kwargs):
        calls.append(kwargs)
        return real(block, *args, **kwargs)

    names["checkpoint"] = counted
    return calls


def fields_of(model):
    text = subprocess.run([HEADROOM, "models", model, "--format", "json"], check=True, capture_output=True, text=True).stdout
    unknown = {"weights", "keep_in_fp32_modules"}
    return {field["name"]: field["default"] for field in json.loads(text)["fields"] if field["name"] not in unknown}
