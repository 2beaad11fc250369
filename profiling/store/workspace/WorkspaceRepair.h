// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/store/workspace/SalvageSource.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::store {

/// What was saved of one table.
struct RepairedTable {
    std::string name;
    std::int64_t copied = 0; ///< rows
    std::int64_t lost = 0; ///< rows that could not be read or were invalid; a lower bound
};

struct RepairReport {
    std::vector<RepairedTable> tables; ///< all of a workspace, in the order in which they are made
    std::vector<std::string> remarks; ///< what else was done

    std::int64_t copied() const;
    std::int64_t lost() const;
};

/// Copies a workspace, damaged or not, row by row into a new one. Rows and blocks of traces that cannot be read, fail
/// their checksum or belong to a lost row are left out and counted; the new workspace is sound. The old one is not
/// changed.
class WorkspaceRepair {
public:
    explicit WorkspaceRepair(const SalvageSource& source)
        : m_source(source)
    {
    }

    /// Throws FileError if a file of that name exists, if it cannot be written, or if nothing could be read.
    RepairReport writeTo(const std::filesystem::path& target);

private:
    void copyTable(SqliteFile& file, const SalvageTable& table);
    bool isSensible(SqliteFile& file, const SalvageTable& table, sqlite3_stmt* row);
    void adopt(SqliteFile& file);
    void dropOrphans(SqliteFile& file);
    void countRows(SqliteFile& file);
    void rebuildTraces(SqliteFile& file);
    void noteRepair(SqliteFile& file);

    const SalvageSource& m_source;
    RepairReport m_report;
    std::vector<std::int64_t> m_repeats; ///< that could be read
    bool m_hasLostPyramids = false;
};

/// Opens the damaged file in place and copies it. Throws FileError.
RepairReport repairWorkspace(const std::filesystem::path& damaged, const std::filesystem::path& target);

} // namespace headroom::store
