// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"
#include "core/weights/SafetensorsFile.h"

#include <filesystem>

namespace headroom::tensor {

/// Tensors in an order, each with its name.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// One safetensors file, open for reading. The header is read and checked at once, data when they are asked for.
class SafetensorsReader {
public:
    /// Throws FileError for a file that cannot be read, is truncated or says impossible things of itself.
    explicit SafetensorsReader(std::filesystem::path path);

    const SafetensorsHeader& header() const { return m_file->header(); }
    const std::filesystem::path& path() const { return m_file->path(); }

    /// A tensor of its own on the CPU. Throws FileError for a name that the file does not have.
    at::Tensor read(const std::string& name) const;
    /// The tensor as it lies in the file, mapped while it lives: no memory is taken for it, and what is written into it
    /// stays with this process. One of its own where that cannot be: bools, elements at odd addresses.
    at::Tensor view(const std::string& name) const;

private:
    std::shared_ptr<const SafetensorsFile> m_file;
};

/// LibTorch's type for a dtype of the format.
c10::ScalarType scalarTypeOf(const SafetensorsEntry& entry);

/// Writes tensors of any device, one after the other through the CPU; a file that is there is replaced as a whole or
/// not at all. Throws FileError where it cannot be written, UsageError for names that repeat, dtypes that the format
/// lacks and tensors without bytes (of simulated devices).
void writeSafetensors(const std::filesystem::path& path, const NamedTensors& tensors,
    const std::map<std::string, std::string>& metadata = {});

} // namespace headroom::tensor
