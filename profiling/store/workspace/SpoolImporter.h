// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/Rows.h"
#include "profiling/store/traces/SpoolReader.h"
#include "profiling/trace/CategoryCounters.h"
#include "profiling/trace/PhaseSpan.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace headroom::store {

/// Copies a spool into a repeat of the workspace, inside the caller's transaction. Blocks are verified and copied, not
/// decoded. Unreadable parts of the spool become a diagnostic, and the rest is imported.
class SpoolImporter {
public:
    SpoolImporter(SqliteFile& target, std::int64_t repeat);

    /// Throws FileError only if the workspace cannot be written.
    void import(const std::filesystem::path& path);

    std::int64_t blocks() const { return m_blocks; }
    std::int64_t malformedBlocks() const { return m_malformedBlocks; }
    std::int64_t records() const { return m_records; } ///< of driver, device and host
    const std::vector<trace::PhaseSpan>& phases() const { return m_phases; }
    const std::vector<DiagnosticRow>& diagnostics() const { return m_diagnostics; }

private:
    void readRows(SpoolReader& spool);
    void copyOwners(SpoolReader& spool);
    void copyRecords(SpoolReader& spool);
    template <typename Rows, typename Row> bool copyRows(SpoolReader& spool);
    void copyBlocks(SpoolReader& spool);
    void copyPyramids(SpoolReader& spool);
    void copyStretches(SpoolReader& spool);
    void copy(const SpoolReader::StoredBlock& block);
    void copy(const SpoolReader::StoredChunk& chunk);
    void copy(const SpoolReader::StoredCategories& chunk);
    void copy(const SpoolReader::StoredStretch& stored);
    void markDamaged(const std::string& track, const Error& error);
    void rebuildPyramids();
    void rebuildPyramid(const std::string& track);
    void completeStretches();
    void diagnose(Severity severity, std::string kind, std::string message, std::int64_t count = 1);

    SqliteFile& m_target;
    std::int64_t m_repeat;
    bool m_hasRecords = false;
    std::int64_t m_blocks = 0;
    std::int64_t m_malformedBlocks = 0;
    std::int64_t m_records = 0;
    std::set<std::string> m_complete; ///< tracks whose pyramids were copied
    std::set<std::string> m_damaged; ///< tracks with a malformed chunk
    trace::OwnerCategories m_owners;
    std::vector<trace::PhaseSpan> m_phases;
    std::vector<DiagnosticRow> m_diagnostics;
};

} // namespace headroom::store
