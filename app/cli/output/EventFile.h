// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/OutputDescriptor.h"

#include <filesystem>
#include <optional>
#include <ostream>
#include <stop_token>
#include <streambuf>
#include <string>

namespace headroom::cli {

/// The file of `--events`: what is flushed is in it at once, and goes to the reader of a pipe. What stood in it before
/// stays until the first event is there, so that a run that is refused costs nobody the events of the run before.
class EventFile : private std::streambuf {
public:
    /// Throws FileError when the file cannot be written. `stop` ends the waiting for a reader of a pipe that does not
    /// read.
    EventFile(const std::filesystem::path& path, std::stop_token stop);
    EventFile(const EventFile&) = delete;
    EventFile& operator=(const EventFile&) = delete;

    std::ostream& stream() { return m_stream; }
    /// Throws FileError where something of it was not written.
    void close();

private:
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int_type overflow(int_type character) override;
    int sync() override;

    std::filesystem::path m_path;
    std::optional<OutputDescriptor> m_file;
    std::string m_pending;
    bool m_hasBegun = false;
    std::ostream m_stream;
};

} // namespace headroom::cli
