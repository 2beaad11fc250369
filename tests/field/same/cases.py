# SPDX-License-Identifier: Apache-2.0
"""The models whose step is made three times: by the catalogue on `sim:`, by the catalogue on `rehearsal:`, and by the library's
own class in a script. All in bfloat16, full training, AdamW over all weights at once (foreach), three steps."""

from dataclasses import dataclass, field

CARD = "h100-80gb"


@dataclass
class Case:
    name: str
    model: str  # of the catalogue
    library: str
    fields: dict  # that differ from the catalogue's, under upstream's names
    shapes: dict
    loss: str = "mse"
    options: dict = field(default_factory=dict)  # further arguments of the library's forward
    causes: list = field(default_factory=list)  # of a difference, as the page says them


STEPS = 3

LABELS = "the catalogue's trainer holds the shifted labels for all steps, the library makes them in each step's loss:"
FREQUENCIES = "the library keeps two tables of the rotary embedding's frequencies, 256 bytes each."
CONSTANT = "torchaudio, which transformers imports while the model is made on the card, leaves a constant of 2 bytes there."
BLOCKS = ("as much is requested; two of the catalogue's weights are in cached blocks with 0.5 MiB to spare, left by what was made and "
          "dropped before them, and none of the library's; one segment of 2 MiB follows from that.")

CASES = [
    Case("llama-2", "llama-2-7b", "transformers", {"num_hidden_layers": 4},
         {"batch": 2, "sequence_length": 1024}, loss="cross_entropy", causes=[LABELS + " 16,384 bytes.", FREQUENCIES, CONSTANT]),
    Case("llama-3", "llama-3-8b", "transformers", {"num_hidden_layers": 4},
         {"batch": 1, "sequence_length": 1024}, loss="cross_entropy",
         causes=[LABELS + " 8,200 bytes, of which the last 8 are the padding.", FREQUENCIES, CONSTANT]),
    Case("t5", "t5-v1.1-xxl", "transformers", {"num_layers": 4}, {"batch": 2, "sequence_length": 512},
         causes=[CONSTANT, "the class makes its embedding twice while it loads; the 251 MiB that the first one leaves serve later requests, and "
                 "30 MiB less is reserved in the end."]),
    Case("ltx-video", "ltx-video-2b", "diffusers", {"num_layers": 6},
         {"batch": 1, "frames": 17, "height": 512, "width": 768, "text_tokens": 128}),
    Case("flux", "flux-dev", "diffusers", {"num_layers": 2, "num_single_layers": 4},
         {"batch": 1, "height": 512, "width": 512, "text_tokens": 512}, causes=[BLOCKS]),
    Case("wan", "wan-2.1-1.3b", "diffusers", {"num_layers": 6},
         {"batch": 1, "frames": 17, "height": 256, "width": 384, "text_tokens": 512}),
    Case("cogvideox-2b", "cogvideox-2b", "diffusers", {"num_layers": 4},
         {"batch": 1, "frames": 9, "height": 480, "width": 720, "text_tokens": 226}),
    Case("cogvideox-5b", "cogvideox-5b", "diffusers", {"num_layers": 4},
         {"batch": 1, "frames": 9, "height": 480, "width": 720, "text_tokens": 226}),
]
