// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/Rows.h"
#include "profiling/trace/DeviceRecords.h"
#include "profiling/trace/MemoryOwner.h"
#include "profiling/trace/PhaseSpan.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace headroom::store {

/// Everything that one repeat leaves in the workspace. Ids inside `diagnostics` are set by the import.
struct RepeatImport {
    RepeatRow repeat{};
    std::vector<SampleRow> samples{};
    std::vector<trace::PhaseSpan> phases{}; ///< those of the spool are added
    std::vector<DiagnosticRow> diagnostics{}; ///< those of the spool are added
    std::vector<EventTrack> tracks{}; ///< events at hand in this process
    std::vector<trace::MemoryOwner> owners{}; ///< of the events at hand, by their numbers
    trace::DeviceRecords records{}; ///< at hand in this process
    std::optional<std::filesystem::path> spool{}; ///< what a worker wrote; then nothing is at hand
    Retry retry = Retry::Cancelled;
};

enum class ImportStatus {
    Imported,
    KeptFinished ///< the repeat was there and finished: nothing was changed
};

struct ImportResult {
    std::int64_t repeat = 0; ///< RepeatRow::id, of the new or of the kept one
    ImportStatus status = ImportStatus::Imported;
    std::int64_t blocks = 0; ///< imported
    std::int64_t malformedBlocks = 0; ///< left out, each with a row in diagnostics
    DroppedTraces dropped{}; ///< for the limit of the workspace, each with a row in diagnostics
};

} // namespace headroom::store
