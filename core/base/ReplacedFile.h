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

/// A file of any size that is there as a whole or not at all: it grows under another name beside the wanted one, and
/// what stood under that name stays until commit(), when all of the new one is on the disk. The new one has the
/// permissions of the old one, which must be writable; where a link leads to it, the link stays. A pipe, a device and
/// what standard output goes to are written to as they are.
/// Everything throws UnwritableFile, which names the file as it was given: no such folder, not writable, a full disk,
/// a pipe without reader.
class ReplacedFile {
public:
    /// `stop` ends the waiting for a reader of a pipe that does not read.
    explicit ReplacedFile(const std::filesystem::path& path, std::stop_token stop = {});
    /// Takes away what was not committed.
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

    /// Where a writer with its own way of opening files (SQLite) puts them. Throws FileError for a pipe or a device.
    const std::filesystem::path& growing() const;

    /// The file takes its name. Nothing may follow.
    void commit();

    /// Bytes in the file once it is committed.
    std::uint64_t size() const { return m_size; }

private:
    static constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

    bool isDirect() const { return m_part == m_path; }
    void takePermissions();
    void flush(std::string_view more);

    std::filesystem::path m_name; ///< what messages call it
    std::filesystem::path m_path; ///< behind all links
    std::filesystem::path m_part; ///< m_path itself where that is a pipe or a device
    std::optional<OutputDescriptor> m_file;
    std::string m_pending;
    std::uint64_t m_size = 0;
    bool m_isCommitted = false;
};

/// Puts a text in the place of a file, as ReplacedFile does.
void replaceFile(const std::filesystem::path& path, std::string_view text, std::stop_token stop = {});

} // namespace headroom
