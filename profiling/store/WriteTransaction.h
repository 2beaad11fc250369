// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"

namespace headroom::store {

/// All or nothing: what is not committed when the scope ends is rolled back. Takes the write lock at once (waiting for
/// the busy timeout), so that it cannot fail half-way for want of it. Inside another transaction it is a savepoint:
/// rolled back by itself, durable with the outer one.
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
