// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/LogUsers.h"

#include "core/config/Error.h"
#include "profiling/store/OpenFiles.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <set>
#include <string>
#include <thread>

namespace headroom::store {
namespace {

namespace fs = std::filesystem;

enum class Holding { No, Yes, Unknown };

constexpr const char* kValidPlace = "closing that program, or another name for this file";

// Where symbolic links lead, as SQLite has it.
fs::path withEnding(const fs::path& path, const char* ending)
{
    std::error_code missing;
    const fs::path real = fs::canonical(path, missing);
    return (missing ? fs::absolute(path) : real).string() + ending;
}

// Of processes with a POSIX lock on a file of this number. The device is not compared: what /proc tells of it differs
// from what stat does on some file systems.
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

// The entry of a process's open files ("self": of this one) that is the given one; empty where there is none.
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

// A program that opens or closes the database, or that is being killed, has for a moment the one file and not the
// other, and its entries are not read all at once: only what lasts counts.
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

FileError strangeLogError(const fs::path& path, pid_t process)
{
    return FileError(fmt::format("another program (process {}) still has the file open that had this name before, and "
                                 "what it writes would spoil this one",
                         process),
        path.string(), kValidPlace);
}

} // namespace

void requireOwnLog(const fs::path& path)
{
    const fs::path sharedPath = withEnding(path, "-shm");
    const auto shared = fileIdOf(sharedPath);
    if (!shared)
        return; // nobody uses a log that no memory is shared for
    const auto file = fileIdOf(path);
    for (const pid_t process : lockersOf(shared->number))
        if (holdsLogAlone(process, *shared, file))
            throw strangeLogError(path, process);
}

bool isLogUsedByOthers(const fs::path& path)
{
    const fs::path sharedPath = path.string() + "-shm";
    const auto shared = fileIdOf(sharedPath);
    if (!shared)
        return false;
    if (isOpenHere(path)) // what has the name now; all other connections of this process are to the former file
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
