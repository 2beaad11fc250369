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

/// Everything that one repeat stores in the workspace. The import sets the ids inside `diagnostics`.
struct RepeatImport {
    RepeatRow repeat{};
    std::vector<SampleRow> samples{};
    std::vector<trace::PhaseSpan> phases{}; ///< in addition to those of the spool
    std::vector<DiagnosticRow> diagnostics{}; ///< in addition to those of the spool
    std::vector<EventTrack> tracks{}; ///< events held in this process
    std::vector<trace::MemoryOwner> owners{}; ///< of the events held in this process, by their numbers
    trace::DeviceRecords records{}; ///< held in this process
    std::optional<std::filesystem::path> spool{}; ///< written by a worker; then this process holds no events
    Retry retry = Retry::Cancelled;
};

enum class ImportStatus {
    Imported,
    KeptFinished ///< the repeat was finished already: nothing was changed
};

struct ImportResult {
    std::int64_t repeat = 0; ///< RepeatRow::id, of the new or of the kept one
    ImportStatus status = ImportStatus::Imported;
    std::int64_t blocks = 0; ///< imported
    std::int64_t malformedBlocks = 0; ///< left out, each with a row in diagnostics
    DroppedTraces dropped{}; ///< to meet the limit of the workspace, each with a row in diagnostics
};

} // namespace headroom::store
