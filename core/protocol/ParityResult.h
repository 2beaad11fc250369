// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/Json.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::protocol {

/// What a model is compared with, and how closely it has to agree.
struct ParityFiles {
    std::string inputs; ///< safetensors: arguments of upstream's forward
    std::string expected; ///< safetensors: output, and gradients where they are to be compared
    double tolerance = 1e-5; ///< relative L2

    bool operator==(const ParityFiles&) const = default;
};

/// One tensor of the expectation against the model's.
struct ParityTensor {
    std::string name; ///< as in the file
    std::vector<std::int64_t> shape; ///< of the model's
    std::optional<double> maxAbs; ///< none where the shapes differ, and for what is no number
    std::optional<double> meanAbs;
    std::optional<double> relL2; ///< norm of the difference over norm of the expectation
    bool pass = false;

    bool isOutput() const { return !name.starts_with("grad"); }
    bool operator==(const ParityTensor&) const = default;
};

/// A weight or an expected tensor that has another shape than the model's.
struct ParityShape {
    std::string name;
    std::vector<std::int64_t> found;
    std::vector<std::int64_t> expected; ///< the model's

    bool operator==(const ParityShape&) const = default;
};

struct ParityResult {
    std::vector<std::string> missing; ///< weights that the model has and the file lacks, then what it does not compute
    std::vector<std::string> unexpected; ///< weights that are left over
    std::vector<ParityShape> wrongShapes;
    std::vector<ParityTensor> tensors; ///< in the order of the file; none where the weights do not fit
    std::map<std::string, std::string> effective; ///< what each technique really did

    bool passes() const;
    bool operator==(const ParityResult&) const = default;
};

/// What a worker says to a request for parity: a result, or why there is none.
struct ParityAnswer {
    enum class Problem { None, Usage, File, Trial };

    std::optional<ParityResult> result;
    Problem problem = Problem::None; ///< whose exit code it is
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
