// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

namespace headroom::protocol {

/// What a worker may do beyond computing, of all that its user may. It is told on its command line, and gives up the
/// rest before it reads a request (docs/worker-protocol.md, "What it may do").
struct WorkerRights {
    std::set<std::string> reads{}; ///< files, and folders with all in them
    std::string spoolFolder{}; ///< where it may write; empty: nowhere
    std::string cardFolder{}; ///< of a card that is not there, where it keeps its accounts; empty: none
    bool usesGpu = false;

    /// Whether these suffice where `others` are needed.
    bool cover(const WorkerRights& others) const;
    bool operator==(const WorkerRights&) const = default;
};

/// These rights and those of `more`; of two spool folders that of `more`.
WorkerRights joined(WorkerRights rights, const WorkerRights& more);

/// `--read PATH`, `--spool FOLDER`, `--card FOLDER`, `--gpu`
std::vector<std::string> toArguments(const WorkerRights& rights);
/// Throws UsageError for anything else.
WorkerRights rightsFromArguments(std::span<const std::string> arguments);

} // namespace headroom::protocol
