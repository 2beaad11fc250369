// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Error.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

namespace headroom {

/// The advice in messages about a file that cannot be written.
inline constexpr const char* kValidOutput =
    "a file in a folder that exists and may be written, on a disk with free space";

/// "NAME: file cannot be written: WHY".
class UnwritableFile : public FileError {
public:
    UnwritableFile(const std::filesystem::path& name, const std::string& why, const std::string& valid = kValidOutput);

    /// The reason alone, for callers that word the sentence themselves.
    const std::string& why() const noexcept { return m_why; }

private:
    std::string m_why;
};

/// For the call that has just failed; the reason comes from errno.
UnwritableFile failedOutput(const std::filesystem::path& name);

/// A file, pipe or device, open for writing from construction to destruction: the reader of a pipe sees one beginning
/// and one end.
///
/// If the path names this process's standard output or error (`/dev/stdout > out.txt`), that descriptor and its offset
/// are used, so that everything written there stays in order.
///
/// Nothing here blocks forever: a pipe without a reader is refused, and if a reader stops reading, writing gives up
/// shortly after `stop` is requested. Every function throws UnwritableFile, which names the file.
class OutputDescriptor {
public:
    enum class Start {
        Truncated,
        AtEnd,
        Kept, ///< existing content stays until clear()
    };

    /// `name` is how messages refer to the file.
    OutputDescriptor(const std::filesystem::path& path, Start start, std::filesystem::path name, std::stop_token stop);
    ~OutputDescriptor();
    OutputDescriptor(const OutputDescriptor&) = delete;
    OutputDescriptor& operator=(const OutputDescriptor&) = delete;

    void write(std::string_view bytes);
    /// Whoever looks (isBeingWritten) sees that somebody writes here, in whichever container, until the file is closed
    /// or let go. Where the file system cannot do that, nothing is seen.
    void hold() const;
    void letGo() const;
    /// Truncates a regular file that is not shared with standard output or error, and continues at its beginning.
    void clear();
    /// Writes the data to the disk; a full disk may only be detected here.
    void synchronise();
    /// Size of the file in bytes; 0 for pipes and devices.
    std::uint64_t size() const;
    /// Whether `path` still names this file.
    bool isNamed(const std::filesystem::path& path) const;

private:
    void open(const std::filesystem::path& path, int flags);
    void awaitReader() const;

    std::filesystem::path m_name;
    std::stop_token m_stop;
    int m_descriptor = -1;
    bool m_isShared = false; ///< it is standard output or error
};

/// Whether a file can be put in place by a rename: the path does not exist, or is a regular file that standard output
/// and error do not go to. Throws UnwritableFile where that cannot be determined, as for a loop of symbolic links.
bool isReplaceable(const std::filesystem::path& path);

/// Whether a process holds the file (OutputDescriptor::hold), or that cannot be told.
bool isBeingWritten(const std::filesystem::path& path);

/// The target of a symbolic link, even if it does not exist: opening the link creates the file there.
std::filesystem::path behindLinks(std::filesystem::path path);

} // namespace headroom
