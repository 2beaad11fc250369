// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/interchange/ExportSummary.h"
#include "profiling/interchange/RecordedTrace.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::interchange {

/// The other tools' formats to which a trace can be exported.
enum class ExportFormat {
    PyTorchSnapshot, ///< memory snapshot pickle, for pytorch.org/memory_viz
    Chrome, ///< trace event JSON, for ui.perfetto.dev and chrome://tracing
    Nsys ///< SQLite with the tables of Nsight Systems
};

/// The options of an export.
struct ExportOptions {
    /// For Chrome traces: the number of time intervals to which each counter is summarised; nullopt: every event up to
    /// ChromeExport::kMostEvents, and kStretches intervals beyond.
    std::optional<std::size_t> width{};
};

/// "pytorch-snapshot", "chrome", "nsys".
std::string_view toText(ExportFormat format);
/// The reverse. Throws UsageError, naming `where` and the valid words.
ExportFormat exportFormatFromText(std::string_view text, const std::string& where);

/// Writes a trace to a file, completely or not at all; an existing file is replaced. Throws FileError.
ExportSummary exportTrace(const RecordedTrace& trace, ExportFormat format, const std::filesystem::path& path,
    const ExportOptions& options = {});

} // namespace headroom::interchange
