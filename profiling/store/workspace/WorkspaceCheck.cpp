// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/workspace/WorkspaceCheck.h"

#include "core/base/Error.h"
#include "profiling/store/FilePlace.h"
#include "profiling/store/FileProbe.h"
#include "profiling/store/Query.h"
#include "profiling/store/StoreErrors.h"
#include "profiling/trace/EventBlock.h"
#include "profiling/trace/MalformedBlock.h"
#include "profiling/trace/peaks/SegmentStateData.h"
#include "profiling/trace/pyramids/CategoryChunk.h"
#include "profiling/trace/pyramids/PyramidChunk.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <ranges>

namespace headroom::store {
namespace {

namespace fs = std::filesystem;

constexpr auto kRepairIt = "headroom workspace repair FILE saves what can be read; do not run anything into it";

WorkspaceFinding sound(const std::string& check, const std::string& found)
{
    return {check, Soundness::Sound, found, ""};
}

WorkspaceFinding broken(const std::string& check, const std::string& found)
{
    return {check, Soundness::Broken, found, kRepairIt};
}

// Older versions are checked without migration.
Schema anyVersion()
{
    Schema schema = workspaceSchema();
    schema.oldestReadable = 1;
    return schema;
}

WorkspaceFinding checkVersion(SqliteFile& file)
{
    const auto version = file.integer("PRAGMA user_version");
    const int latest = workspaceSchema().latestVersion();
    if (version == latest)
        return sound("version", fmt::format("{}", version));
    return {"version", Soundness::Noteworthy, fmt::format("{}, this program writes {}", version, latest),
        "it is brought up to date by the first run into it"};
}

WorkspaceFinding checkIntegrity(SqliteFile& file)
{
    constexpr int kMostTold = 3;
    std::vector<std::string> problems;
    for (Query query(file, "PRAGMA integrity_check(100)"); query.step();)
        problems.push_back(query.text(0));
    if (problems == std::vector<std::string>{"ok"})
        return sound("integrity", "every page is in order");
    std::string told;
    for (std::string problem : problems | std::views::take(kMostTold)) {
        std::ranges::replace(problem, '\n', ' ');
        told += (told.empty() ? "" : "; ") + problem;
    }
    return broken(
        "integrity", fmt::format("{}{} problems: {}", problems.size() < 100 ? "" : "at least ", problems.size(), told));
}

WorkspaceFinding checkReferences(SqliteFile& file)
{
    const auto dangling = file.integer("SELECT count(*) FROM pragma_foreign_key_check");
    if (dangling == 0)
        return sound("references", "every row belongs to one that is there");
    return broken("references", fmt::format("{} rows belong to one that is not there", dangling));
}

WorkspaceFinding checkResults(SqliteFile& file)
{
    const auto repeats = file.integer("SELECT count(*) FROM repeats");
    const auto garbled =
        file.integer("SELECT count(*) FROM repeats WHERE result_json IS NOT NULL AND NOT json_valid(result_json)")
        + file.integer("SELECT count(*) FROM trials WHERE NOT json_valid(request_json)");
    if (garbled == 0)
        return sound(
            "results", fmt::format("{} repeats of {} trials", repeats, file.integer("SELECT count(*) FROM trials")));
    return broken("results", fmt::format("{} results or trials are garbled", garbled));
}

using Verify = std::function<void(std::span<const std::byte>)>;

WorkspaceFinding checkTraces(SqliteFile& file)
{
    const std::map<std::string, Verify> tables = {{"event_blocks", [](auto data) { trace::verifyEventBlock(data); }},
        {"pyramids", [](auto data) { trace::decodePyramidChunk(data); }},
        {"category_pyramids", [](auto data) { trace::decodeCategoryChunk(data); }},
        {"segment_stretches", [](auto data) { trace::decodeSegmentState(data); }}};
    std::int64_t blocks = 0;
    std::int64_t malformed = 0;
    for (const auto& [table, verify] : tables) {
        if (file.integer("SELECT count(*) FROM sqlite_schema WHERE name = '" + table + "'") == 0)
            continue; // of an older version
        for (Query query(file, ("SELECT data FROM " + table).c_str()); query.step(); ++blocks)
            try {
                verify(query.bytes(0));
            } catch (const trace::MalformedBlock&) {
                ++malformed;
            }
    }
    if (malformed == 0)
        return sound("traces", fmt::format("{} blocks", blocks));
    return broken("traces", fmt::format("{} of {} blocks are malformed", malformed, blocks));
}

WorkspaceFinding checkPlace(const fs::path& path)
{
    const FilePlace place = placeOf(path);
    if (const std::string problem = place.network.empty() ? "" : lockingProblem(folderOf(path)); !problem.empty())
        return {"file system", Soundness::Broken,
            fmt::format("{}, whose locks do not work: {}", place.network, problem),
            "two programs that write at once would destroy it: move it to a local disk"};
    if (place.caution().empty())
        return sound("file system", "local");
    return {"file system", Soundness::Noteworthy,
        place.network.empty() ? "in a folder of " + place.synchronisedBy : place.network, place.caution()};
}

// A check that fails to complete is a finding as well.
WorkspaceFinding guarded(const std::string& check, const std::function<WorkspaceFinding()>& look)
{
    try {
        return look();
    } catch (const DamagedFileError& error) {
        return broken(check, error.problem());
    } catch (const FileError& error) {
        return {check, Soundness::Broken, error.problem(), "results cannot be kept in it; name another file"};
    } catch (const SQLite::Exception& error) {
        return broken(check, error.what());
    }
}

} // namespace

std::vector<WorkspaceFinding> checkWorkspace(const fs::path& path)
{
    std::optional<SqliteFile> file;
    std::vector<WorkspaceFinding> findings{guarded("workspace", [&] {
        file.emplace(path, Access::ReadOnly, anyVersion(), kDefaultBusyTimeout);
        return sound("workspace", path.string());
    })};
    if (!file)
        findings.front().found = path.string() + ": " + findings.front().found;
    const auto add = [&](const char* check, WorkspaceFinding (*look)(SqliteFile&)) {
        if (file)
            findings.push_back(guarded(check, [&] { return look(*file); }));
    };
    add("version", &checkVersion);
    add("integrity", &checkIntegrity);
    add("references", &checkReferences);
    add("results", &checkResults);
    add("traces", &checkTraces);
    findings.push_back(checkPlace(path));
    return findings;
}

} // namespace headroom::store
