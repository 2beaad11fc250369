// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/VfsFile.h"

#include <sqlite3.h>

#include <string>

namespace headroom::store {
namespace {

constexpr int kPrimaryCode = 0xff; ///< the rest of a code says more about it

// SQLite wants names without links; empty where it cannot make one.
std::string fullName(sqlite3_vfs& vfs, const std::filesystem::path& path)
{
    std::string name(static_cast<std::size_t>(vfs.mxPathname) + 1, '\0');
    const int code = vfs.xFullPathname(&vfs, path.c_str(), static_cast<int>(name.size()), name.data());
    return (code & kPrimaryCode) == SQLITE_OK ? name.c_str() : std::string();
}

} // namespace

void VfsFile::FreeName::operator()(const char* name) const
{
    sqlite3_free_filename(const_cast<char*>(name)); // its parameter is const in newer versions alone
}

VfsFile::VfsFile(const std::filesystem::path& path)
{
    sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
    const std::string name = vfs == nullptr ? std::string() : fullName(*vfs, path);
    if (name.empty())
        return;
    m_name.reset(sqlite3_create_filename(name.c_str(), "", "", 0, nullptr));
    if (m_name == nullptr)
        return;
    m_memory = std::make_unique<std::byte[]>(static_cast<std::size_t>(vfs->szOsFile));
    auto* const file = reinterpret_cast<sqlite3_file*>(m_memory.get());
    int flags = 0;
    if (vfs->xOpen(vfs, m_name.get(), file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, &flags) == SQLITE_OK)
        m_file = file;
}

VfsFile::~VfsFile()
{
    if (m_file != nullptr)
        m_file->pMethods->xClose(m_file);
}

std::int64_t VfsFile::size() const
{
    sqlite3_int64 bytes = 0;
    const bool isKnown = isOpen() && m_file->pMethods->xFileSize(m_file, &bytes) == SQLITE_OK;
    return isKnown ? bytes : 0;
}

bool VfsFile::readBegin(std::span<char> buffer) const
{
    return isOpen() && m_file->pMethods->xRead(m_file, buffer.data(), static_cast<int>(buffer.size()), 0) == SQLITE_OK;
}

} // namespace headroom::store
