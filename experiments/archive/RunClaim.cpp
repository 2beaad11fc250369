// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/RunClaim.h"

#include "core/base/Error.h"
#include "core/protocol/Json.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kClaimEnding = ".run";
constexpr auto kPatience = std::chrono::milliseconds(250); ///< while another run clears a file away that is left
constexpr auto kPause = std::chrono::milliseconds(10);

fs::path claimPath(const fs::path& workspace, std::int64_t experiment)
{
    return besideWorkspace(workspace, fmt::format(".{}{}", experiment, kClaimEnding));
}

std::string hostName()
{
    utsname system{};
    return ::uname(&system) == 0 ? system.nodename : "";
}

// Whoever gave a claim back has removed its file: a lock on a removed one keeps nobody out.
bool isStillThere(const fs::path& path, int descriptor)
{
    struct stat locked{};
    struct stat named{};
    return ::fstat(descriptor, &locked) == 0 && ::stat(path.c_str(), &named) == 0 && locked.st_ino == named.st_ino
        && locked.st_dev == named.st_dev;
}

FileError claimError(const fs::path& path)
{
    const bool hasNoLocks = errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL;
    const std::string what =
        hasNoLocks ? "files cannot be locked here: " : "the file that marks a run cannot be made: ";
    return FileError(what + std::generic_category().message(errno), path.string(),
        "a workspace on a local disk with free space, in a folder that may be written");
}

// Of the open file and not of the process: it keeps out a second run of the same process, closing the file elsewhere
// does not lose it, and one can ask for it without taking it.
struct flock lockOf(short type)
{
    struct flock lock{};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

enum class Locking { Done, HeldByAnother, FileIsGone };

Locking lock(const fs::path& path, int descriptor)
{
    const struct flock whole = lockOf(F_WRLCK);
    if (::fcntl(descriptor, F_OFD_SETLK, &whole) == 0)
        return isStillThere(path, descriptor) ? Locking::Done : Locking::FileIsGone;
    if (errno == EAGAIN || errno == EACCES)
        return Locking::HeldByAnother;
    const FileError error = claimError(path);
    ::close(descriptor);
    throw error;
}

// The descriptor of the locked file; -1 where another one has it.
int lockedFile(const fs::path& path)
{
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    for (;;) {
        const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (descriptor < 0)
            throw claimError(path);
        const Locking locking = lock(path, descriptor);
        if (locking == Locking::Done)
            return descriptor;
        ::close(descriptor);
        if (locking == Locking::HeldByAnother && std::chrono::steady_clock::now() >= deadline)
            return -1;
        if (locking == Locking::HeldByAnother)
            std::this_thread::sleep_for(kPause);
    }
}

// Whoever may write the workspace may take the claim that a run of somebody else has left, so it gets the workspace's
// owners and permissions, as SQLite gives them to its files. Only who made it can; others leave it as it is.
void shareAs(const fs::path& workspace, int descriptor)
{
    constexpr mode_t kReadAndWrite = 0666;
    constexpr mode_t kOwner = 0600;
    struct stat shared{};
    if (::stat(workspace.c_str(), &shared) != 0)
        return;
    const bool isShared = ::fchown(descriptor, static_cast<uid_t>(-1), shared.st_gid) == 0
        && ::fchmod(descriptor, (shared.st_mode & kReadAndWrite) | kOwner) == 0;
    static_cast<void>(isShared);
}

// The experiment of "headroom.db.3.run", given "headroom.db.".
std::optional<std::int64_t> experimentOf(std::string_view name, std::string_view prefix)
{
    if (!name.starts_with(prefix) || !name.ends_with(kClaimEnding))
        return std::nullopt;
    name.remove_prefix(prefix.size());
    name.remove_suffix(kClaimEnding.size());
    std::int64_t experiment = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), experiment);
    return error == std::errc() && end == name.data() + name.size() ? std::optional(experiment) : std::nullopt;
}

} // namespace

fs::path besideWorkspace(const fs::path& workspace, const std::string& ending)
{
    std::error_code ignored;
    const fs::path found = fs::weakly_canonical(fs::absolute(workspace), ignored);
    return (ignored ? workspace : found).string() + ending;
}

std::string toText(const std::optional<ClaimHolder>& holder)
{
    if (!holder)
        return "";
    const std::time_t since = holder->sinceMs / 1000;
    return fmt::format(" by process {} on {} since {:%Y-%m-%d %H:%M:%S} UTC", holder->pid,
        holder->host.empty() ? "a machine without a name" : holder->host, fmt::gmtime(since));
}

std::optional<RunClaim> RunClaim::take(
    const fs::path& workspace, std::int64_t experiment, const std::string& commandLine)
{
    const fs::path path = claimPath(workspace, experiment);
    const int descriptor = lockedFile(path);
    if (descriptor < 0)
        return std::nullopt;
    RunClaim claim(path, descriptor);
    shareAs(workspace, descriptor);
    claim.describe(commandLine);
    return claim;
}

RunClaim::RunClaim(fs::path path, int descriptor)
    : m_path(std::move(path))
    , m_descriptor(descriptor)
{
}

RunClaim::RunClaim(RunClaim&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

// Removed first, while nobody else can hold it. A child that was forked just now has the descriptor too, so the lock is
// given back by name.
RunClaim::~RunClaim()
{
    if (m_descriptor < 0)
        return;
    std::error_code ignored;
    if (isStillThere(m_path, m_descriptor))
        fs::remove(m_path, ignored);
    const struct flock none = lockOf(F_UNLCK);
    ::fcntl(m_descriptor, F_OFD_SETLK, &none);
    ::close(m_descriptor);
}

// For people only: on a full disk the claim holds without it.
void RunClaim::describe(const std::string& commandLine) const
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::string text =
        protocol::Json{{"pid", ::getpid()}, {"host", hostName()},
            {"since_ms", std::chrono::duration_cast<std::chrono::milliseconds>(now).count()}, {"command", commandLine}}
            .dump(-1, ' ', false, protocol::Json::error_handler_t::replace)
        + "\n";
    const bool isWritten = ::ftruncate(m_descriptor, 0) == 0 && ::pwrite(m_descriptor, text.data(), text.size(), 0) > 0;
    static_cast<void>(isWritten);
}

std::optional<ClaimHolder> RunClaim::holder(const fs::path& workspace, std::int64_t experiment)
{
    std::ifstream file(claimPath(workspace, experiment), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const protocol::Json json = protocol::Json::parse(text, nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    try {
        return ClaimHolder{.pid = json.at("pid").get<std::int64_t>(),
            .host = json.at("host").get<std::string>(),
            .sinceMs = json.at("since_ms").get<std::int64_t>(),
            .commandLine = json.at("command").get<std::string>()};
    } catch (const protocol::Json::exception&) {
        return std::nullopt; // being written just now, or by another version
    }
}

bool RunClaim::isHeld(const fs::path& workspace, std::int64_t experiment)
{
    const fs::path path = claimPath(workspace, experiment);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); // may be of another user
    if (descriptor < 0)
        return errno != ENOENT && errno != ENOTDIR;
    struct flock found = lockOf(F_WRLCK);
    const bool isKnown = ::fcntl(descriptor, F_OFD_GETLK, &found) == 0;
    ::close(descriptor);
    return !isKnown || found.l_type != F_UNLCK;
}

// Taken and given back, which removes it. What another user has left and nobody else may touch is no harm to a run.
void RunClaim::clear(const fs::path& workspace, std::int64_t experiment)
{
    try {
        take(workspace, experiment, "");
    } catch (const FileError&) {
        return;
    }
}

void RunClaim::removeLeft(const fs::path& workspace)
{
    const fs::path prefix = besideWorkspace(workspace, ".");
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(prefix.parent_path(), ignored))
        if (const auto experiment = experimentOf(entry.path().filename().string(), prefix.filename().string());
            experiment && !isHeld(workspace, *experiment))
            clear(workspace, *experiment);
}

} // namespace headroom::experiments
