# SPDX-License-Identifier: Apache-2.0
"""Steps of diffusers' LTX-Video in Python, as beside_diffusers.py asks for them: never run by hand.

Reads the case as one line of JSON, answers "ready" when the model has made its warm-up steps, and then, for each line with a
number, the seconds of so many steps as one line of JSON. A step is what Headroom's worker times: gradients dropped, forward, loss,
backward, plain SGD, and the EMA where there is one; or the forward alone, without gradients.
"""

import json
import sys
import time

import diffusers
import torch
import torch.nn.functional
from diffusers import LTXVideoTransformer3DModel
from diffusers.training_utils import EMAModel

SPATIAL, TEMPORAL = 32, 8  # pixels and frames of one latent token


class SplitFeedForward(torch.nn.Module):
    """A feed-forward in slices of its inner channels, over views of the layer's weights: the published split version."""

    def __init__(self, layer, slices):
        super().__init__()
        self.layer = layer
        self.slices = slices

    def forward(self, hidden):
        inner, outer = self.layer.net[0].proj, self.layer.net[2]
        length = inner.out_features // self.slices
        result = None
        for first in range(0, inner.out_features, length):
            rows = slice(first, first + length)
            part = torch.nn.functional.linear(hidden, inner.weight[rows], inner.bias[rows])
            part = torch.nn.functional.gelu(part, approximate="tanh")
            part = torch.nn.functional.linear(part, outer.weight[:, rows])
            result = part if result is None else result + part
        return result + outer.bias


def model_of(case):
    model = LTXVideoTransformer3DModel(**case["fields"])
    if case["step"] == "inference":
        model.eval().requires_grad_(False)
    if case["technique"] == "checkpointing":
        model.enable_gradient_checkpointing()
    if case["technique"] == "casting":
        model.enable_layerwise_casting(storage_dtype=torch.float8_e4m3fn, compute_dtype=torch.float32)
    if case["technique"] == "split_ffn":
        for block in model.transformer_blocks:
            block.ff = SplitFeedForward(block.ff, int(case["notation"]))
    return model


def inputs_of(case):
    shapes, fields = case["shapes"], case["fields"]
    extent = {"num_frames": (shapes["frames"] - 1) // TEMPORAL + 1, "height": shapes["height"] // SPATIAL,
              "width": shapes["width"] // SPATIAL}
    tokens = extent["num_frames"] * extent["height"] * extent["width"]
    batch, text = shapes["batch"], shapes["text_tokens"]
    return {"hidden_states": torch.randn(batch, tokens, fields.get("in_channels", 128)),
            "encoder_hidden_states": torch.randn(batch, text, fields["caption_channels"]),
            "encoder_attention_mask": torch.randint(2, (batch, text), dtype=torch.bool),
            "timestep": torch.randint(1000, (batch,)), **extent, "return_dict": False}


class Steps:
    def __init__(self, case):
        torch.manual_seed(0)
        self.trains = case["step"] == "train"
        self.model = model_of(case)
        self.inputs = inputs_of(case)
        self.target = torch.randn(self.inputs["hidden_states"].shape)
        parameters = list(self.model.parameters())
        self.optimizer = torch.optim.SGD(parameters, lr=1e-3) if self.trains else None
        self.average = EMAModel(parameters) if case["technique"] == "ema" else None
        self.parameters = parameters

    def run(self):
        if not self.trains:
            with torch.no_grad():
                return self.model(**self.inputs)[0]
        self.optimizer.zero_grad(set_to_none=True)
        loss = torch.nn.functional.mse_loss(self.model(**self.inputs)[0], self.target)
        loss.backward()
        self.optimizer.step()
        if self.average is not None:
            self.average.step(self.parameters)
        return loss.detach()

    def timed(self):
        begin = time.perf_counter()
        self.run()
        return time.perf_counter() - begin


def main():
    case = json.loads(sys.stdin.readline())
    steps = Steps(case)
    for _ in range(case["warmup_steps"]):
        steps.run()
    print(json.dumps({"ready": True, "torch": torch.__version__, "diffusers": diffusers.__version__,
                      "threads": torch.get_num_threads()}), flush=True)
    for line in sys.stdin:
        print(json.dumps([steps.timed() for _ in range(int(line))]), flush=True)


if __name__ == "__main__":
    main()
