// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/Query.h"
#include "profiling/store/traces/Rows.h"
#include "profiling/store/traces/TraceReader.h"
#include "profiling/trace/PhaseSpan.h"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace headroom::store {

/// A spool holds one repeat; its tables say so with this number.
inline constexpr std::int64_t kSpoolRepeat = 0;

/// Reads what a worker left, finished or killed at any instant. For one thread only.
class SpoolReader {
public:
    /// Throws FileError where the file is missing or no spool.
    explicit SpoolReader(const std::filesystem::path& path);

    /// Whether the writer got to its end; if not, the pyramids and the events of the last block are missing.
    bool isFinished();
    /// Whether it can hold owners and records: since version 2.
    bool hasRecords();
    /// Rows of owners that say nothing: no category, or an impossible number.
    std::int64_t malformedOwners();
    SqliteFile& file() { return m_file; }
    std::vector<trace::PhaseSpan> phases();
    std::vector<DiagnosticRow> diagnostics();
    std::vector<TrackRow> tracks();
    TraceReader trace() { return TraceReader(m_file); }

    struct StoredBlock {
        std::string track;
        std::int64_t ordinal = 0;
        std::span<const std::byte> data; ///< encoded and not verified; valid until the next one
    };
    struct StoredChunk {
        std::string track;
        std::string counter;
        std::span<const std::byte> data; ///< encoded and not verified; valid until the next one
    };

    struct StoredCategories {
        std::string track;
        std::span<const std::byte> data; ///< encoded and not verified; valid until the next one
    };

    /// All rows of one kind, in order.
    class Blocks {
    public:
        explicit Blocks(SpoolReader& spool);
        bool next(StoredBlock& block);

    private:
        Query m_query;
    };
    class Chunks {
    public:
        explicit Chunks(SpoolReader& spool);
        bool next(StoredChunk& chunk);

    private:
        Query m_query;
    };
    class Categories {
    public:
        explicit Categories(SpoolReader& spool);
        bool next(StoredCategories& chunk);

    private:
        Query m_query;
    };

private:
    SqliteFile m_file;
};

} // namespace headroom::store
