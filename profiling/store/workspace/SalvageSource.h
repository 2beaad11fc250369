// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace headroom::store {

/// Where to look for the rows of a table.
struct SalvageTable {
    std::string name;
    std::vector<std::string> columns; ///< that are wanted
    std::vector<std::string> key; ///< of a table without row numbers; empty: it has row numbers
};

/// The result of reading a table.
struct SalvageCount {
    std::int64_t read = 0;
    std::int64_t unreadable = 0; ///< unreadable places; for rows with numbers, the rows that may have been there
};

/// Reads everything readable from a damaged database, which is not changed: around each unreadable place, from both
/// sides.
class SalvageSource {
public:
    using Visit = std::function<void(sqlite3_stmt*)>;

    /// Opens the file. Nothing in it is recovered, checkpointed or removed. Throws FileError.
    explicit SalvageSource(const std::filesystem::path& path);
    /// Reads through a connection that is already open and must outlive this: for example of a file that was deleted.
    explicit SalvageSource(sqlite3* database)
        : m_database(database)
    {
    }

    /// The columns of a table; empty if it does not exist or cannot be found because of the damage.
    std::vector<std::string> columnsOf(const std::string& table) const;
    /// All rows of a table with row numbers.
    SalvageCount readByNumber(const SalvageTable& table, const Visit& visit) const;
    /// All rows of a table whose key begins with one of these numbers.
    SalvageCount readByKey(
        const SalvageTable& table, const std::vector<std::int64_t>& firsts, const Visit& visit) const;

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;
    struct Pass {
        std::optional<std::int64_t> last; ///< number of the last row that could be read
        std::int64_t read = 0;
        bool isWhole = true; ///< it could be read to its end
    };

    Statement prepare(const std::string& sql) const;
    Pass pass(const std::string& sql, const Visit& visit) const;
    SalvageCount probe(
        const SalvageTable& table, std::int64_t from, std::optional<std::int64_t> to, const Visit& visit) const;
    SalvageCount readKey(const SalvageTable& table, std::int64_t first, const Visit& visit) const;

    std::unique_ptr<sqlite3, Close> m_owned;
    sqlite3* m_database = nullptr;
};

} // namespace headroom::store
