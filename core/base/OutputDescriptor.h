// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Error.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

namespace headroom {

/// What would be right where a file cannot be written.
inline constexpr const char* kValidOutput =
    "a file in a folder that exists and may be written, on a disk with free space";

/// "NAME: file cannot be written: WHY".
class UnwritableFile : public FileError {
public:
    UnwritableFile(const std::filesystem::path& name, const std::string& why, const std::string& valid = kValidOutput);

    /// For who has another sentence for it.
    const std::string& why() const noexcept { return m_why; }

private:
    std::string m_why;
};

/// Of the call that has just failed: why is what errno says.
UnwritableFile failedOutput(const std::filesystem::path& name);

/// A file, pipe or device that is open for writing, from when it is made until it is destroyed: the reader of a pipe
/// sees one beginning and one end.
///
/// What this process has as its standard output or error, under whatever name (`/dev/stdout > out.txt`), is written
/// where that stands: all that goes there follows each other.
///
/// Nothing here waits for ever: a pipe that nobody reads is refused, and where a reader does not read, writing gives up
/// a little after `stop` was requested. Everything throws UnwritableFile, which names the file.
class OutputDescriptor {
public:
    enum class Start {
        Truncated,
        AtEnd,
        Kept, ///< what stands in the file stays until clear()
    };

    /// `name` is what messages call it.
    OutputDescriptor(const std::filesystem::path& path, Start start, std::filesystem::path name, std::stop_token stop);
    ~OutputDescriptor();
    OutputDescriptor(const OutputDescriptor&) = delete;
    OutputDescriptor& operator=(const OutputDescriptor&) = delete;

    void write(std::string_view bytes);
    /// Takes away what stands in a regular file that is not shared with standard output or error, and goes on at its
    /// beginning.
    void clear();
    /// A full disk may show only now.
    void synchronise();
    /// Bytes that the file has; 0 of a pipe and of a device.
    std::uint64_t size() const;
    /// Whether it is what has this name now.
    bool isNamed(const std::filesystem::path& path) const;

private:
    void open(const std::filesystem::path& path, int flags);
    void awaitReader() const;

    std::filesystem::path m_name;
    std::stop_token m_stop;
    int m_descriptor = -1;
    bool m_isShared = false; ///< with standard output or error
};

/// Whether a file can take its name in one step: it is not there, or is a regular one and not where standard output or
/// error goes. Throws UnwritableFile where that cannot be known, as on a loop of symbolic links.
bool isReplaceable(const std::filesystem::path& path);

/// Where a symbolic link leads, also one that leads to nothing: who opens it makes the file there.
std::filesystem::path behindLinks(std::filesystem::path path);

} // namespace headroom
