// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/SafetensorsHeader.h"
#include "core/tensor/Torch.h"

#include <filesystem>

namespace headroom::tensor {

/// Tensors in an order, each with its name.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// One safetensors file, open for reading. The header is read and checked at once, data when they are asked for.
class SafetensorsReader {
public:
    /// Throws FileError for a file that cannot be read, is truncated or says impossible things of itself.
    explicit SafetensorsReader(std::filesystem::path path);

    const SafetensorsHeader& header() const { return m_header; }
    /// A tensor of its own on the CPU. Throws FileError for a name that the file does not have.
    at::Tensor read(const std::string& name) const;

private:
    std::filesystem::path m_path;
    SafetensorsHeader m_header;
    Bytes m_dataBegin = 0;
};

/// Writes tensors of any device, one after the other through the CPU; a file that is there is replaced as a whole or
/// not at all. Throws FileError where it cannot be written, UsageError for names that repeat, dtypes that the format
/// lacks and tensors without bytes (of simulated devices).
void writeSafetensors(const std::filesystem::path& path, const NamedTensors& tensors,
    const std::map<std::string, std::string>& metadata = {});

} // namespace headroom::tensor
