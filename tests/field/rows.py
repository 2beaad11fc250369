# SPDX-License-Identifier: Apache-2.0
"""The rows of docs/measurements/rehearsed-scripts.md: which script, with which flags, on which card."""

from dataclasses import dataclass

LLAMA = "llama_1b.json"
TRAINER = ("trainer_full.py --model {ghost} --output_dir out --bf16 --gradient_checkpointing --max_steps 10 "
           "--per_device_train_batch_size 2 --logging_steps 1 --report_to none --optim ")

TUNE = ("-m torchtune._cli.tune run {0}_finetune_single_device --config {{configs}}/torchtune_{0}.yaml "
        "checkpointer.checkpoint_dir={{ghost}}")
SWIFT = ("-m swift.cli.main sft --model {ghost} --model_type llama --template llama3_2 --tuner_type lora --torch_dtype bfloat16 "
         "--dataset {configs}/talk.jsonl#200 --per_device_train_batch_size 4 --max_length 1024 --max_steps 10 "
         "--output_dir out --report_to none")

FACTORY = ("-m llamafactory.cli train {configs}/llamafactory_lora.yaml model_name_or_path={ghost} "
           "dataset_dir={configs}")


@dataclass
class Row:
    name: str
    what: str  # as the table says it
    libraries: str  # whose versions are told
    command: str
    ghost: str = ""
    device: str = "h100-80gb"
    steps: int = 3
    allocator: str = ""
    again: bool = False  # run twice: the same bytes?
    python: str = "HEADROOM_FIELD_PYTHON"  # the variable that names it
    note: str = ""  # a remark that the answer does not make


ROWS = [
    Row("trainer-full", "Trainer, full, 1B, 2 x 2048, checkpoints", "transformers", TRAINER + "adamw_torch_fused", LLAMA,
        again=True),
    Row("trainer-adafactor", "the same, Adafactor", "transformers", TRAINER + "adafactor", LLAMA),
    Row("trainer-8bit", "the same, 8-bit AdamW", "transformers bitsandbytes", TRAINER + "adamw_8bit", LLAMA, again=True),
    Row("trainer-paged", "the same, paged 8-bit AdamW", "transformers bitsandbytes", TRAINER + "paged_adamw_8bit", LLAMA),
    Row("trainer-compiled", "the same, `--torch_compile`", "transformers triton",
        TRAINER + "adamw_torch_fused --torch_compile", LLAMA),
    Row("trainer-liger", "the same, Liger kernels", "transformers liger_kernel",
        TRAINER + "adamw_torch_fused --use_liger_kernel", LLAMA),
    Row("trainer-expandable", "the same, `expandable_segments:True`", "transformers", TRAINER + "adamw_torch_fused", LLAMA,
        allocator="expandable_segments:True"),
    Row("trainer-async", "the same, `backend:cudaMallocAsync`", "transformers", TRAINER + "adamw_torch_fused", LLAMA,
        allocator="backend:cudaMallocAsync", note="PyTorch keeps no statistics of its own there"),
    Row("trainer-to-the-end", "the same, 4 steps, evaluates nothing, saves", "transformers",
        TRAINER.replace("--max_steps 10", "--max_steps 4") + "adamw_torch_fused", LLAMA, steps=0),
    Row("lora-8b", "Trainer, LoRA, 8B, 2 x 1024, checkpoints", "transformers peft", "trainer_lora.py --model {ghost}",
        "llama-3-8b", again=True),
    Row("lora-8b-24gb", "the same", "transformers peft", "trainer_lora.py --model {ghost}", "llama-3-8b",
        device="rtx4090"),
    Row("qlora-8b-24gb", "QLoRA (nf4), 8B, 2 x 1024, checkpoints", "transformers peft bitsandbytes",
        "trainer_lora.py --model {ghost} --nf4", "llama-3-8b", device="rtx4090", again=True),
    Row("sft", "TRL SFT, LoRA, padded", "trl peft", "trl_sft.py --model {ghost}", LLAMA, again=True),
    Row("sft-packed", "TRL SFT, LoRA, packed", "trl peft", "trl_sft.py --model {ghost} --packing", LLAMA),
    Row("sft-liger", "TRL SFT, LoRA, Liger kernels", "trl liger_kernel", "trl_sft.py --model {ghost} --liger", LLAMA),
    Row("dpo", "TRL DPO, LoRA", "trl peft", "trl_dpo.py --model {ghost}", LLAMA, again=True),
    Row("grpo", "TRL GRPO, LoRA, 8 x 128 by `generate`", "trl peft", "trl_grpo.py --model {ghost}", LLAMA),
    Row("torchtune-lora", "torchtune `lora_finetune_single_device`, 1B, batch 4", "torchtune torch torchao",
        TUNE.format("lora"), LLAMA, python="HEADROOM_FIELD_TORCHTUNE", again=True),
    Row("torchtune-full", "torchtune `full_finetune_single_device`, 1B, batch 4", "torchtune torch torchao",
        TUNE.format("full"), LLAMA, python="HEADROOM_FIELD_TORCHTUNE"),
    Row("swift", "ms-swift `sft`, LoRA, 1B", "swift transformers peft", SWIFT, LLAMA, python="HEADROOM_FIELD_SWIFT"),
    Row("llamafactory", "LLaMA-Factory `train`, LoRA, 1B", "llamafactory transformers peft", FACTORY, LLAMA,
        python="HEADROOM_FIELD_LLAMAFACTORY"),
    Row("accelerate", "accelerate, 1B in float32, bf16 autocast, accumulation", "accelerate",
        "accelerate_loop.py --config {configs}/llama_1b.json", again=True),
    Row("accelerate-24gb", "the same, batch 2", "accelerate",
        "accelerate_loop.py --config {configs}/llama_1b.json --batch 2", device="rtx4090"),
    Row("lightning", "Lightning, bf16-mixed, 8 layers", "lightning", "lightning_lm.py --config {configs}/llama_1b.json"),
    Row("flux-lora", "Flux.1 shape, LoRA, 1024 px, checkpoints", "diffusers peft", "flux_lora.py", again=True),
    Row("ltx-lora", "LTX-Video shape, LoRA, 49 frames, checkpoints", "diffusers peft", "ltx_lora.py"),
    Row("unet", "UNet2DCondition, full, fp16, EMA, checkpoints", "diffusers accelerate", "unet_full.py"),
    Row("vae", "AutoencoderKL, encoder and decoder, 4 x 256 px", "diffusers", "vae.py"),
    Row("resnet50", "timm ResNet-50, fp16, GradScaler, batch 64", "timm", "timm_classifier.py --model resnet50",
        again=True),
    Row("convnext", "timm ConvNeXt-T, the same, EMA", "timm", "timm_classifier.py --model convnext_tiny --ema"),
    Row("vit", "timm ViT-B/16, the same", "timm", "timm_classifier.py --model vit_base_patch16_224"),
    Row("whisper", "Whisper small shape, Seq2SeqTrainer, fp16", "transformers", "whisper.py"),
    Row("wav2vec2", "wav2vec 2.0 base shape, CTC, fp16, checkpoints", "transformers", "wav2vec2_ctc.py"),
    Row("lstm", "LSTM, 3 layers of 1024", "", "recurrent.py"),
    Row("gru-packed", "GRU over packed sequences, fp16", "", "recurrent.py --kind GRU --packed --fp16"),
    Row("mixtral", "Mixtral-like, 8 experts, 4 layers", "transformers", "mixtral.py", again=True),
    Row("mixtral-eager", "the same, eager experts", "transformers", "mixtral.py --experts eager"),
    Row("float8", "torchao float8 training, 8 layers, checkpoints", "torchao transformers",
        "torchao_training.py --config {configs}/llama_1b.json --as float8"),
    Row("int4-qat", "torchao int4 QAT, 8 layers, checkpoints", "torchao transformers",
        "torchao_training.py --config {configs}/llama_1b.json --as int4-qat"),
    Row("compiled-gpt", "GPT-2's shape, `torch.compile`", "triton", "compiled_gpt.py"),
    Row("cuda-graph", "a whole step in a CUDA graph", "", "cuda_graphs.py", steps=0),
    Row("graphed-callables", "`make_graphed_callables`", "", "cuda_graphs.py --callables", again=True,
        note="some runs reserve 0.5 GiB more; not by addresses, perhaps by the times of events between two streams"),
]
