// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ReplacedFile.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::interchange {

/// The text as a JSON string, with quotes. Bytes that are not valid UTF-8 are replaced.
std::string quoted(std::string_view text);

/// A JSON object that is built member by member.
class JsonObject {
public:
    JsonObject& add(std::string_view key, std::int64_t value);
    /// Infinity and NaN become null.
    JsonObject& add(std::string_view key, double value);
    JsonObject& add(std::string_view key, std::string_view value);
    JsonObject& add(std::string_view key, const JsonObject& value);

    bool empty() const { return m_members.empty(); }
    std::string text() const { return "{" + m_members + "}"; }

private:
    JsonObject& addText(std::string_view key, std::string_view json);

    std::string m_members;
};

/// A process of a Chrome trace: a group of tracks on the screen.
struct ChromeProcess {
    int id;
    std::string_view name;
};

/// A span of time on a track. The categories are those of PyTorch's profiler: kernel, gpu_memcpy, cuda_runtime, ...
struct ChromeSpan {
    std::string_view name;
    std::string_view category;
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
    JsonObject arguments{};
};

/// Writes a trace event by event in the JSON format of Chrome's trace viewer, which Perfetto opens too. Times are
/// nanoseconds and are written as microseconds with three decimals: nothing is rounded.
class ChromeWriter {
public:
    /// `about` becomes the trace's metadata.
    ChromeWriter(ReplacedFile& file, const JsonObject& about);

    /// The spans of one track must come in the order of their begin, the longer of two first; if two overlap and
    /// neither contains the other, the second goes to an additional track.
    void span(const ChromeProcess& process, const std::string& track, const ChromeSpan& span);
    /// An instant event of the whole process.
    void instant(const ChromeProcess& process, std::string_view name, std::int64_t timeNs, const JsonObject& arguments);
    /// The values of a counter from a time on; several values of one counter are stacked. A time before the counter's
    /// last value is replaced by the time of that value.
    void counter(const ChromeProcess& process, const std::string& name, std::int64_t timeNs, const JsonObject& values);

    /// Ends the document.
    void finish();

    std::int64_t events() const { return m_events; }

private:
    /// The open spans of one track, the innermost last.
    struct Lane {
        int thread = 0;
        std::vector<std::int64_t> ends{};
    };
    using Key = std::pair<int, std::string>;

    int threadFor(const ChromeProcess& process, const std::string& track, std::int64_t beginNs, std::int64_t endNs);
    static bool takes(Lane& lane, std::int64_t beginNs, std::int64_t endNs);
    void nameProcess(const ChromeProcess& process);
    void nameThread(const ChromeProcess& process, int thread, const std::string& name);
    void metadata(std::string_view what, int process, int thread, const JsonObject& arguments);
    void begin(char phase, int process, int thread, std::string_view name);
    void end(const JsonObject& arguments);

    ReplacedFile& m_file;
    std::map<Key, std::vector<Lane>> m_lanes;
    std::map<Key, std::int64_t> m_counterTimes;
    std::map<int, int> m_threads; ///< last one used, by process
    std::string m_line;
    std::int64_t m_events = 0;
};

} // namespace headroom::interchange
