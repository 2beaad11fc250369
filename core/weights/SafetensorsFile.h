// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/weights/MappedFile.h"
#include "core/weights/SafetensorsHeader.h"

namespace headroom::tensor {

/// One safetensors file as bytes. The header is read and checked at once, data are mapped on request.
class SafetensorsFile {
public:
    /// Throws FileError for a file that cannot be read, is truncated or has an inconsistent header.
    explicit SafetensorsFile(std::filesystem::path path);

    const std::filesystem::path& path() const { return m_file.path(); }
    const SafetensorsHeader& header() const { return m_header; }
    /// Throws FileError for a name that the file does not have.
    const SafetensorsEntry& entry(const std::string& name) const;
    /// The data of one of the file's entries; empty for a tensor without elements.
    std::shared_ptr<const MappedBytes> data(const SafetensorsEntry& entry) const;

private:
    MappedFile m_file;
    SafetensorsHeader m_header;
    Bytes m_dataBegin = 0;
};

} // namespace headroom::tensor
