// SPDX-License-Identifier: Apache-2.0
#include "experiments/recordings/RecordingImport.h"

#include "core/base/Crc32.h"
#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/archive/ExperimentArchive.h"
#include "experiments/archive/TrialDeletion.h"
#include "experiments/recordings/RecordedTrial.h"
#include "experiments/recordings/RecordingSpool.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

namespace headroom::experiments {
namespace {

using recordings::DeviceRecording;
using recordings::EventKind;
using recordings::Recording;

// Tells a file by its content, wherever it lies: the checksum of its checksums, and its size.
std::string contentName(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::vector<char> piece(1 << 20);
    std::uint64_t bytes = 0;
    std::uint32_t sum = 0;
    while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())), stream.gcount() > 0) {
        const auto read = static_cast<std::size_t>(stream.gcount());
        const std::array<std::uint32_t, 2> both{sum, trace::crc32(std::as_bytes(std::span(piece.data(), read)))};
        sum = trace::crc32(std::as_bytes(std::span(both)));
        bytes += read;
    }
    return fmt::format("{:08x}-{}", sum, bytes);
}

std::string deviceNotation(const Recording& recording, const DeviceRecording& device)
{
    if (!recording.deviceName.empty())
        return recording.deviceName;
    return device.device < 0 ? "cpu" : fmt::format("cuda:{}", device.device);
}

/// The request after which the program did not ask again: it died of it.
const recordings::RecordedEvent* deadlyRequest(const DeviceRecording& device)
{
    for (auto event = device.events.rbegin(); event != device.events.rend(); ++event) {
        if (event->kind == EventKind::OutOfMemory)
            return &*event;
        if (event->kind == EventKind::Alloc)
            return nullptr;
    }
    return nullptr;
}

protocol::RepeatResult resultOf(const DeviceRecording& device, const SpooledTrace& trace)
{
    protocol::RepeatResult result;
    result.outcome = Outcome::Completed;
    result.memory.peak.allocated = trace.peak.allocated;
    if (device.hasSegments || trace.peak.reserved > 0)
        result.memory.peak.reserved = trace.peak.reserved;
    result.memory.wholeRunPeak = result.memory.peak;
    if (const recordings::RecordedEvent* const failed = deadlyRequest(device)) {
        result.outcome = Outcome::OutOfMemory;
        result.reason = "the recorded run ended with a request that failed";
        result.phase = "recording";
        result.outOfMemory = protocol::OutOfMemoryFacts{.phase = "recording",
            .requestedBytes = failed->bytes,
            .missingBytes = std::nullopt,
            .freeBytes = static_cast<Bytes>(failed->address),
            .allocatedBytes = trace.atEnd.allocated,
            .reservedBytes = trace.atEnd.reserved};
    }
    return result;
}

class RecordingImporter {
public:
    RecordingImporter(const Recording& recording, const ImportRequest& request)
        : m_recording(recording)
        , m_request(request)
        , m_archive(std::in_place, request.workspace)
    {
        for (const DeviceRecording& device : recording.devices)
            m_events += device.events.size();
    }

    ImportedExperiment import()
    {
        plan();
        m_archive->begin(
            recordedSpec(m_result.name, m_request.file.string()), m_planned, RunMode::New, m_request.commandLine);
        m_result.number = m_archive->experiment();
        m_archive->waitForOthers();
        try {
            for (std::size_t i = 0; i < m_planned.size(); ++i)
                add(i);
        } catch (...) {
            takeBack();
            throw;
        }
        end();
        return std::move(m_result);
    }

private:
    void plan()
    {
        m_result.name = m_request.name.empty() ? m_request.file.stem().string() : m_request.name;
        m_result.remarks = m_recording.remarks;
        const std::string content = contentName(m_request.file);
        for (const DeviceRecording& device : m_recording.devices)
            m_planned.push_back(recordedTrial({m_request.file.filename().string(), content, m_recording.format,
                deviceNotation(m_recording, device), m_recording.allocator, m_result.name, m_request.file.string()}));
    }

    // Half a recording would look like a whole one.
    void takeBack()
    {
        std::set<std::string> trials;
        for (const PlannedTrial& planned : m_planned)
            trials.insert(planned.trialId);
        m_archive.reset(); // gives its claim back
        deleteTrials(m_request.workspace, m_result.number, trials);
    }

    void written(std::size_t events)
    {
        m_eventsWritten += events;
        if (m_request.progress && m_events > 0)
            m_request.progress(std::min(1.0, static_cast<double>(m_eventsWritten) / static_cast<double>(m_events)));
    }

    void add(std::size_t index)
    {
        const DeviceRecording& device = m_recording.devices[index];
        const std::filesystem::path spool = m_archive->spoolPath(index, 0);
        const SpoolGuard guard(spool);
        const SpooledTrace trace =
            writeSpool(m_recording, device, spool, [this](std::size_t events) { written(events); });
        const protocol::RepeatResult result = resultOf(device, trace);
        const std::string remark = m_archive->add({.trial = index,
            .repeat = 0,
            .result = result,
            .startedAt = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()),
            .environmentJson = kNoEnvironment,
            .spool = spool});
        if (!remark.empty())
            m_result.remarks.push_back(remark);
        const PlannedTrial& planned = m_planned[index];
        m_result.trials.push_back({planned.trialId, planned.label, planned.trial.device.name(), planned.trial.allocator,
            planned.trial.device.isSimulated(), result.outcome, static_cast<std::int64_t>(device.events.size()),
            trace.peak.allocated, result.memory.peak.reserved});
        ++m_summary.outcomes[result.outcome];
    }

    void end()
    {
        m_summary.experiment = m_result.name;
        m_summary.trials = static_cast<std::int64_t>(m_planned.size());
        DeviceFit deviceFit(config::resourceDirectory());
        m_archive->end(m_summary, kNoEnvironment, deviceFit);
    }

    static constexpr const char* kNoEnvironment = "{}"; ///< where it ran is not known

    const Recording& m_recording;
    const ImportRequest& m_request;
    std::optional<ExperimentArchive> m_archive;
    std::size_t m_events = 0; ///< of all devices
    std::size_t m_eventsWritten = 0;
    std::vector<PlannedTrial> m_planned;
    RunSummary m_summary;
    ImportedExperiment m_result;
};

} // namespace

ImportedExperiment importRecording(const Recording& recording, const ImportRequest& request)
{
    if (recording.devices.empty())
        throw UsageError("it records no memory of any device", request.file.string(),
            "a recording that was taken after torch.cuda.memory._record_memory_history(), or of a profiler with "
            "profile_memory=True");
    return RecordingImporter(recording, request).import();
}

} // namespace headroom::experiments
