// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/Query.h"
#include "profiling/store/traces/Rows.h"
#include "profiling/store/traces/TraceReader.h"
#include "profiling/trace/PhaseSpan.h"
#include "profiling/trace/peaks/SegmentStretches.h"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace headroom::store {

/// A spool holds one repeat; its tables use this number for it.
inline constexpr std::int64_t kSpoolRepeat = 0;

/// Reads the spool of a worker that finished or was killed at any instant. For one thread only.
class SpoolReader {
public:
    /// Throws FileError if the file is missing or not a spool.
    explicit SpoolReader(const std::filesystem::path& path);

    /// Whether the writer finished; if not, the pyramids and the events of the last block are missing.
    bool isFinished();
    /// Whether its version can hold owners and records: since version 2.
    bool hasRecords();
    /// Whether its version can hold states of segments: since version 3.
    bool hasStretches();
    /// The number of invalid rows of owners: without a category, or with an impossible number.
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

    struct StoredStretch {
        std::string track;
        trace::SegmentStretch stretch; ///< its state is not verified
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

    class Stretches {
    public:
        explicit Stretches(SpoolReader& spool);
        bool next(StoredStretch& stretch);

    private:
        Query m_query;
    };

private:
    SqliteFile m_file;
};

} // namespace headroom::store
