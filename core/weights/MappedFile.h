// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <filesystem>
#include <memory>
#include <span>

namespace headroom::tensor {

/// A range of a file, mapped while this lives. Writes to it are private to this process.
class MappedBytes {
public:
    MappedBytes() = default;
    MappedBytes(void* mapping, std::size_t mappedBytes, std::span<char> data);
    ~MappedBytes();
    MappedBytes(const MappedBytes&) = delete;
    MappedBytes& operator=(const MappedBytes&) = delete;

    std::span<char> data() const { return m_data; }

private:
    void* m_mapping = nullptr;
    std::size_t m_mappedBytes = 0;
    std::span<char> m_data;
};

/// A regular file, open for reading. Ranges are mapped one by one, so that neither memory nor address space is used for
/// more than what is read.
class MappedFile {
public:
    /// Throws FileError for a file that cannot be opened or is not regular.
    explicit MappedFile(std::filesystem::path path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    /// Size when the file was opened.
    Bytes size() const { return m_size; }

    /// Throws FileError for a range that is not within the file, or no longer is.
    std::shared_ptr<const MappedBytes> map(Bytes begin, Bytes length) const;

private:
    Bytes sizeNow() const;

    std::filesystem::path m_path;
    int m_descriptor;
    Bytes m_size = 0;
};

} // namespace headroom::tensor
