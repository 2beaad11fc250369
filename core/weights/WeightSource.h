// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <string>
#include <vector>

namespace headroom::models {

/// How the tensors of files differ from a model's parameters.
struct WeightMismatch {
    struct Shape {
        std::string name;
        std::vector<std::int64_t> found;
        std::vector<std::int64_t> expected; ///< the model's
    };
    std::vector<std::string> missing; ///< parameters without a tensor
    std::vector<std::string> unexpected; ///< tensors without a parameter
    std::vector<Shape> shapes;

    bool isEmpty() const { return missing.empty() && unexpected.empty() && shapes.empty(); }
};

/// Where a model's weights come from instead of its own initialisation.
class WeightSource {
public:
    virtual ~WeightSource() = default;

    /// Reports what does not fit; the model may be one without memory.
    virtual WeightMismatch compare(const torch::nn::Module& model) const = 0;

    /// Fills the parameters of one of the model's modules, not of its children; `path` is its dotted name. Allocates
    /// nothing besides them. Called without gradient recording. On meta tensors nothing is written.
    virtual void fill(const std::string& path, torch::nn::Module& module) const = 0;

    /// The origin of the weights, for messages.
    virtual std::string name() const = 0;
};

/// Throws FileError, naming what is missing, left over or of another shape.
void requireFitting(const WeightSource& source, const torch::nn::Module& model);

} // namespace headroom::models
