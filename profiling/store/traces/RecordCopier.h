// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::store {

/// The type that a column of a spool must have; a damaged page can contain anything.
enum class StoredType { Integer, OptionalInteger, OptionalReal, Text };

/// Copies strings and records of a spool into a repeat of the workspace, value by value, inside the caller's
/// transaction. Malformed rows are left out and counted; a table that cannot be read to its end is copied as far as it
/// can be read.
class RecordCopier {
public:
    RecordCopier(SqliteFile& target, std::int64_t repeat);

    /// Throws FileError only if the workspace cannot be written.
    void copy(SqliteFile& spool);

    std::int64_t rows() const { return m_rows; } ///< copied
    std::int64_t malformedRows() const { return m_malformedRows; }
    /// Why tables could not be read to their end.
    const std::vector<std::string>& problems() const { return m_problems; }

private:
    void copyTable(SqliteFile& spool, const std::string& table, const std::vector<std::string>& columns,
        const std::vector<StoredType>& types);

    SqliteFile& m_target;
    std::int64_t m_repeat;
    std::int64_t m_rows = 0;
    std::int64_t m_malformedRows = 0;
    std::vector<std::string> m_problems;
};

} // namespace headroom::store
