// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"
#include "core/weights/SafetensorsFile.h"

#include <filesystem>

namespace headroom::tensor {

/// Named tensors in a fixed order.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// One safetensors file, open for reading. The header is read and checked at once, data on request.
class SafetensorsReader {
public:
    /// Throws FileError for a file that cannot be read, is truncated or has an inconsistent header.
    explicit SafetensorsReader(std::filesystem::path path);

    const SafetensorsHeader& header() const { return m_file->header(); }
    const std::filesystem::path& path() const { return m_file->path(); }

    /// A separate tensor on the CPU. Throws FileError for a name that the file does not have.
    at::Tensor read(const std::string& name) const;
    /// The tensor mapped from the file: it takes no memory, and writes to it are private to this process. A separate
    /// tensor if that is impossible: bools, elements at unaligned addresses.
    at::Tensor view(const std::string& name) const;

private:
    std::shared_ptr<const SafetensorsFile> m_file;
};

/// LibTorch's type for a dtype of the format.
c10::ScalarType scalarTypeOf(const SafetensorsEntry& entry);

/// Writes tensors of any device, one after the other through the CPU; an existing file is replaced as a whole or not at
/// all. Throws FileError if it cannot be written, UsageError for duplicate names, dtypes that the format lacks and
/// tensors without bytes (of simulated devices).
void writeSafetensors(const std::filesystem::path& path, const NamedTensors& tensors,
    const std::map<std::string, std::string>& metadata = {});

} // namespace headroom::tensor
