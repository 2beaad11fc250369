// SPDX-License-Identifier: Apache-2.0
#include "app/cli/OutputFile.h"

#include <system_error>

namespace headroom::cli {
namespace {

bool isAbsent(const std::filesystem::path& path)
{
    std::error_code unreachable; // says so when it is opened
    return std::filesystem::status(path, unreachable).type() == std::filesystem::file_type::not_found;
}

} // namespace

ReplacedFile::ReplacedFile(const std::filesystem::path& path, std::stop_token stop)
    : m_file(path, std::move(stop))
{
}

void ReplacedFile::write(const std::string& text)
{
    m_file.write(text);
    m_file.commit();
}

AppendedFile::AppendedFile(std::filesystem::path path, std::stop_token stop)
    : m_path(std::move(path))
    , m_isUnusedNew(isAbsent(m_path))
    , m_file(m_path, interchange::OutputDescriptor::Start::AtEnd, m_path, std::move(stop))
{
}

AppendedFile::~AppendedFile()
{
    std::error_code ignored;
    if (m_isUnusedNew)
        std::filesystem::remove(m_path, ignored);
}

std::size_t AppendedFile::size() const
{
    return m_file.size();
}

void AppendedFile::append(const std::string& text)
{
    m_isUnusedNew = false;
    m_file.write(text);
}

} // namespace headroom::cli
