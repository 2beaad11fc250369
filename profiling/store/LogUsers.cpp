// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/LogUsers.h"

#include "core/base/Error.h"
#include "profiling/store/OpenFiles.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace headroom::store {
namespace {

namespace fs = std::filesystem;

enum class Holding { No, Yes, Unknown };

constexpr const char* kValidPlace = "closing that program, or another name for this file";

// Resolves symbolic links as SQLite does.
fs::path withEnding(const fs::path& path, const char* ending)
{
    std::error_code missing;
    const fs::path real = fs::canonical(path, missing);
    return (missing ? fs::absolute(path) : real).string() + ending;
}

// The processes with a POSIX lock on a file of this inode number. The device is not compared: on some file systems
// /proc reports another one than stat.
std::set<pid_t> lockersOf(std::uint64_t number)
{
    std::set<pid_t> processes;
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        const std::size_t kind = line.find("POSIX");
        long process = 0;
        unsigned long long inode = 0;
        if (kind != std::string::npos
            && std::sscanf(line.c_str() + kind, "POSIX %*s %*s %ld %*x:%*x:%llu", &process, &inode) == 2
            && inode == number && process > 0 && process != ::getpid())
            processes.insert(static_cast<pid_t>(process));
    }
    return processes;
}

// The entry of the given file in a process's open files ("self": this process); empty if there is none.
fs::path descriptorOf(const std::string& process, const FileId& file, std::error_code& error)
{
    for (fs::directory_iterator descriptors(fmt::format("/proc/{}/fd", process), error);
        !error && descriptors != fs::directory_iterator(); descriptors.increment(error))
        if (fileIdOf(descriptors->path()) == file)
            return descriptors->path();
    return {};
}

Holding holds(pid_t process, const FileId& file)
{
    std::error_code error;
    if (!descriptorOf(std::to_string(process), file, error).empty())
        return Holding::Yes;
    return error && fs::exists(fmt::format("/proc/{}", process)) ? Holding::Unknown : Holding::No;
}

// A program that opens or closes the database, or that is being killed, has for a moment only one of the two files
// open, and its entries are not read atomically: only a state that lasts counts.
bool holdsLogAlone(pid_t process, const FileId& shared, const std::optional<FileId>& file)
{
    using namespace std::chrono_literals;
    constexpr int kLooks = 10;
    for (int look = 0; look < kLooks; ++look) {
        if (look > 0)
            std::this_thread::sleep_for(20ms);
        if (holds(process, shared) != Holding::Yes || (file && holds(process, *file) != Holding::No))
            return false;
    }
    return true;
}

FileError strangeLogError(const fs::path& path, const std::string& program)
{
    return FileError(
        program + " still has the file open that had this name before, and what it writes would spoil this one",
        path.string(), kValidPlace);
}

FileError strangeLogError(const fs::path& path, pid_t process)
{
    return strangeLogError(path, fmt::format("another program (process {})", process));
}

std::mutex& logMovesMutex()
{
    static std::mutex mutex;
    return mutex;
}

// For a file that this process has open; false if it cannot be determined.
bool isDeleted(const FileId& openFile)
{
    std::error_code error;
    const auto names = fs::hard_link_count(descriptorOf("self", openFile, error), error);
    return !error && names == 0;
}

// Moves both or neither.
bool isMoved(const std::array<fs::path, 2>& from, const std::array<fs::path, 2>& to)
{
    std::error_code failure;
    std::error_code ignored;
    if (fs::exists(to[0], ignored))
        return false;
    fs::rename(from[0], to[0], failure);
    if (failure)
        return false;
    fs::rename(from[1], to[1], failure);
    if (failure)
        fs::rename(to[0], from[0], ignored);
    return !failure;
}

// Moves the log and its shared memory from beside `path` to the present location of the file that they belong to.
// Connections use them by descriptor and do not notice. The log of a deleted file has no destination.
void leaveLogTo(const FileId& former, const fs::path& path)
{
    const std::array<fs::path, 2> files{withEnding(path, "-wal"), withEnding(path, "-shm")};
    std::error_code failure;
    if (isDeleted(former)) {
        for (const fs::path& file : files)
            fs::remove(file, failure);
        return;
    }
    const auto name = presentNameOf(former);
    if (!name || !isMoved(files, {withEnding(*name, "-wal"), withEnding(*name, "-shm")}))
        throw strangeLogError(path, "this program");
}

} // namespace

void requireOwnLog(const fs::path& path)
{
    const std::scoped_lock lock(logMovesMutex());
    const auto shared = fileIdOf(withEnding(path, "-shm"));
    if (!shared)
        return; // nobody uses a log that has no shared memory
    const auto file = fileIdOf(path);
    const std::set<pid_t> lockers = lockersOf(shared->number);
    for (const pid_t process : lockers)
        if (holdsLogAlone(process, *shared, file))
            throw strangeLogError(path, process);
    const auto log = fileIdOf(withEnding(path, "-wal"));
    const auto former = log ? databaseOfOpenLog(*log) : std::nullopt;
    if (!former || former == file)
        return;
    for (const pid_t process : lockers)
        if (holds(process, *shared) != Holding::No)
            throw strangeLogError(path, process);
    leaveLogTo(*former, path);
}

bool isLogUsedByOthers(const fs::path& path)
{
    const fs::path sharedPath = path.string() + "-shm";
    const auto shared = fileIdOf(sharedPath);
    if (!shared)
        return false;
    if (isOpenHere(path)) // the file that has the name now; all other connections of this process use the former file
        return true;
    for (const pid_t process : lockersOf(shared->number))
        if (holds(process, *shared) != Holding::No)
            return true;
    return false;
}

std::optional<fs::path> presentNameOf(const FileId& openFile)
{
    std::error_code error;
    const fs::path name = fs::read_symlink(descriptorOf("self", openFile, error), error);
    return !error && fileIdOf(name) == openFile ? std::optional(name) : std::nullopt;
}

} // namespace headroom::store
