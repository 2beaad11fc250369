// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/PrivateFolder.h"

#include "core/base/Error.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRandomPart = "XXXXXX"; // of mkdtemp
constexpr std::array<std::string_view, 3> kBeginnings{"headroom-trace-", "headroom-card-", "headroom-writes-"};

std::string_view beginningOf(PrivateFolder::Purpose purpose)
{
    return kBeginnings.at(static_cast<std::size_t>(purpose));
}

bool isName(const std::string& name)
{
    return std::ranges::any_of(kBeginnings, [&](std::string_view beginning) {
        return name.starts_with(beginning) && name.size() == beginning.size() + kRandomPart.size();
    });
}

// Where it is a folder and no link to one.
int opened(const fs::path& folder)
{
    return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// The errors of a place where folders cannot be locked are no errors of whoever needs the folder.
void lock(int descriptor)
{
    while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) { }
}

bool isStillThere(int descriptor, const fs::path& path)
{
    struct stat locked{};
    struct stat named{};
    return ::fstat(descriptor, &locked) == 0 && ::lstat(path.c_str(), &named) == 0 && locked.st_ino == named.st_ino
        && locked.st_dev == named.st_dev;
}

bool isOwn(int descriptor)
{
    struct stat status{};
    return ::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid();
}

void removeAll(const fs::path& path)
{
    std::error_code ignored; // a worker that dies at this moment may still write: it goes the next time
    fs::remove_all(path, ignored);
}

void removeIfLeft(const fs::path& path)
{
    const int descriptor = opened(path);
    if (descriptor < 0)
        return;
    if (isOwn(descriptor) && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        removeAll(path);
    ::close(descriptor);
}

} // namespace

PrivateFolder::PrivateFolder(Purpose purpose, const fs::path& parent)
{
    removeLeft(parent);
    std::string pattern(beginningOf(purpose));
    pattern += kRandomPart;
    while (!make((parent / pattern).string())) { }
}

// False where another process has taken the new folder for one that was left, before it was locked.
bool PrivateFolder::make(const std::string& pattern)
{
    std::string name = pattern;
    if (::mkdtemp(name.data()) == nullptr)
        throw FileError("cannot be made: " + std::generic_category().message(errno), pattern,
            "a folder for temporary files (TMPDIR) that can be written");
    m_path = name;
    m_descriptor = opened(m_path);
    if (m_descriptor < 0)
        return errno != ENOENT; // where no more files can be opened, it is used all the same
    lock(m_descriptor);
    if (isStillThere(m_descriptor, m_path))
        return true;
    ::close(std::exchange(m_descriptor, -1));
    return false;
}

PrivateFolder::~PrivateFolder()
{
    removeAll(m_path);
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void PrivateFolder::removeLeft(const fs::path& parent)
{
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored))
        if (isName(entry.path().filename().string()))
            removeIfLeft(entry.path());
}

void PrivateFolder::removeLeft()
{
    std::error_code missing;
    if (const fs::path parent = fs::temp_directory_path(missing); !missing)
        removeLeft(parent);
}

} // namespace headroom::experiments
