// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/UpstreamFamily.h"
#include "core/weights/WeightFiles.h"
#include "core/weights/WeightSource.h"

#include <regex>

namespace headroom::models {

/// Weights from upstream's files, converted to the model's type if they are stored in another floating-point type.
class StoredWeights final : public WeightSource {
public:
    /// Throws FileError for files that cannot be read, and if two names of one parameter have different shapes.
    StoredWeights(const std::string& path, const config::UpstreamWeights& upstream);

    WeightMismatch compare(const torch::nn::Module& model) const override;
    void fill(const std::string& path, torch::nn::Module& module) const override;
    std::string name() const override { return m_path; }

private:
    bool isIgnored(const std::string& name) const;
    void find(const config::UpstreamWeights& upstream);
    void requireSameShape(const std::string& name, const std::string& other) const;

    std::string m_path;
    tensor::WeightFiles m_files;
    std::vector<std::regex> m_ignored;
    std::map<std::string, std::string> m_names; ///< in the files, by parameter
};

} // namespace headroom::models
