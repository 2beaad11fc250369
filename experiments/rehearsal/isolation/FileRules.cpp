// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/FileRules.h"

#include "experiments/rehearsal/isolation/MountTable.h"

#include <algorithm>
#include <string>
#include <system_error>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;
using confinement::FileRule;
using confinement::FileUse;

// A rule holds for all that is below, and none takes anything back, so folders with something hidden are gone through.
// Links are followed to where another rule decides.
void addRules(const fs::path& path, FileUse use, const std::vector<fs::path>& hidden, std::vector<FileRule>& rules)
{
    const auto isHiding = [&](const fs::path& one) { return isBelow(one.string(), path.string()); };
    if (path != "/" && std::ranges::none_of(hidden, isHiding)) {
        rules.push_back({path, use});
        return;
    }
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored))
        if (!entry.is_symlink(ignored) && entry.path() != "/dev")
            addRules(entry.path(), use, hidden, rules);
}

} // namespace

std::vector<FileRule> fileRules(FileUse use, const std::vector<fs::path>& written, const std::vector<fs::path>& hidden)
{
    std::vector<FileRule> rules{{"/", FileUse::List}, {"/dev/shm", FileUse::All}, {"/dev/pts", FileUse::Device}};
    for (const char* device : {"null", "zero", "full", "random", "urandom", "tty", "ptmx"})
        rules.push_back({fs::path("/dev") / device, FileUse::Device});
    addRules("/", use, hidden, rules);
    for (const fs::path& path : written)
        rules.push_back({path, FileUse::All});
    return rules;
}

} // namespace headroom::experiments
