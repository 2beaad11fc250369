// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/layers/AtLeastFloat32.h"
#include "core/models/layers/LayerNorm.h"

namespace headroom::models {

/// diffusers' FP32LayerNorm over the last dimension: computed in float32, with weights upcast if they are of a smaller
/// type; the result has the input's type.
///
/// weight, bias: [width], undefined without them.
class Fp32LayerNorm : public LayerNorm {
public:
    using LayerNorm::LayerNorm;

    at::Tensor forward(const at::Tensor& input) const;
};

} // namespace headroom::models
