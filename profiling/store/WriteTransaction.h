// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"

namespace headroom::store {

/// All or nothing: whatever is not committed at the end of the scope is rolled back. Takes the write lock at once
/// (waiting for the busy timeout), so that it cannot fail half-way for lack of it. Inside another transaction it is a
/// savepoint: it can be rolled back by itself and becomes durable with the outer one.
class WriteTransaction {
public:
    explicit WriteTransaction(SqliteFile& file);
    ~WriteTransaction();
    WriteTransaction(const WriteTransaction&) = delete;
    WriteTransaction& operator=(const WriteTransaction&) = delete;

    void commit();

private:
    enum class Kind { Whole, Savepoint };

    SqliteFile& m_file;
    Kind m_kind;
    bool m_open = true;
};

} // namespace headroom::store
