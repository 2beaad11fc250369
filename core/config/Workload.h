// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Field.h"

#include <cstdint>
#include <string>

namespace headroom::config {

enum class StepKind { Inference, ForwardBackward, Train };
enum class Dtype { Float32, BFloat16, Float16, Float64 };
/// Model: the loss that the model's forward computes itself.
enum class Loss { Mean, Mse, MeanSquare, CrossEntropy, Model };
enum class GradientClearing { SetToNone, Zero, Keep };
/// In a step with a backward pass: whether the model's output is released once the loss is computed, or held until the
/// step ends.
enum class ModelOutput { Released, Held };
/// The number format in which the model's output is handed on: as it is computed, or float32 at least.
enum class OutputDtype { Same, Float32 };

/// What one step does, with its shapes and number format.
struct Workload {
    StepKind step = StepKind::Inference;
    Dtype dtype = Dtype::Float32;
    Loss loss = Loss::Mean;
    GradientClearing gradients = GradientClearing::SetToNone;
    ModelOutput output = ModelOutput::Released;
    OutputDtype outputDtype = OutputDtype::Same;
    int accumulate = 1; ///< micro-steps per optimizer update
    double clipGradNorm = 0.0; ///< 0: off
    std::string autocast = "off";
    std::int64_t seed = 0;
    ValueMap shapes; ///< the model family's shape fields, complete

    bool operator==(const Workload&) const = default;
};

/// The keys of [workload] that every model has; the family's shape fields are added to them.
const FieldSet& workloadFields();

/// A workload from checked values (`workloadFields` and `shapes` together). Throws UsageError at `where`.
Workload makeWorkload(const ValueMap& values, const FieldSet& shapes, const std::string& where);

/// Every key of the workload with its value, shape fields included.
ValueMap toValues(const Workload& workload);

std::string toText(StepKind step);
std::string toText(Dtype dtype);
std::string toText(Loss loss);
int bytesPerElement(Dtype dtype);

} // namespace headroom::config
