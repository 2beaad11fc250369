// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/answer/WorkerPids.h"

#include <filesystem>
#include <fstream>

namespace headroom::ui {

std::vector<int> workerPids()
{
    std::vector<int> pids;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream children(task.path() / "children");
        for (int pid = 0; children >> pid;)
            pids.push_back(pid);
    }
    return pids;
}

} // namespace headroom::ui
