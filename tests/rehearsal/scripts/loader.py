# SPDX-License-Identifier: Apache-2.0
"""Four steps with two workers, started as the argument says; prints how many processes loaded."""

import os
import sys

import torch


class Samples(torch.utils.data.Dataset):
    def __len__(self):
        return 16

    def __getitem__(self, index):
        return torch.randn(8), os.getpid()


def main():
    model = torch.nn.Linear(8, 8).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(Samples(), 4, num_workers=2, multiprocessing_context=sys.argv[1], pin_memory=True)
    workers = set()
    for batch, pids in loader:
        workers.update(pids.tolist())
        model(batch.cuda()).sum().backward()
        optimizer.step()
    print(len(workers))


if __name__ == "__main__":
    main()
