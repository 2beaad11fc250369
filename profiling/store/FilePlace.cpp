// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/FilePlace.h"

#include "core/base/Error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace headroom::store {
namespace {

namespace fs = std::filesystem;

struct NetworkKind {
    std::uint32_t magic;
    const char* name;
};

// The names in statfs(2) and the kernel's linux/magic.h.
constexpr std::array kNetworkKinds = {NetworkKind{0x6969, "NFS"}, NetworkKind{0x517b, "SMB"},
    NetworkKind{0xff534d42, "CIFS"}, NetworkKind{0xfe534d42, "SMB"}, NetworkKind{0x65735546, "FUSE"},
    NetworkKind{0x01021997, "9p"}, NetworkKind{0x5346414f, "AFS"}, NetworkKind{0x6b414653, "AFS"},
    NetworkKind{0x00c36400, "Ceph"}, NetworkKind{0x73757245, "Coda"}, NetworkKind{0x564c, "NCP"},
    NetworkKind{0x0bd00bd0, "Lustre"}, NetworkKind{0x01161970, "GFS2"}, NetworkKind{0x7461636f, "OCFS2"},
    NetworkKind{0x47504653, "GPFS"}, NetworkKind{0x19830326, "BeeGFS"}, NetworkKind{0x786f4256, "VirtualBox share"},
    NetworkKind{0xbacbacbc, "VMware share"}, NetworkKind{0x7c7c6673, "Parallels share"}};

struct SyncMark {
    const char* file; ///< lies in the uppermost folder that the program copies
    const char* program;
};

constexpr std::array kSyncMarks = {SyncMark{".dropbox", "Dropbox"}, SyncMark{".dropbox.cache", "Dropbox"},
    SyncMark{".stfolder", "Syncthing"}, SyncMark{".owncloudsync.log", "ownCloud"},
    SyncMark{".nextcloudsync.log", "Nextcloud"}};

fs::path existingFolderOf(const fs::path& path)
{
    std::error_code ignored;
    fs::path folder = fs::absolute(path, ignored).parent_path();
    while (!fs::is_directory(folder, ignored) && folder.has_relative_path())
        folder = folder.parent_path();
    return folder;
}

std::string networkOf(const fs::path& folder)
{
    struct statfs system{};
    if (::statfs(folder.c_str(), &system) != 0)
        return {};
    for (const NetworkKind& kind : kNetworkKinds)
        if (static_cast<std::uint32_t>(system.f_type) == kind.magic)
            return kind.name;
    return {};
}

std::string synchroniserOf(fs::path folder)
{
    std::error_code ignored;
    folder = fs::weakly_canonical(folder, ignored);
    for (; !folder.empty(); folder = folder.parent_path()) {
        for (const SyncMark& mark : kSyncMarks)
            if (fs::exists(folder / mark.file, ignored))
                return mark.program;
        if (!folder.has_relative_path())
            break;
    }
    return {};
}

struct flock wholeFile(short type)
{
    struct flock lock{};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

// Opens the descriptor's file once more by name, for a lock with another owner, as another process would have.
bool isSeenByOthers(const std::string& name)
{
    const int other = ::open(name.c_str(), O_RDWR | O_CLOEXEC);
    if (other < 0)
        return true; // which shows nothing about locks
    struct flock asked = wholeFile(F_WRLCK);
    const bool isAnswered = ::fcntl(other, F_OFD_GETLK, &asked) == 0;
    ::close(other);
    return !isAnswered || asked.l_type != F_UNLCK;
}

} // namespace

std::string FilePlace::caution() const
{
    if (!network.empty())
        return fmt::format("it lies on a file system of the kind {}, which other machines may share: use it from one "
                           "machine at a time, or keep it on a local disk",
            network);
    if (!synchronisedBy.empty())
        return fmt::format("{} copies its folder to other machines and may replace it while it is in use: keep it "
                           "outside of that folder",
            synchronisedBy);
    return {};
}

FilePlace placeOf(const fs::path& path)
{
    const fs::path folder = existingFolderOf(path);
    return {networkOf(folder), synchroniserOf(folder)};
}

std::string lockingProblem(const fs::path& folder)
{
    std::string name = (folder / ".headroom-lock-XXXXXX").string();
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0)
        return {};
    struct flock lock = wholeFile(F_WRLCK);
    std::string problem;
    if (::fcntl(descriptor, F_SETLK, &lock) != 0)
        problem = std::strerror(errno);
    else if (!isSeenByOthers(name))
        problem = "a lock is not seen by others";
    ::close(descriptor);
    ::unlink(name.c_str());
    return problem;
}

void requireLocks(const fs::path& path)
{
    const FilePlace place = placeOf(path);
    const std::string problem = place.network.empty() ? std::string() : lockingProblem(existingFolderOf(path));
    if (!problem.empty())
        throw FileError(fmt::format("locks do not work on its file system ({}): {}. Two programs that write at once "
                                    "would destroy it",
                            place.network, problem),
            path.string(), "a file on a local disk");
}

} // namespace headroom::store
