// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/rehearsal/RehearsalRecords.h"
#include "experiments/results/OrderedJson.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// How a rehearsed command ended.
enum class RehearsalOutcome { Completed, OutOfMemory, Failed, Refused, NoDeviceUsed, TimedOut };

/// Whether it fits its card. Tight: it completes within the known error, after giving back its cache, or after an out
/// of memory that it caught. Unknown is never fits: a size came from a value that nobody computed, a function was
/// refused, no device was used or no step was seen.
enum class RehearsalVerdict { Fits, Tight, No, Unknown, Failed };

std::string toText(RehearsalOutcome outcome); ///< "out_of_memory"
std::string toText(RehearsalVerdict verdict); ///< "fits"

/// What was allocated at the peak under one category and line.
struct HeldMemory {
    std::string category; ///< "parameters"
    Bytes bytes = 0;
    std::string where; ///< "train.py:31 step"; empty: not known
};

struct RehearsedDevice {
    int index = 0;
    RecordedPeak peak;
    std::optional<Bytes> needed;
};

/// A function that is not rehearsed.
struct RefusedFunction {
    std::string function;
    int count = 0; ///< of calls
    std::vector<CodePlace> where; ///< the first call, innermost first; empty: no Python was on the stack
};

/// What one rank of a command needed.
struct RehearsedRank {
    int rank = 0;
    int worldSize = 1;
    RehearsalOutcome outcome = RehearsalOutcome::Failed;
    std::string reason; ///< for the outcome; empty: none
    std::optional<int> exitCode; ///< nothing where the rehearsal ended it
    bool isSecondRun = false; ///< the figures are those of a second run, without the card's limit
    RecordedPeak peak;
    bool isGrowing = false; ///< its last step needed more than every earlier one
    std::optional<Bytes> needed; ///< of the card, with contexts, by all processes together
    std::optional<Bytes> neededHigh; ///< with the most that is not counted
    Bytes usable = 0; ///< of the card
    std::vector<RehearsedDevice> devices;
    std::int64_t processes = 0; ///< that used a card
    RecordedCoverage covered;
    std::vector<RecordedStep> steps;
    std::optional<RecordedShortage> outOfMemory;
    std::vector<HeldMemory> held; ///< largest first
    ValueReads reads;
    std::vector<RecordedGuess> guesses;
    std::vector<RefusedFunction> refused; ///< by name
    std::vector<protocol::UncountedMemory> notCounted;
    std::map<std::string, std::string> libraries;
};

/// One command on one card.
struct RehearsedRow {
    std::string trialId; ///< in the workspace
    std::string label;
    std::vector<std::pair<std::string, std::string>> values; ///< of the axes
    std::string device; ///< "rehearsal:h100-80gb"
    std::string allocator; ///< empty: the command's own
    RehearsalVerdict verdict = RehearsalVerdict::Unknown;
    RehearsedRank rank; ///< of several the one whose verdict this is
    std::vector<RehearsedRank> otherRanks;
    std::vector<std::string> lacking; ///< what it was not kept from, or beyond its terms, with the reason

    /// Of the command line: 0, 1, 3 or 4.
    int exitCode() const;
    /// All of them, by number.
    std::vector<const RehearsedRank*> ranks() const;
};

OrderedJson toJson(const RehearsedRow& row);

/// The main sentence, "In the first 3 steps: fits an H100 ..." without the card's name in front; for people.
std::string verdictSentence(const RehearsedRow& row);

/// "7 reads of device values: 5 computed, 2 by rule, 0 unknown"
std::string readsSentence(const ValueReads& reads);

} // namespace headroom::experiments
