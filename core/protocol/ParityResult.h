// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Json.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::protocol {

/// What a model is compared with, and how closely it must agree.
struct ParityFiles {
    std::string inputs; ///< safetensors: arguments of upstream's forward
    std::string expected; ///< safetensors: output, and gradients if they are compared
    double tolerance = 1e-5; ///< relative L2

    bool operator==(const ParityFiles&) const = default;
};

/// One expected tensor compared with the model's.
struct ParityTensor {
    std::string name; ///< as in the file
    std::vector<std::int64_t> shape; ///< of the model's tensor
    std::optional<double> maxAbs; ///< nothing if the shapes differ or a value is not finite
    std::optional<double> meanAbs;
    std::optional<double> relL2; ///< norm of the difference divided by the norm of the expectation
    bool pass = false;

    bool isOutput() const { return !name.starts_with("grad"); }
    bool operator==(const ParityTensor&) const = default;
};

/// A weight or an expected tensor whose shape differs from the model's.
struct ParityShape {
    std::string name;
    std::vector<std::int64_t> found;
    std::vector<std::int64_t> expected; ///< the model's

    bool operator==(const ParityShape&) const = default;
};

struct ParityResult {
    std::vector<std::string> missing; ///< weights missing from the file, then tensors that the model does not compute
    std::vector<std::string> unexpected; ///< weights that the model does not use
    std::vector<ParityShape> wrongShapes;
    std::vector<ParityTensor> tensors; ///< in the order of the file; empty if the weights do not fit
    std::map<std::string, std::string> effective; ///< what each technique really did

    bool passes() const;
    bool operator==(const ParityResult&) const = default;
};

/// A worker's answer to a parity request: a result, or why there is none.
struct ParityAnswer {
    enum class Problem { None, Usage, File, Trial };

    std::optional<ParityResult> result;
    Problem problem = Problem::None; ///< decides the exit code
    std::string reason{};

    bool operator==(const ParityAnswer&) const = default;
};

Json toJson(const ParityFiles& files);
ParityFiles parityFilesFromJson(const Json& json);
Json toJson(const ParityResult& result);
ParityResult parityResultFromJson(const Json& json);
Json toJson(const ParityAnswer& answer);
ParityAnswer parityAnswerFromJson(const Json& json);

} // namespace headroom::protocol
