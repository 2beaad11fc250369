// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/WriteTransaction.h"

namespace headroom::store {

WriteTransaction::WriteTransaction(SqliteFile& file)
    : m_file(file)
    , m_kind(file.inTransaction() ? Kind::Savepoint : Kind::Whole)
{
    if (m_kind == Kind::Savepoint)
        m_file.execute("SAVEPOINT headroom");
    else
        m_file.beginWriting();
}

WriteTransaction::~WriteTransaction()
{
    // After a full disk SQLite has rolled back by itself.
    if (!m_open || !m_file.inTransaction())
        return;
    m_file.database().tryExec(m_kind == Kind::Whole ? "ROLLBACK" : "ROLLBACK TO headroom; RELEASE headroom");
}

void WriteTransaction::commit()
{
    if (m_kind == Kind::Whole)
        m_file.requireInPlace();
    m_file.execute(m_kind == Kind::Whole ? "COMMIT" : "RELEASE headroom");
    m_open = false;
}

} // namespace headroom::store
