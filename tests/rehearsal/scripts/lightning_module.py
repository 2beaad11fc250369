# SPDX-License-Identifier: Apache-2.0
"""Four steps of Lightning, whose optimizers compute the loss in a closure, then the script's own peaks."""

import lightning
import torch


class Module(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(512, 512)

    def training_step(self, batch, _):
        return self.linear(batch).square().mean()

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters())


loader = torch.utils.data.DataLoader(torch.randn(32, 512), batch_size=4)
trainer = lightning.Trainer(max_steps=4, precision="bf16-mixed", logger=False, enable_progress_bar=False,
                            enable_checkpointing=False, enable_model_summary=False)
trainer.fit(Module(), loader)
print(torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved())
