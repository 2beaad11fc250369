// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/weights/Safetensors.h"

namespace headroom::tensor {

/// The weights of a model, in one safetensors file or in shards, read one tensor at a time.
///
/// A path is a file; an index (ending in `.json`), which names the shards beside it; or a folder. In a folder, the file
/// or index with a name of diffusers (`diffusion_pytorch_model`) or transformers (`model`) is used, else the only
/// index, else the only file.
class WeightFiles {
public:
    /// Throws FileError for no weights, or more than one set of them; for an index that names missing files, files
    /// outside of the folder, or other tensors than they hold; and for files that SafetensorsReader refuses.
    explicit WeightFiles(const std::filesystem::path& path);

    /// In sorted order.
    std::vector<std::string> names() const;
    bool contains(const std::string& name) const { return m_fileOf.contains(name); }
    /// These throw FileError for an unknown name.
    const SafetensorsEntry& entry(const std::string& name) const;
    at::Tensor read(const std::string& name) const;
    at::Tensor view(const std::string& name) const;

private:
    void openFolder(const std::filesystem::path& folder);
    void openFile(const std::filesystem::path& file);
    void openShards(const std::filesystem::path& index);
    void openShard(const std::filesystem::path& index, const std::string& name, const std::string& file);
    void requireIndexed(const std::filesystem::path& index) const;
    const SafetensorsReader& readerOf(const std::string& name) const;

    std::string m_where;
    std::map<std::string, SafetensorsReader> m_files; ///< by file name
    std::map<std::string, std::string> m_fileOf; ///< by tensor
};

} // namespace headroom::tensor
