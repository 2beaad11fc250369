// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/FileProbe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace headroom::store {
namespace {

/// A database file, opened for reading by SQLite's own file system layer, without a connection: nothing is locked,
/// recovered or created beside it. A plain open() and close() would drop the locks that other connections of this
/// process hold on the file; SQLite keeps the descriptor of a shared file open until those connections are done.
class VfsFile {
public:
    explicit VfsFile(const std::filesystem::path& path);
    ~VfsFile();
    VfsFile(const VfsFile&) = delete;
    VfsFile& operator=(const VfsFile&) = delete;

    bool isOpen() const { return m_file != nullptr; }
    std::int64_t size() const; ///< in bytes; 0 where it cannot be told
    /// Fills the buffer from the beginning of the file; false if the file is shorter or cannot be read.
    bool readBegin(std::span<char> buffer) const;

private:
    struct FreeName {
        void operator()(const char* name) const;
    };

    std::unique_ptr<const char, FreeName> m_name; ///< SQLite keeps a pointer to it
    std::unique_ptr<std::byte[]> m_memory;
    sqlite3_file* m_file = nullptr; ///< in that memory; null where it could not be opened
};

constexpr int kPrimaryCode = 0xff; ///< the rest of a code says more about it

// SQLite needs names without links; empty if it cannot make one.
std::string fullName(sqlite3_vfs& vfs, const std::filesystem::path& path)
{
    std::string name(static_cast<std::size_t>(vfs.mxPathname) + 1, '\0');
    const int code = vfs.xFullPathname(&vfs, path.c_str(), static_cast<int>(name.size()), name.data());
    return (code & kPrimaryCode) == SQLITE_OK ? name.c_str() : std::string();
}

void VfsFile::FreeName::operator()(const char* name) const
{
    sqlite3_free_filename(const_cast<char*>(name)); // its parameter is const only in newer versions
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

namespace fs = std::filesystem;

// The SQLite file format: a header of 100 bytes with big-endian numbers at fixed offsets.
constexpr std::size_t kHeaderBytes = 100;
constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kUserVersionOffset = 60;
constexpr std::size_t kApplicationIdOffset = 68;

std::int32_t bigEndian(const std::array<char, kHeaderBytes>& header, std::size_t offset)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = (value << 8) | static_cast<unsigned char>(header[offset + i]);
    return static_cast<std::int32_t>(value);
}

// The kind of file in a user's words.
std::string wordFor(fs::file_type type)
{
    switch (type) {
    case fs::file_type::directory:
        return "a folder";
    case fs::file_type::fifo:
        return "a pipe";
    case fs::file_type::socket:
        return "a socket";
    default:
        return "a device";
    }
}

} // namespace

// Anything but a regular file is never opened: a pipe without a writer would block the program for ever.
FileProbe::FileProbe(const fs::path& path, const Schema& schema)
    : m_path(path)
    , m_schema(schema)
{
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (status.type() == fs::file_type::not_found) {
        m_content = Content::Missing;
    } else if (!fs::status_known(status)) {
        m_content = Content::Unreadable;
        m_problem = failure.message();
    } else if (!fs::is_regular_file(status)) {
        m_content = Content::NoFile;
        m_problem = wordFor(status.type());
    } else {
        readHeader();
    }
}

void FileProbe::readHeader()
{
    if (::faccessat(AT_FDCWD, m_path.c_str(), R_OK, AT_EACCESS) != 0) {
        m_content = Content::Unreadable;
        m_problem = std::strerror(errno);
        return;
    }
    const VfsFile file(m_path);
    std::array<char, kHeaderBytes> header{};
    if (!file.isOpen()) {
        m_content = Content::Unreadable;
        m_problem = "it cannot be opened";
    } else if (file.size() == 0) {
        m_content = Content::Empty;
    } else if (!file.readBegin(header) || std::string_view(header.data(), kMagic.size()) != kMagic) {
        m_content = Content::NoDatabase;
    } else {
        m_content = Content::Database;
    }
    m_userVersion = bigEndian(header, kUserVersionOffset);
    m_applicationId = bigEndian(header, kApplicationIdOffset);
}

void FileProbe::require(Access access) const
{
    requirePresent(access);
    if (m_content == Content::Database) {
        if (m_applicationId != m_schema.applicationId)
            throw foreignFileError(m_path, m_schema);
        if (m_userVersion > m_schema.latestVersion())
            throw newerVersionError(m_path, m_schema, m_userVersion);
    }
    if (access != Access::ReadOnly)
        requireWritable();
}

void FileProbe::requirePresent(Access access) const
{
    const std::string valid = fmt::format("a {} of Headroom", m_schema.kind);
    switch (m_content) {
    case Content::Missing:
        if (access != Access::Create)
            throw FileError(fmt::format("there is no such {}", m_schema.kind), m_path.string(), valid);
        if (!fs::is_directory(folderOf(m_path)))
            throw FileError("its folder does not exist", m_path.string(), "a file name in an existing folder");
        break;
    case Content::NoFile:
        throw FileError(fmt::format("this is {}, not a file", m_problem), m_path.string(), valid);
    case Content::Unreadable:
        throw FileError(fmt::format("the file cannot be read: {}", m_problem), m_path.string(), valid);
    case Content::Empty:
        if (access != Access::Create)
            throw FileError(fmt::format("the file is empty, not a {}", m_schema.kind), m_path.string(), valid);
        break;
    case Content::NoDatabase:
        throw FileError("the file is not an SQLite database and was left alone", m_path.string(), valid);
    case Content::Database:
        break;
    }
}

// SQLite's log is named after the file: writers that use two names would not know of each other.
void FileProbe::requireOneName() const
{
    struct stat status{};
    if (exists() && ::stat(m_path.c_str(), &status) == 0 && status.st_nlink > 1)
        throw FileError(fmt::format("the {} has another name, too (a hard link), and writers under two names spoil it",
                            m_schema.kind),
            m_path.string(), "a file with one name: cp, or ln -s for a second one");
}

void FileProbe::requireWritable() const
{
    requireOneName();
    if (exists() && access(m_path.c_str(), W_OK) != 0)
        throw FileError(
            fmt::format("the {} is read-only", m_schema.kind), m_path.string(), "a file with write permission");
    if (access(folderOf(m_path).c_str(), W_OK) != 0)
        throw FileError("its folder is read-only, and SQLite keeps a -wal file there", m_path.string(),
            "a folder with write permission");
}

fs::path folderOf(const fs::path& path)
{
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

FileError foreignFileError(const fs::path& path, const Schema& schema)
{
    return FileError("the SQLite database belongs to another program and was left alone", path.string(),
        fmt::format("a {} of Headroom", schema.kind));
}

FileError newerVersionError(const fs::path& path, const Schema& schema, std::int64_t version)
{
    return FileError(fmt::format("the {} has format version {}, written by a newer Headroom", schema.kind, version),
        path.string(), fmt::format("up to {}", schema.latestVersion()));
}

} // namespace headroom::store
