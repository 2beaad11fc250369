// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/SpoolFiles.h"

#include "experiments/archive/RunClaim.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <system_error>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

// What SQLite may leave beside a file.
constexpr std::array kCompanions{"-journal", "-wal", "-shm"};

// "headroom.db.3-7-0.4711-99.spool" of "headroom.db.3-7-0.4711-99.spool-journal", which may be all that is left of it.
std::string withoutCompanion(const std::string& file)
{
    for (const std::string companion : kCompanions)
        if (file.ends_with(".spool" + companion))
            return file.substr(0, file.size() - companion.size());
    return file;
}

Bytes sizeOfFile(const fs::path& path)
{
    std::error_code missing;
    const auto size = fs::file_size(path, missing);
    return missing ? 0 : static_cast<Bytes>(size);
}

Bytes sizeOfFolder(const fs::path& folder)
{
    Bytes size = 0;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, ignored))
        if (entry.is_regular_file(ignored))
            size += sizeOfFile(entry.path());
    return size;
}

Bytes sizeWithCompanions(const fs::path& spool)
{
    Bytes size = sizeOfFile(spool);
    for (const char* companion : kCompanions)
        size += sizeOfFile(spool.string() + companion);
    return size;
}

std::int64_t numberIn(const std::smatch& match, std::size_t group)
{
    return std::stoll(match[group].str());
}

// Told by the part of the name that follows the workspace's; nothing where it is no spool's.
std::optional<SpoolFile> recognised(const fs::path& workspace, const fs::path& path, const std::string& rest)
{
    static const std::regex kOfRun(R"((\d{1,18})\.(\d{1,18})-\d{1,18}\.spools)");
    // Of versions before, each a file.
    static const std::regex kOfRepeat(R"((\d{1,18})-\d{1,18}-\d{1,9}\.(\d{1,18})-\d{1,18}\.spool)");
    static const std::regex kKept(R"((\d{1,18})-\d{1,18}-\d{1,9}\.kept\.spool)");
    static const std::regex kNameless(R"(\d{1,18}-\d{1,9}\.spool)");
    std::error_code ignored;
    SpoolFile file{
        .path = path, .bytes = fs::is_directory(path, ignored) ? sizeOfFolder(path) : sizeWithCompanions(path)};
    std::smatch match;
    if (std::regex_match(rest, match, kOfRun) || std::regex_match(rest, match, kOfRepeat)) {
        file.experiment = numberIn(match, 1);
        file.pid = numberIn(match, 2);
        file.state = RunClaim::isHeld(workspace, file.experiment) ? SpoolState::InUse : SpoolState::Left;
    } else if (std::regex_match(rest, match, kKept)) {
        file.experiment = numberIn(match, 1);
        file.state = SpoolState::Kept;
    } else if (!std::regex_match(rest, kNameless)) {
        return std::nullopt;
    }
    return file;
}

} // namespace

SpoolFolder::SpoolFolder(const fs::path& workspace, std::int64_t experiment, std::int64_t pid, std::int64_t sinceMs)
    : m_path(besideWorkspace(workspace, fmt::format(".{}.{}-{}.spools", experiment, pid, sinceMs)))
{
}

SpoolFolder::~SpoolFolder()
{
    std::error_code ignored; // what stays goes with the next run
    fs::remove_all(m_path, ignored);
}

fs::path SpoolFolder::spool(std::int64_t trial, int repeat) const
{
    std::error_code ignored; // a full disk costs the trace and not the trial: whoever writes the spool says why
    fs::create_directory(m_path, ignored);
    return m_path / fmt::format("{}-{}.spool", trial, repeat);
}

void discardSpool(const fs::path& spool)
{
    if (spool.empty())
        return;
    std::error_code ignored; // a file that stays is no harm: nobody uses its name again
    fs::remove(spool, ignored);
    for (const char* companion : kCompanions)
        fs::remove(spool.string() + companion, ignored);
}

fs::path keptSpoolPath(const fs::path& workspace, const SpoolName& name)
{
    return besideWorkspace(workspace, fmt::format(".{}-{}-{}.kept.spool", name.experiment, name.trial, name.repeat));
}

void keepSpool(const fs::path& spool, const fs::path& kept)
{
    discardSpool(kept);
    std::error_code ignored; // what cannot be renamed goes with its run
    fs::rename(spool, kept, ignored);
    for (const char* companion : kCompanions)
        fs::rename(spool.string() + companion, kept.string() + companion, ignored);
}

std::vector<SpoolFile> spoolsBeside(const fs::path& workspace)
{
    const fs::path prefix = besideWorkspace(workspace, ".");
    const std::string begin = prefix.filename().string();
    std::set<std::string> names;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(prefix.parent_path(), ignored))
        if (const std::string name = entry.path().filename().string(); name.starts_with(begin))
            names.insert(withoutCompanion(name));
    std::vector<SpoolFile> found;
    for (const std::string& name : names)
        if (auto file = recognised(workspace, prefix.parent_path() / name, name.substr(begin.size())))
            found.push_back(std::move(*file));
    return found;
}

Bytes removeLeftFiles(const fs::path& workspace)
{
    Bytes freed = 0;
    for (const SpoolFile& file : spoolsBeside(workspace))
        if (file.state == SpoolState::Left) {
            std::error_code ignored;
            if (fs::is_directory(file.path, ignored))
                fs::remove_all(file.path, ignored);
            else
                discardSpool(file.path);
            freed += file.bytes;
        }
    RunClaim::removeLeft(workspace);
    return freed;
}

} // namespace headroom::experiments
