# SPDX-License-Identifier: Apache-2.0
"""A causal language model in Lightning, bf16-mixed."""

import argparse

import lightning
import torch
from torch.utils.data import DataLoader
from transformers import AutoConfig, AutoModelForCausalLM


class LanguageModel(lightning.LightningModule):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.model = None

    def configure_model(self):
        if self.model is None:
            self.model = AutoModelForCausalLM.from_config(self.config, dtype=torch.float32)

    def training_step(self, batch, _):
        loss = self.model(input_ids=batch, labels=batch).loss
        self.log("loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, _):
        self.log("validation_loss", self.model(input_ids=batch, labels=batch).loss)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-5, weight_decay=0.1)


parser = argparse.ArgumentParser()
parser.add_argument("--config", required=True)
parser.add_argument("--layers", type=int, default=8)
options = parser.parse_args()

config = AutoConfig.from_pretrained(options.config)
config.num_hidden_layers = options.layers
train = DataLoader(torch.randint(config.vocab_size, (64, 1024)), batch_size=2)
validation = DataLoader(torch.randint(config.vocab_size, (4, 1024)), batch_size=2)
trainer = lightning.Trainer(accelerator="gpu", devices=1, precision="bf16-mixed", max_steps=10, gradient_clip_val=1.0,
                            logger=False, enable_checkpointing=False)
trainer.fit(LanguageModel(config), train, validation)
