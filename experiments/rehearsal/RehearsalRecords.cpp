// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/RehearsalRecords.h"

#include "core/protocol/Json.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <tuple>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;
using protocol::Json;

constexpr const char* kFolder = "records";
constexpr const char* kSnapshots = "snapshots";

// Records come from a process of the user's, which can write anything: what is not of the right type is not there.
std::string textOf(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<std::int64_t> countOf(const Json& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number_integer())
        return std::nullopt;
    return found->get<std::int64_t>();
}

std::optional<Bytes> bytesOf(const Json& json, const char* key)
{
    const auto bytes = countOf(json, key);
    return bytes && *bytes >= 0 ? std::optional<Bytes>(*bytes) : std::nullopt;
}

std::optional<double> secondsOf(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

bool isTrue(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_boolean() && found->get<bool>();
}

const Json& listOf(const Json& json, const char* key)
{
    static const Json none = Json::array();
    const auto found = json.find(key);
    return found != json.end() && found->is_array() ? *found : none;
}

std::vector<CodePlace> placesOf(const Json& json)
{
    std::vector<CodePlace> places;
    for (const Json& place : listOf(json, "where"))
        if (place.is_object())
            places.push_back({textOf(place, "file"), countOf(place, "line").value_or(0), textOf(place, "function")});
    return places;
}

std::vector<NamedBlock> blocksOf(const Json& json, const char* key)
{
    std::vector<NamedBlock> blocks;
    for (const Json& block : listOf(json, key))
        if (block.is_array() && block.size() == 3 && block[0].is_number_unsigned() && block[2].is_string())
            blocks.push_back({block[0].get<std::uint64_t>(), block[2].get<std::string>()});
    return blocks;
}

using Reader = std::function<void(const Json& record, ProcessRecords& process)>;

void readTorch(const Json& record, ProcessRecords& process)
{
    process.torch = textOf(record, "version");
    process.cuda = textOf(record, "cuda");
}

void readStep(const Json& record, ProcessRecords& process)
{
    process.steps.push_back({countOf(record, "step").value_or(static_cast<std::int64_t>(process.steps.size()) + 1),
        bytesOf(record, "allocated_bytes"), bytesOf(record, "reserved_bytes"), secondsOf(record, "host_seconds"),
        secondsOf(record, "device_seconds")});
}

void readPeak(const Json& record, ProcessRecords& process)
{
    process.peaks[static_cast<int>(countOf(record, "device").value_or(0))] = {bytesOf(record, "allocated_bytes"),
        bytesOf(record, "active_bytes"), bytesOf(record, "reserved_bytes"), countOf(record, "step"),
        textOf(record, "phase"), countOf(record, "retries").value_or(0)};
}

void readShortage(const Json& record, ProcessRecords& process)
{
    process.shortages.push_back(
        {bytesOf(record, "requested_bytes"), bytesOf(record, "free_bytes"), placesOf(record), process.steps.size()});
}

// Some are written as soon as they are made, so that those of one place come in parts.
void readGuess(const Json& record, ProcessRecords& process)
{
    RecordedGuess guess{textOf(record, "kind"), textOf(record, "what"), countOf(record, "count").value_or(1),
        placesOf(record), isTrue(record, "size")};
    const auto known = std::ranges::find_if(process.guesses, [&](const RecordedGuess& other) {
        return std::tie(other.kind, other.what, other.where, other.isSize)
            == std::tie(guess.kind, guess.what, guess.where, guess.isSize);
    });
    if (known == process.guesses.end())
        process.guesses.push_back(std::move(guess));
    else
        known->count += guess.count;
}

void readReads(const Json& record, ProcessRecords& process)
{
    process.reads = {countOf(record, "computed").value_or(0), countOf(record, "by_rule").value_or(0),
        countOf(record, "unknown").value_or(0)};
}

void readLibraries(const Json& record, ProcessRecords& process)
{
    for (const auto& [name, version] : record.items())
        if (version.is_string() && name != "record")
            process.libraries[name] = version.get<std::string>();
}

void readTensors(const Json& record, ProcessRecords& process)
{
    process.parameters = blocksOf(record, "parameters");
    process.gradients = blocksOf(record, "gradients");
    process.optimizerState = blocksOf(record, "optimizer_state");
}

void readCoverage(const Json& record, ProcessRecords& process)
{
    process.coverage = {countOf(record, "steps").value_or(0), isTrue(record, "evaluation"), isTrue(record, "saving"),
        isTrue(record, "end"), countOf(record, "launches")};
}

void readRefusal(const Json& record, ProcessRecords& process)
{
    process.refused.try_emplace(textOf(record, "function"), placesOf(record));
}

void readEnd(const Json& record, ProcessRecords& process)
{
    const auto code = countOf(record, "exit_code");
    process.end = {textOf(record, "reason"), code ? std::optional(static_cast<int>(*code)) : std::nullopt,
        textOf(record, "exception")};
}

const std::map<std::string, Reader>& readers()
{
    static const std::map<std::string, Reader> all{{"torch", readTorch},
        {"handshake", [](const Json& record, ProcessRecords& process) { process.hasHandshake = isTrue(record, "ok"); }},
        {"problem",
            [](const Json& record, ProcessRecords& process) {
                process.problem = {textOf(record, "reason"), textOf(record, "found")};
            }},
        {"device",
            [](const Json& record, ProcessRecords& process) {
                process.usesDevice = true;
                process.backend = textOf(record, "backend");
            }},
        {"rank",
            [](const Json& record, ProcessRecords& process) {
                process.worldSize = static_cast<int>(countOf(record, "world_size").value_or(0));
            }},
        {"absent", [](const Json&, ProcessRecords& process) { process.isAbsent = true; }}, {"step", readStep},
        {"peak", readPeak}, {"out_of_memory", readShortage}, {"guess", readGuess}, {"read", readReads},
        {"libraries", readLibraries}, {"tensors", readTensors}, {"covered", readCoverage}, {"refused", readRefusal},
        {"end", readEnd}};
    return all;
}

std::optional<Json> recordIn(const std::string& line)
{
    Json record = Json::parse(line, nullptr, false);
    if (!record.is_object() || textOf(record, "record").empty())
        return std::nullopt;
    return record;
}

ProcessRecords readProcess(const fs::path& file, const fs::path& folder)
{
    ProcessRecords process;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        const std::optional<Json> record = recordIn(line);
        if (!record)
            continue;
        process.pid = static_cast<int>(countOf(*record, "pid").value_or(process.pid));
        process.rank = static_cast<int>(countOf(*record, "rank").value_or(process.rank));
        const std::string kind = textOf(*record, "record");
        if (kind == "snapshot") // of that folder, whatever the name says
            process.snapshots.push_back({folder / kSnapshots / fs::path(textOf(*record, "file")).filename(),
                static_cast<int>(countOf(*record, "device").value_or(0))});
        else if (const auto reader = readers().find(kind); reader != readers().end())
            reader->second(*record, process);
    }
    return process;
}

std::vector<fs::path> recordFiles(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code none; // no process of the command was a Python
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / kFolder, none))
        if (entry.path().extension() == ".jsonl" && entry.is_regular_file(none))
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

void follow(const Json& record, LatestRecords& latest)
{
    const std::string kind = textOf(record, "record");
    if (kind == "step")
        latest.steps = countOf(record, "step").value_or(latest.steps);
    if (kind != "phase")
        return;
    latest.phase = textOf(record, "phase");
    latest.allocated = bytesOf(record, "allocated_bytes");
    latest.reserved = bytesOf(record, "reserved_bytes");
}

bool saysDone(const Json& record)
{
    const std::string kind = textOf(record, "record");
    return kind == "problem" || (kind == "end" && textOf(record, "reason") == "steps");
}

} // namespace

std::string placeText(const CodePlace& place)
{
    return fmt::format("{}:{} {}", fs::path(place.file).filename().string(), place.line, place.function);
}

std::string placeText(const std::vector<CodePlace>& stack)
{
    return stack.empty() ? std::string() : placeText(stack.front());
}

const RecordedPeak* ProcessRecords::fullestPeak() const
{
    const auto most =
        std::ranges::max_element(peaks, {}, [](const auto& entry) { return entry.second.reserved.value_or(-1); });
    return most == peaks.end() ? nullptr : &most->second;
}

Bytes ProcessRecords::mostReserved() const
{
    const RecordedPeak* const peak = fullestPeak();
    return peak == nullptr ? 0 : peak->reserved.value_or(0);
}

std::vector<ProcessRecords> readRecords(const fs::path& folder)
{
    std::vector<ProcessRecords> processes;
    for (const fs::path& file : recordFiles(folder))
        if (ProcessRecords process = readProcess(file, folder); !process.isAbsent)
            processes.push_back(std::move(process));
    return processes;
}

bool RecordWatch::isAllDone()
{
    return std::ranges::any_of(recordFiles(m_folder), [this](const fs::path& file) { return isDoneIn(file); });
}

bool RecordWatch::isDoneIn(const fs::path& file)
{
    std::uintmax_t& read = m_read[file];
    std::error_code gone;
    if (fs::file_size(file, gone) <= read || gone)
        return false;
    std::ifstream lines(file);
    lines.seekg(static_cast<std::streamoff>(read));
    for (std::string line; std::getline(lines, line) && !lines.eof();) { // one without its end is not yet whole
        read += line.size() + 1;
        const std::optional<Json> record = recordIn(line);
        if (!record)
            continue;
        follow(*record, m_latest);
        if (saysDone(*record))
            return true;
    }
    return false;
}

} // namespace headroom::experiments
