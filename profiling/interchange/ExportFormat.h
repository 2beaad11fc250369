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

/// Formats of others that a trace is exported to.
enum class ExportFormat {
    PyTorchSnapshot, ///< memory snapshot pickle, for pytorch.org/memory_viz
    Chrome, ///< trace event JSON, for ui.perfetto.dev and chrome://tracing
    Nsys ///< SQLite in the tables of Nsight Systems
};

/// What the person who asks for an export can choose.
struct ExportOptions {
    /// Of Chrome traces: the stretches of time that each counter is summarised to; nothing: every event up to
    /// ChromeExport::kMostEvents, and kStretches beyond.
    std::optional<std::size_t> width{};
};

/// "pytorch-snapshot", "chrome", "nsys".
std::string_view toText(ExportFormat format);
/// The reverse. Throws UsageError, naming `where` and the valid words.
ExportFormat exportFormatFromText(std::string_view text, const std::string& where);

/// Writes a trace to a file, which is there as a whole or not at all; one that is there is replaced. Throws FileError.
ExportSummary exportTrace(const RecordedTrace& trace, ExportFormat format, const std::filesystem::path& path,
    const ExportOptions& options = {});

} // namespace headroom::interchange
