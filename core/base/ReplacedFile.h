// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/OutputDescriptor.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::interchange {

/// A file of any size that is there as a whole or not at all: it grows under another name beside the wanted one, and
/// what stood under that name stays until commit(). A pipe, a device and what standard output goes to
/// are written to as they are.
/// Everything throws FileError, which names the file: no such folder, not writable, a full disk, a pipe without reader.
class ExportFile {
public:
    /// `stop` ends the waiting for a reader of a pipe that does not read.
    explicit ExportFile(const std::filesystem::path& path, std::stop_token stop = {});
    /// Takes away what was not committed.
    ~ExportFile();
    ExportFile(const ExportFile&) = delete;
    ExportFile& operator=(const ExportFile&) = delete;

    void write(std::string_view bytes)
    {
        m_pending.append(bytes);
        if (m_pending.size() >= kBufferBytes)
            flush();
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
    void flush();

    std::filesystem::path m_path;
    std::filesystem::path m_part; ///< m_path itself where that is a pipe or a device
    std::optional<OutputDescriptor> m_file;
    std::string m_pending;
    std::uint64_t m_size = 0;
    bool m_isCommitted = false;
};

} // namespace headroom::interchange
