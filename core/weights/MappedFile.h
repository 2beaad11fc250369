// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <filesystem>
#include <memory>
#include <span>

namespace headroom::tensor {

/// A stretch of a file in memory while it lives. What is written there stays with this process.
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

/// A regular file, open for reading. Stretches are mapped one by one, so that neither memory nor address space is taken
/// for more than what is looked at.
class MappedFile {
public:
    /// Throws FileError for what cannot be opened and what is no regular file.
    explicit MappedFile(std::filesystem::path path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    /// As it was when it was opened.
    Bytes size() const { return m_size; }

    /// Throws FileError for a stretch that does not lie in the file, or no longer does.
    std::shared_ptr<const MappedBytes> map(Bytes begin, Bytes length) const;

private:
    Bytes sizeNow() const;

    std::filesystem::path m_path;
    int m_descriptor;
    Bytes m_size = 0;
};

} // namespace headroom::tensor
