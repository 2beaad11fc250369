# SPDX-License-Identifier: Apache-2.0
"""Speech recognition with CTC: a model of wav2vec 2.0 base's shape in Trainer, clips of different lengths."""

import random

import torch
from transformers import Trainer, TrainingArguments, Wav2Vec2Config, Wav2Vec2ForCTC


class Clips(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        seconds = random.Random(index).uniform(4, 12)
        return {"sound": torch.randn(int(16000 * seconds)), "labels": torch.randint(1, 32, (int(8 * seconds),))}


def collate(clips):
    pad = torch.nn.utils.rnn.pad_sequence
    sounds = pad([clip["sound"] for clip in clips], batch_first=True)
    lengths = torch.tensor([len(clip["sound"]) for clip in clips])
    mask = (torch.arange(sounds.shape[1])[None] < lengths[:, None]).long()
    return {"input_values": sounds, "attention_mask": mask,
            "labels": pad([clip["labels"] for clip in clips], batch_first=True, padding_value=-100)}


model = Wav2Vec2ForCTC(Wav2Vec2Config(vocab_size=32, ctc_loss_reduction="mean", pad_token_id=0))
model.freeze_feature_encoder()
arguments = TrainingArguments(output_dir="wav2vec2", per_device_train_batch_size=8, max_steps=5, fp16=True,
                              gradient_checkpointing=True, logging_steps=1, report_to=[], remove_unused_columns=False)
Trainer(model=model, args=arguments, train_dataset=Clips(), data_collator=collate).train()
