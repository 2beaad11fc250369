// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/OutputDescriptor.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace headroom {

/// Replaces a file of any size as a whole or not at all: it is written under another name beside the target, and the
/// old content stays until commit(), by when the new file is completely on the disk. The new file has the permissions
/// of the old one, which must be writable; a link to it stays a link. Pipes, devices and the target of standard output
/// are written directly. What a process that was killed has left of the same file under such a name is removed.
/// Every function throws UnwritableFile, which names the file as it was given: no such folder, not writable, disk full,
/// a pipe without a reader.
class ReplacedFile {
public:
    /// `stop` ends the wait for a reader of a pipe that does not read.
    explicit ReplacedFile(const std::filesystem::path& path, std::stop_token stop = {});
    /// Removes the temporary file unless it was committed.
    ~ReplacedFile();
    ReplacedFile(const ReplacedFile&) = delete;
    ReplacedFile& operator=(const ReplacedFile&) = delete;

    void write(std::string_view bytes)
    {
        if (m_pending.size() + bytes.size() < kBufferBytes)
            m_pending.append(bytes);
        else
            flush(bytes);
    }

    /// The path for a writer that opens files itself (SQLite). Throws FileError for a pipe or a device.
    const std::filesystem::path& growing() const;

    /// Puts the file in place. Nothing may be written afterwards.
    void commit();

    /// Size of the committed file in bytes.
    std::uint64_t size() const { return m_size; }

private:
    static constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

    bool isDirect() const { return m_part == m_path; }
    void takePermissions();
    void flush(std::string_view more);

    std::filesystem::path m_name; ///< as messages refer to it
    std::filesystem::path m_path; ///< with all links resolved
    std::filesystem::path m_part; ///< m_path itself for a pipe or a device
    std::optional<OutputDescriptor> m_file;
    std::string m_pending;
    std::uint64_t m_size = 0;
    bool m_isCommitted = false;
};

/// Replaces a file's content by a text, as ReplacedFile does.
void replaceFile(const std::filesystem::path& path, std::string_view text, std::stop_token stop = {});

} // namespace headroom
