// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/AppendedFile.h"

#include <system_error>
#include <utility>

namespace headroom::cli {
namespace {

bool isAbsent(const std::filesystem::path& path)
{
    std::error_code unreachable; // says so when it is opened
    return std::filesystem::status(path, unreachable).type() == std::filesystem::file_type::not_found;
}

} // namespace

AppendedFile::AppendedFile(std::filesystem::path path, std::stop_token stop)
    : m_path(std::move(path))
    , m_stop(std::move(stop))
    , m_isNew(isAbsent(m_path))
{
    open();
}

AppendedFile::~AppendedFile()
{
    std::error_code ignored;
    if (m_isNew && m_file && m_file->size() == 0 && m_file->isNamed(m_path))
        std::filesystem::remove(behindLinks(m_path), ignored);
}

void AppendedFile::open()
{
    m_file.emplace(m_path, OutputDescriptor::Start::AtEnd, m_path, m_stop);
}

std::size_t AppendedFile::size() const
{
    return m_file->size();
}

void AppendedFile::append(const std::string& text)
{
    if (!m_file->isNamed(m_path))
        open();
    m_file->write(text);
}

} // namespace headroom::cli
