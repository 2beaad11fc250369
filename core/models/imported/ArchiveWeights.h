// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"
#include "core/archive/ZipFile.h"
#include "core/weights/WeightSource.h"

#include <map>
#include <memory>

namespace headroom::models {

/// The values of tensors that an archive has. One that was exported on the meta device has none.
class ArchiveWeights final : public WeightSource {
public:
    explicit ArchiveWeights(std::shared_ptr<const archive::ExportedModel> archive);

    /// Whether the archive has the values of any parameter.
    static bool hasWeights(const archive::ExportedModel& archive);

    /// Reads one tensor; false if the archive does not have it. Throws FileError for one that is cut off.
    bool read(const archive::StoredTensor& stored, at::Tensor& target) const;

    WeightMismatch compare(const torch::nn::Module&) const override { return {}; }
    void fill(const std::string& path, torch::nn::Module& module) const override;
    std::string name() const override { return m_archive->file.string(); }

private:
    std::shared_ptr<const archive::ExportedModel> m_archive;
    archive::ZipFile m_zip;
    std::map<std::string, const archive::StoredTensor*> m_byName;
};

} // namespace headroom::models
