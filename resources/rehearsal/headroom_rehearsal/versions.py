# SPDX-License-Identifier: Apache-2.0
"""Versions of the libraries that a script has loaded, of those that shape what it allocates."""

import sys

# Module and distribution, where they differ.
WELL_KNOWN = {
    "accelerate": None, "apex": None, "bitsandbytes": None, "datasets": None, "deepspeed": None, "diffusers": None,
    "flash_attn": "flash-attn", "galore_torch": "galore-torch", "lightning": None, "liger_kernel": "liger-kernel",
    "llamafactory": None, "mamba_ssm": "mamba-ssm", "numpy": None, "peft": None, "pytorch_lightning": "pytorch-lightning",
    "safetensors": None, "sentence_transformers": "sentence-transformers", "swift": "ms-swift", "timm": None,
    "tokenizers": None, "torchao": None, "torchaudio": None, "torchtitan": None, "torchtune": None, "torchvision": None,
    "transformer_engine": "transformer-engine", "transformers": None, "triton": None, "trl": None, "unsloth": None,
    "xformers": None,
}


def loaded_versions(torch):
    versions = {"python": sys.version.split()[0], "torch": str(torch.__version__), "cuda": torch.version.cuda}
    for module, distribution in WELL_KNOWN.items():
        if module in sys.modules:
            versions[module] = version_of(module, distribution or module)
    return versions


def version_of(module, distribution):
    from importlib import metadata

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        version = getattr(sys.modules[module], "__version__", None)
        return version if isinstance(version, str) else None
