// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/ComparedSide.h"

#include "core/base/Error.h"
#include "core/protocol/Json.h"
#include "experiments/archive/StoredResults.h"
#include "experiments/results/TrialRecordJson.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/recordings/TracedEvents.h"
#include "profiling/store/OpenFiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace headroom::experiments {
namespace {

constexpr const char* kValidSides =
    "a workspace, a result file (headroom run --format json or jsonl), or a recording (headroom trace import --help)";

template <typename Read> auto understood(const std::filesystem::path& file, const Read& read)
{
    try {
        return read();
    } catch (const OrderedJson::exception& error) {
        throw FileError(std::string("cannot be read: ") + error.what(), file.string(), kValidSides);
    } catch (const TrialError& error) {
        throw FileError(std::string("cannot be read: ") + error.what(), file.string(), kValidSides);
    }
}

std::vector<TrialResult> inDocument(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    return understood(file, [&] {
        std::vector<TrialResult> results;
        for (const OrderedJson& record : OrderedJson::parse(stream).at("trials"))
            results.push_back(trialResultFromJson(record));
        return results;
    });
}

// The last line is the summary.
std::vector<TrialResult> inLines(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    return understood(file, [&] {
        std::vector<TrialResult> results;
        for (std::string line; std::getline(stream, line);) {
            const OrderedJson record = OrderedJson::parse(line);
            if (record.value("schema", std::string()) == "headroom.trial/1")
                results.push_back(trialResultFromJson(record));
        }
        return results;
    });
}

TrialResult resultOfDevice(
    const recordings::Recording& recording, const recordings::DeviceRecording& device, const std::string& name)
{
    trace::MemoryCounters now = device.heldBefore;
    protocol::MemoryFigures peak{.allocated = 0, .reserved = 0};
    recordings::eachTracedEvent(device, [&](std::span<const trace::AllocatorEvent> events) {
        for (const trace::AllocatorEvent& event : events) {
            now.apply(event);
            peak.allocated = std::max(*peak.allocated, now.allocated);
            peak.reserved = std::max(*peak.reserved, now.reserved);
        }
    });
    if (*peak.reserved == 0)
        peak.reserved.reset();
    TrialResult result;
    result.device = device.device < 0 ? "cpu" : fmt::format("cuda:{}", device.device);
    result.label = result.device + " | " + name;
    result.trialId = result.label;
    result.experiment = name;
    result.allocator = recording.allocator;
    result.isPredicted = recording.isPredicted;
    result.model.name = "recording";
    result.memory.peak = peak;
    const bool isDead = !device.events.empty() && device.events.back().kind == recordings::EventKind::OutOfMemory;
    result.outcome = isDead ? Outcome::OutOfMemory : Outcome::Completed;
    return result;
}

} // namespace

// The tables of a workspace are named in its first page, the schema of records in their first line. One that is open
// already must not be opened by anything but SQLite.
SideFile kindOfSide(const std::filesystem::path& file)
{
    if (store::isOpenHere(file))
        return SideFile::Workspace;
    std::ifstream stream(file, std::ios::binary);
    std::string beginning(1 << 16, '\0');
    stream.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    beginning.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
    if (beginning.starts_with("SQLite format 3"))
        return beginning.find("spec_toml") != std::string::npos ? SideFile::Workspace : SideFile::Recording;
    if (beginning.find("\"headroom.results/1\"") != std::string::npos)
        return SideFile::Document;
    return beginning.find("\"headroom.trial/1\"") != std::string::npos ? SideFile::Lines : SideFile::Recording;
}

std::vector<TrialResult> resultsOfRecording(const recordings::Recording& recording, const std::string& name)
{
    std::vector<TrialResult> results;
    for (const recordings::DeviceRecording& device : recording.devices)
        results.push_back(resultOfDevice(recording, device, name));
    return results;
}

WorkspaceResults resultsInWorkspace(store::Workspace& workspace, DeviceFit& deviceFit)
{
    WorkspaceResults results;
    std::set<std::string> seen;
    const std::vector<store::ExperimentRow> experiments = workspace.experiments();
    for (const store::ExperimentRow& row : experiments) {
        ResultsDocument document = readResults(workspace, row, deviceFit);
        if (&row == &experiments.front())
            results.environment = std::move(document.environment);
        for (TrialResult& result : document.trials)
            if (seen.insert(result.trialId).second)
                results.trials.push_back(std::move(result));
    }
    return results;
}

WorkspaceResults resultsOfTrial(store::Workspace& workspace, const store::ExperimentRow& experiment,
    const std::string& trialId, DeviceFit& deviceFit)
{
    ResultsDocument document = readResults(workspace, experiment, deviceFit);
    std::erase_if(document.trials, [&](const TrialResult& result) { return result.trialId != trialId; });
    return {std::move(document.trials), std::move(document.environment)};
}

std::vector<TrialResult> resultsInFile(const std::filesystem::path& file, DeviceFit& deviceFit)
{
    switch (kindOfSide(file)) {
    case SideFile::Workspace: {
        store::Workspace workspace = openForReading(file);
        return resultsInWorkspace(workspace, deviceFit).trials;
    }
    case SideFile::Document:
        return inDocument(file);
    case SideFile::Lines:
        return inLines(file);
    case SideFile::Recording:
        break;
    }
    return resultsOfRecording(recordings::readRecording(file), file.stem().string());
}

} // namespace headroom::experiments
