// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/ghost/GhostFolder.h"

#include "core/base/Error.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <regex>
#include <utility>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

constexpr const char* kValidFolder = "a new name in a folder that exists and may be written, on a disk with free space";
constexpr Bytes kProbeBytes = kMiB;
constexpr Bytes kBlockBytes = 512; // of st_blocks, on every file system

FileError ghostFailure(const fs::path& path)
{
    return FileError("cannot be written: " + std::string(std::strerror(errno)), path.string(), kValidFolder);
}

/// A descriptor that is closed at the end.
class OpenGhostFile {
public:
    explicit OpenGhostFile(const fs::path& path)
        : m_path(path)
        , m_descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666))
    {
        if (m_descriptor < 0)
            throw ghostFailure(path);
    }
    ~OpenGhostFile() { ::close(m_descriptor); }
    OpenGhostFile(const OpenGhostFile&) = delete;
    OpenGhostFile& operator=(const OpenGhostFile&) = delete;

    void write(std::string_view text) const
    {
        while (!text.empty()) {
            const ssize_t written = ::write(m_descriptor, text.data(), text.size());
            if (written < 0 && errno != EINTR)
                throw ghostFailure(m_path);
            text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
        }
    }

    void extendTo(Bytes bytes) const
    {
        if (::ftruncate(m_descriptor, bytes) != 0)
            throw ghostFailure(m_path);
    }

    Bytes diskBytes() const
    {
        struct stat status = {};
        if (::fstat(m_descriptor, &status) != 0)
            throw ghostFailure(m_path);
        return status.st_blocks * kBlockBytes;
    }

private:
    const fs::path& m_path;
    int m_descriptor;
};

// Of the process that fills "NAME.4711.part"; nothing where the folder is none of ours.
std::optional<pid_t> fillerOf(const std::string& part, const std::string& target)
{
    static const std::regex kRest(R"(\.(\d{1,9})\.part)");
    std::smatch match;
    const std::string rest = part.starts_with(target) ? part.substr(target.size()) : "";
    return std::regex_match(rest, match, kRest) ? std::optional(std::stoi(match[1].str())) : std::nullopt;
}

bool isHeld(const fs::path& folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return true; // not ours to judge
    const bool held = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0;
    ::close(descriptor);
    return held;
}

void removeLeftFolders(const fs::path& target)
{
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(target.parent_path(), ignored)) {
        const auto filler = fillerOf(entry.path().filename().string(), target.filename().string());
        if (filler && ::kill(*filler, 0) != 0 && errno == ESRCH && !isHeld(entry.path()))
            fs::remove_all(entry.path(), ignored);
    }
}

fs::path absoluteTarget(const fs::path& path)
{
    const fs::path whole = fs::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path(); // "ghost/" is "ghost"
}

} // namespace

GhostFolder::GhostFolder(const fs::path& target)
    : m_target(absoluteTarget(target))
    , m_part(m_target.string() + "." + std::to_string(::getpid()) + ".part")
{
    if (std::error_code unreachable; fs::symlink_status(m_target, unreachable).type() != fs::file_type::not_found)
        throw FileError("is there already", m_target.string(), "the name of a folder that is made");
    removeLeftFolders(m_target);
    if (::mkdir(m_part.c_str(), 0777) != 0)
        throw ghostFailure(m_target);
    m_lock = ::open(m_part.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (m_lock >= 0)
        ::flock(m_lock, LOCK_EX | LOCK_NB);
    try {
        requireHoles();
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(m_part, ignored);
        ::close(m_lock);
        throw;
    }
}

GhostFolder::~GhostFolder()
{
    std::error_code ignored;
    if (!m_isCommitted)
        fs::remove_all(m_part, ignored);
    if (m_lock >= 0)
        ::close(m_lock);
}

// Some file systems fill what is not written with zeros, and the disk with them.
void GhostFolder::requireHoles()
{
    const fs::path probe = m_part / "hole";
    Bytes taken = 0;
    {
        const OpenGhostFile file(probe);
        file.extendTo(kProbeBytes);
        taken = file.diskBytes();
    }
    fs::remove(probe);
    if (taken >= kProbeBytes)
        throw FileError("stands on a file system without sparse files, where a ghost would take all of its room",
            m_target.string(), "a folder on ext4, XFS, Btrfs, ZFS, tmpfs or the like");
}

void GhostFolder::write(const std::string& name, std::string_view text)
{
    writeHollow(name, text, 0);
}

void GhostFolder::writeHollow(const std::string& name, std::string_view head, Bytes hole)
{
    const fs::path path = m_part / name;
    fs::create_directories(path.parent_path());
    const OpenGhostFile file(path);
    file.write(head);
    const Bytes bytes = static_cast<Bytes>(head.size()) + hole;
    file.extendTo(bytes);
    m_files.push_back({name, bytes, file.diskBytes()});
}

void GhostFolder::commit()
{
    // Not over a folder that somebody has made meanwhile; where the file system does not know the flag, an empty one.
    if (::renameat2(AT_FDCWD, m_part.c_str(), AT_FDCWD, m_target.c_str(), RENAME_NOREPLACE) != 0
        && (errno != EINVAL || ::rename(m_part.c_str(), m_target.c_str()) != 0))
        throw ghostFailure(m_target);
    m_isCommitted = true;
}

} // namespace headroom::experiments
