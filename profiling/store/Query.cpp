// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/Query.h"

namespace headroom::store {

Query::~Query()
{
    m_file.giveBack(std::move(m_statement));
}

bool Query::step()
{
    try {
        return m_statement->executeStep();
    } catch (const SQLite::Exception& failure) {
        m_file.fail(failure);
    }
}

void Query::run()
{
    try {
        m_statement->exec();
        m_statement->reset();
    } catch (const SQLite::Exception& failure) {
        m_file.fail(failure);
    }
}

std::int64_t Query::integer(int column) const
{
    return m_statement->getColumn(column).getInt64();
}

double Query::real(int column) const
{
    return m_statement->getColumn(column).getDouble();
}

std::string Query::text(int column) const
{
    return m_statement->getColumn(column).getString();
}

std::optional<std::int64_t> Query::optionalInteger(int column) const
{
    return m_statement->isColumnNull(column) ? std::nullopt : std::optional(integer(column));
}

std::optional<std::string> Query::optionalText(int column) const
{
    return m_statement->isColumnNull(column) ? std::nullopt : std::optional(text(column));
}

std::span<const std::byte> Query::bytes(int column) const
{
    const SQLite::Column value = m_statement->getColumn(column);
    return {static_cast<const std::byte*>(value.getBlob()), static_cast<std::size_t>(value.getBytes())};
}

void Query::bind(std::int64_t value)
{
    try {
        m_statement->bind(++m_bound, value);
    } catch (const SQLite::Exception& failure) {
        m_file.fail(failure);
    }
}

void Query::bind(double value)
{
    try {
        m_statement->bind(++m_bound, value);
    } catch (const SQLite::Exception& failure) {
        m_file.fail(failure);
    }
}

void Query::bind(std::string_view value)
{
    try {
        m_statement->bind(++m_bound, std::string(value));
    } catch (const SQLite::Exception& failure) {
        m_file.fail(failure);
    }
}

void Query::bind(std::span<const std::byte> value)
{
    try {
        m_statement->bindNoCopy(++m_bound, value.data(), static_cast<int>(value.size()));
    } catch (const SQLite::Exception& failure) {
        m_file.fail(failure);
    }
}

} // namespace headroom::store
