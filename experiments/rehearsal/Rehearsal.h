// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/RehearsalRecords.h"
#include "experiments/rehearsal/isolation/IsolatedCommand.h"
#include "experiments/run/RehearsedCard.h"
#include "profiling/simulator/profiles/DeviceProfile.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A user's command and the card that it is to find.
struct RehearsalTerms {
    std::vector<std::string> command;
    simulator::DeviceProfile device;
    int cards = 1; ///< of a node, which a process sees, all of them of this kind
    int nodes = 1;
    std::vector<int> ranks{}; ///< that are rehearsed, of nodes times cards; empty: one process without a rank
    std::string allocator; ///< as PYTORCH_ALLOC_CONF; empty: the command's own
    std::int64_t steps = 3; ///< of the optimizer, after which it is ended; 0: it ends by itself
    std::string assume = "balanced"; ///< what a shape that depends on float values becomes: all, none, balanced
    CommandTerms::Writes writes = CommandTerms::Writes::Discarded;
    CommandTerms::Network network = CommandTerms::Network::Loopback;
    std::chrono::nanoseconds timeout{0}; ///< zero: none

    int worldSize() const { return ranks.empty() ? 1 : nodes * cards; }
};

/// Which of the ranks a run rehearses.
struct RankPlace {
    int rank = 0;
    std::filesystem::path messages; ///< a folder in which rehearsed ranks leave each other their objects
};

/// What a command did on a card that is not there.
struct RehearsedRun {
    CommandEnd end;
    std::vector<ProcessRecords> processes;
    RehearsedCard::Ledger ledger;
    RehearsedCard::Taken taken;
    std::shared_ptr<const RehearsedCard> card; ///< keeps the snapshots that the records name
    std::optional<int> rank; ///< nothing without ranks

    /// The process that holds most of a card; nullptr where none used one.
    const ProcessRecords* main() const;
    /// The most that all processes had of a card at a time; nothing where none used one.
    std::optional<Bytes> mostTaken() const;
    /// What ended it as not to be rehearsed; nullptr where nothing did.
    const RecordedProblem* problem() const;
};

/// A command that goes on, as it is seen from outside.
struct RehearsalMoment {
    double seconds = 0; ///< since it was started
    bool isUnlimited = false; ///< the second run, without the card's limit
    Bytes taken = 0; ///< of the fullest card, contexts included
    LatestRecords records;
};
using RehearsalWatcher = std::function<void(const RehearsalMoment&)>;

/// Runs the command to its last step, its end, the time limit or a requested stop. Throws UsageError where it cannot be
/// kept from the outside and nobody allowed it to write, or where the card cannot be rehearsed.
/// `watcher` is told some ten times a second, on this thread.
RehearsedRun runRehearsed(const RehearsalTerms& terms, RehearsedCard::Capacity capacity, const std::stop_token& stop,
    const RehearsalWatcher& watcher = {}, const std::optional<RankPlace>& place = {});

} // namespace headroom::experiments
