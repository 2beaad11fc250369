// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

namespace headroom::archive {

/// A zip file's entry, as its directory describes it.
struct ZipEntry {
    std::uint64_t bytes = 0; ///< uncompressed
    std::uint32_t crc32 = 0;
};

/// A zip file that somebody else wrote. Nothing that its directory claims is believed: what is read has a limit, and an
/// entry that is longer or shorter than it says is refused.
class ZipFile {
public:
    /// Throws FileError for what is no zip file, or has too many entries.
    explicit ZipFile(const std::filesystem::path& file);
    ~ZipFile();
    ZipFile(ZipFile&&) noexcept;
    ZipFile& operator=(ZipFile&&) noexcept;

    const std::filesystem::path& path() const { return m_path; }
    /// By name, the folder in which all of them lie left out.
    const std::map<std::string, ZipEntry>& entries() const { return m_entries; }
    bool has(const std::string& name) const { return m_entries.contains(name); }

    /// A whole entry. Throws FileError if there is none, or it is larger than `limit` bytes.
    std::string text(const std::string& name, std::uint64_t limit) const;

    /// Part of an entry from `offset` on. Throws FileError if the entry does not have it.
    void read(const std::string& name, std::uint64_t offset, std::span<char> target) const;

    /// Tells files of equal content, whatever their names and times: 16 hexadecimal digits of a hash of the
    /// directory's names, sizes and CRCs.
    std::string contentId() const;

private:
    struct Handle;

    [[noreturn]] void refuse(const std::string& what, const std::string& entry = {}) const;
    void readDirectory();
    void leaveOutFolder();

    std::filesystem::path m_path;
    std::unique_ptr<Handle> m_handle;
    std::map<std::string, ZipEntry> m_entries;
    std::string m_folder; ///< with its slash
};

} // namespace headroom::archive
