# SPDX-License-Identifier: Apache-2.0
"""Full fine-tuning of a causal language model with transformers' Trainer; all of TrainingArguments are flags."""

from dataclasses import dataclass

from datasets import Dataset
from local_text import make_texts, make_tokenizer
from transformers import AutoModelForCausalLM, DataCollatorForLanguageModeling, HfArgumentParser, Trainer, TrainingArguments


@dataclass
class Task:
    model: str
    block: int = 2048
    samples: int = 64


def main():
    task, training = HfArgumentParser((Task, TrainingArguments)).parse_args_into_dataclasses()
    tokenizer = make_tokenizer()
    model = AutoModelForCausalLM.from_pretrained(task.model, dtype="bfloat16")
    model.config.use_cache = False

    texts = Dataset.from_dict({"text": make_texts(task.samples, task.block, task.block + 100)})
    tokens = texts.map(lambda batch: tokenizer(batch["text"], truncation=True, max_length=task.block), batched=True,
                       remove_columns=["text"])
    trainer = Trainer(model=model, args=training, train_dataset=tokens, processing_class=tokenizer,
                      data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False))
    trainer.train()
    trainer.save_model()


if __name__ == "__main__":
    main()
