// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/FileContent.h"

#include "profiling/recordings/ByteInput.h"
#include "profiling/recordings/SqliteTables.h"

#include <algorithm>
#include <array>

namespace headroom::recordings {
namespace {

constexpr std::string_view kSqliteBeginning = "SQLite format 3";
constexpr std::size_t kTellingBytes = 1 << 20; ///< of JSON: the descriptions of a profiler's devices come first

std::string_view withoutBlanks(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

bool isRecordedJson(std::string_view text)
{
    constexpr std::array<std::string_view, 4> kKeys{
        "\"traceEvents\"", "\"device_traces\"", "\"segments\"", "\"deviceProperties\""};
    const std::string_view list = withoutBlanks(text);
    return (list.starts_with('[') && withoutBlanks(list.substr(1)).starts_with('{'))
        || std::ranges::any_of(kKeys, [&](std::string_view key) { return text.find(key) != std::string_view::npos; });
}

// Headroom's exports have the tables of Nsight Systems.
bool isProfilersDatabase(const std::filesystem::path& path)
{
    const SqliteTables tables(path);
    return std::ranges::any_of(std::array{"StringIds", "CUDA_GPU_MEMORY_USAGE_EVENTS", "CUPTI_ACTIVITY_KIND_KERNEL"},
        [&](const char* table) { return tables.has(table); });
}

} // namespace

FileContent contentOf(std::string_view beginning)
{
    if (beginning.starts_with(kSqliteBeginning))
        return FileContent::Sqlite;
    if (beginning.starts_with('\x80'))
        return FileContent::Pickle;
    const std::string_view text = withoutBlanks(beginning);
    if (text.starts_with('<'))
        return FileContent::Page;
    if (text.starts_with('{') || text.starts_with('['))
        return FileContent::Json;
    // Protocols 0 and 1 begin with a container.
    return beginning.starts_with('(') || beginning.starts_with('}') ? FileContent::Pickle : FileContent::Unknown;
}

bool looksLikeRecording(const std::filesystem::path& path)
{
    ByteInput input(openFile(path), path.string());
    switch (contentOf(input.peek(256))) {
    case FileContent::Pickle:
    case FileContent::Page:
        return true;
    case FileContent::Json:
        return isRecordedJson(input.peek(kTellingBytes));
    case FileContent::Sqlite:
        return isProfilersDatabase(path);
    case FileContent::Unknown:
        break;
    }
    return false;
}

} // namespace headroom::recordings
