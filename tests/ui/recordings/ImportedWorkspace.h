// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/recordings/RecordingImport.h"
#include "profiling/recordings/RecordingFile.h"
#include "tests/support/Checkout.h"

#include <QString>
#include <QTemporaryDir>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace headroom::ui {

/// A memory snapshot of PyTorch as JSON: each step takes `blocks` blocks of 3 MiB from segments of 20 MiB and gives
/// back all but every seventh, which keep their segments; the last request of all fails.
inline std::string fragmentedSnapshot(int steps, int blocks)
{
    constexpr std::uint64_t kMega = 1 << 20;
    std::string events;
    std::int64_t timeUs = 1'000'000;
    const auto add = [&](const char* action, std::uint64_t address, std::uint64_t bytes, const std::string& function) {
        events += (events.empty() ? "" : ",") + std::string("{\"action\":\"") + action
            + "\",\"addr\":" + std::to_string(address) + ",\"size\":" + std::to_string(bytes)
            + ",\"stream\":0,\"time_us\":" + std::to_string(timeUs += 10)
            + ",\"frames\":[{\"filename\":\"/home/someone/project/src/train.py\",\"line\":12,\"name\":\"" + function
            + "\"},{\"filename\":\"/home/someone/project/src/main.py\",\"line\":3,\"name\":\"main\"}]}";
    };
    std::string segments;
    const auto addSegment = [&](std::uint64_t address, const std::vector<std::uint64_t>& kept) {
        std::string pieces;
        std::uint64_t at = address;
        const auto piece = [&](std::uint64_t end, const char* state) {
            if (end > at)
                pieces += (pieces.empty() ? "" : ",") + std::string("{\"address\":") + std::to_string(at)
                    + ",\"size\":" + std::to_string(end - at) + ",\"requested_size\":" + std::to_string(end - at)
                    + ",\"state\":\"" + state + "\"}";
            at = end;
        };
        for (const std::uint64_t block : kept) {
            piece(block, "inactive");
            piece(block + 3 * kMega, "active_allocated");
        }
        piece(address + 20 * kMega, "inactive");
        segments += (segments.empty() ? "" : ",") + std::string("{\"device\":0,\"stream\":0,\"address\":")
            + std::to_string(address) + ",\"total_size\":" + std::to_string(20 * kMega)
            + ",\"segment_type\":\"large\",\"blocks\":[" + pieces + "]}";
    };
    std::map<std::uint64_t, std::vector<std::uint64_t>> kept; // by segment
    std::uint64_t top = 0x7f0000000000;
    std::uint64_t free = 0; // in the newest segment
    for (int step = 0; step < steps; ++step) {
        std::vector<std::uint64_t> held;
        for (int block = 0; block < blocks; ++block) {
            if (free < 3 * kMega) {
                top -= 32 * kMega;
                add("segment_alloc", top, 20 * kMega, "forward");
                free = 20 * kMega;
                kept[top];
            }
            held.push_back(top + 20 * kMega - free);
            if (block % 7 == 0)
                kept[top].push_back(held.back());
            add("alloc", held.back(), 3 * kMega, block % 7 == 0 ? "keep" : "forward");
            free -= 3 * kMega;
        }
        for (std::size_t block = 0; block < held.size(); ++block)
            if (block % 7 != 0) {
                add("free_requested", held[block], 3 * kMega, "forward");
                add("free_completed", held[block], 3 * kMega, "forward");
            }
        free = 0;
    }
    add("oom", 5 * kMega, 512 * kMega, "forward");
    for (const auto& [address, inIt] : kept)
        addSegment(address, inIt);
    return "{\"segments\":[" + segments + "],\"device_traces\":[[" + events + "]]}";
}

/// A workspace with one imported recording.
class ImportedWorkspace {
public:
    explicit ImportedWorkspace(const std::string& snapshot)
    {
        std::ofstream(file(), std::ios::binary) << snapshot;
        const recordings::Recording recording = recordings::readRecording(file());
        m_imported = experiments::importRecording(
            recording, {.file = file(), .workspace = path(), .name = "run", .commandLine = {}, .progress = {}});
    }

    std::string file() const { return m_folder.filePath(QStringLiteral("oom.json")).toStdString(); }
    std::string path() const { return m_folder.filePath(QStringLiteral("w.db")).toStdString(); }
    const experiments::ImportedExperiment& imported() const { return m_imported; }

private:
    QTemporaryDir m_folder;
    experiments::ImportedExperiment m_imported;
};

} // namespace headroom::ui
