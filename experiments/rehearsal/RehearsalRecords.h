// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A line of the user's program, or of a library where none of theirs is on the stack.
struct CodePlace {
    std::string file;
    std::int64_t line = 0;
    std::string function;

    bool operator==(const CodePlace&) const = default;
};

/// "train.py:31 step", without folders.
std::string placeText(const CodePlace& place);
/// Of the innermost; empty where there is none.
std::string placeText(const std::vector<CodePlace>& stack);

/// What torch's own statistics say of one card, the largest over the whole run; nothing under another allocator.
struct RecordedPeak {
    std::optional<Bytes> allocated;
    std::optional<Bytes> active;
    std::optional<Bytes> reserved;
    std::optional<std::int64_t> step; ///< in which allocated was largest, from 1
    std::string phase; ///< "forward"; empty: not known
    std::int64_t retries = 0; ///< requests that were served after the cache was given back
};

struct RecordedStep {
    std::int64_t step = 0; ///< from 1
    std::optional<Bytes> allocated; ///< peaks within the step
    std::optional<Bytes> reserved;
    std::optional<double> hostSeconds;
    std::optional<double> deviceSeconds; ///< of the card's virtual clock
};

struct RecordedShortage {
    std::optional<Bytes> requested;
    std::optional<Bytes> free;
    std::vector<CodePlace> where; ///< innermost first
    std::size_t stepsBefore = 0; ///< steps that were finished when it came
};

/// A value that decides something and was not computed.
struct RecordedGuess {
    std::string kind;
    std::string what;
    std::int64_t count = 0;
    std::vector<CodePlace> where;
    bool isSize = false; ///< a shape came from it
};

/// Reads of device values.
struct ValueReads {
    std::int64_t computed = 0;
    std::int64_t byRule = 0;
    std::int64_t unknown = 0;
};

/// What a process found of its PyTorch that cannot be rehearsed.
struct RecordedProblem {
    std::string reason; ///< "not_preloaded", "no_cuda", "rocm", "too_old"
    std::string found;
};

struct RecordedCoverage {
    std::int64_t steps = 0;
    bool evaluation = false;
    bool saving = false;
    bool end = false; ///< the script came to its own end
    std::optional<std::int64_t> launches = {}; ///< kernels that ran
};

struct RecordedEnd {
    std::string reason; ///< "steps", "exit", "exception"
    std::optional<int> exitCode;
    std::string exception; ///< empty: none
};

struct RecordedSnapshot {
    std::filesystem::path file;
    int device = 0;
};

/// Memory that belongs to a model: what a block of the recording is told to be by its address.
struct NamedBlock {
    std::uint64_t address = 0;
    std::string name; ///< of the parameter
};

/// What one Python of the command wrote about itself (resources/rehearsal).
struct ProcessRecords {
    int pid = 0;
    int rank = 0;
    int worldSize = 0; ///< of the group of ranks that it joined; 0: none
    bool isAbsent = false; ///< a rank that is not rehearsed, which was told so on its way
    std::string torch; ///< version; empty: it did not load torch
    std::string cuda;
    bool hasHandshake = false; ///< it proved that the substitute answers
    std::optional<RecordedProblem> problem;
    bool usesDevice = false;
    std::string backend; ///< of the allocator: "native"
    std::vector<RecordedStep> steps;
    std::map<int, RecordedPeak> peaks; ///< by card
    std::vector<RecordedShortage> shortages;
    std::vector<RecordedGuess> guesses;
    ValueReads reads;
    std::map<std::string, std::vector<CodePlace>> refused; ///< functions, from where each was called first
    std::map<std::string, std::string> libraries; ///< versions
    std::vector<RecordedSnapshot> snapshots;
    std::vector<NamedBlock> parameters;
    std::vector<NamedBlock> gradients;
    std::vector<NamedBlock> optimizerState;
    std::optional<RecordedCoverage> coverage;
    std::optional<RecordedEnd> end;

    /// Of the card on which most was reserved; nullptr where none is known.
    const RecordedPeak* fullestPeak() const;
    Bytes mostReserved() const;
};

/// One for each process, in the order of their numbers, without those of ranks that are not rehearsed. A line that was
/// cut, and one that is no record, is left out: a process may have been killed while it wrote.
std::vector<ProcessRecords> readRecords(const std::filesystem::path& folder);

/// What was last written about the memory of a command that goes on.
struct LatestRecords {
    std::string phase; ///< empty: it has used no card yet
    std::int64_t steps = 0; ///< that are finished
    std::optional<Bytes> allocated; ///< when the phase began, of the fullest card
    std::optional<Bytes> reserved;
};

/// Whether a process says that all is done: it has made its last step, or cannot be rehearsed. Reads what was written
/// since it was last asked.
class RecordWatch {
public:
    explicit RecordWatch(std::filesystem::path folder)
        : m_folder(std::move(folder))
    {
    }

    bool isAllDone();
    const LatestRecords& latest() const { return m_latest; }

private:
    bool isDoneIn(const std::filesystem::path& file);

    std::filesystem::path m_folder;
    std::map<std::filesystem::path, std::uintmax_t> m_read;
    LatestRecords m_latest;
};

} // namespace headroom::experiments
