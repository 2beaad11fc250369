// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/WorkerRights.h"

#include "core/base/Error.h"

#include <algorithm>

namespace headroom::protocol {
namespace {

constexpr const char* kRead = "--read";
constexpr const char* kSpool = "--spool";
constexpr const char* kCard = "--card";
constexpr const char* kGpu = "--gpu";

} // namespace

bool WorkerRights::cover(const WorkerRights& others) const
{
    return std::ranges::includes(reads, others.reads)
        && (others.spoolFolder.empty() || others.spoolFolder == spoolFolder)
        && (others.cardFolder.empty() || others.cardFolder == cardFolder) && (usesGpu || !others.usesGpu);
}

WorkerRights joined(WorkerRights rights, const WorkerRights& more)
{
    rights.reads.insert(more.reads.begin(), more.reads.end());
    if (!more.spoolFolder.empty())
        rights.spoolFolder = more.spoolFolder;
    if (!more.cardFolder.empty())
        rights.cardFolder = more.cardFolder;
    rights.usesGpu = rights.usesGpu || more.usesGpu;
    return rights;
}

std::vector<std::string> toArguments(const WorkerRights& rights)
{
    std::vector<std::string> arguments;
    for (const std::string& path : rights.reads)
        arguments.insert(arguments.end(), {kRead, path});
    if (!rights.spoolFolder.empty())
        arguments.insert(arguments.end(), {kSpool, rights.spoolFolder});
    if (!rights.cardFolder.empty())
        arguments.insert(arguments.end(), {kCard, rights.cardFolder});
    if (rights.usesGpu)
        arguments.emplace_back(kGpu);
    return arguments;
}

WorkerRights rightsFromArguments(std::span<const std::string> arguments)
{
    WorkerRights rights;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& flag = arguments[i];
        const bool hasPath = i + 1 < arguments.size();
        if (flag == kGpu)
            rights.usesGpu = true;
        else if (flag == kRead && hasPath)
            rights.reads.insert(arguments[++i]);
        else if (flag == kSpool && hasPath)
            rights.spoolFolder = arguments[++i];
        else if (flag == kCard && hasPath)
            rights.cardFolder = arguments[++i];
        else
            throw UsageError("cannot be understood", flag, "--read PATH, --spool FOLDER, --card FOLDER, --gpu");
    }
    return rights;
}

} // namespace headroom::protocol
