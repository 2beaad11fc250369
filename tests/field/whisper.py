# SPDX-License-Identifier: Apache-2.0
"""Speech recognition: a model of Whisper small's shape in Seq2SeqTrainer, spectra of 30 seconds."""

import torch
from transformers import Seq2SeqTrainer, Seq2SeqTrainingArguments, WhisperConfig, WhisperForConditionalGeneration


class Speech(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return {"features": torch.randn(80, 3000), "labels": torch.randint(50000, (20 + index,))}


def collate(samples):
    labels = torch.nn.utils.rnn.pad_sequence([sample["labels"] for sample in samples], batch_first=True,
                                             padding_value=-100)
    return {"input_features": torch.stack([sample["features"] for sample in samples]), "labels": labels}


config = WhisperConfig(d_model=768, encoder_layers=12, decoder_layers=12, encoder_attention_heads=12,
                       decoder_attention_heads=12, encoder_ffn_dim=3072, decoder_ffn_dim=3072)
model = WhisperForConditionalGeneration(config)
arguments = Seq2SeqTrainingArguments(output_dir="whisper", per_device_train_batch_size=8, max_steps=5, fp16=True,
                                     learning_rate=1e-5, warmup_steps=2, logging_steps=1, report_to=[],
                                     remove_unused_columns=False, dataloader_num_workers=2)
Seq2SeqTrainer(model=model, args=arguments, train_dataset=Speech(), data_collator=collate).train()
