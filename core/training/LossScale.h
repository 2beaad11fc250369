// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::training {

/// Whether all gradients of an update are numbers. Unknown where nothing is computed (simulated devices).
enum class GradientCheck { Finite, NotFinite };

/// A factor on the loss that keeps float16's gradients from vanishing, as PyTorch's GradScaler with its defaults: 65536
/// at first; half as large after an update whose gradients were infinite or no numbers, twice as large after 2000
/// updates without such. Scale and count of good updates are scalars on the device.
class LossScale {
public:
    explicit LossScale(c10::Device device);

    at::Tensor scaled(const at::Tensor& loss) const { return loss * m_scale; }

    /// Divides the gradients by the scale, in place, and notes whether any is infinite or no number.
    void unscale(const std::vector<at::Tensor>& parameters);

    /// Of the gradients that were unscaled last; waits for the device.
    GradientCheck check() const;

    /// Adapts the scale to what `unscale` found.
    void adapt();

    /// All that it keeps: scalars.
    std::vector<at::Tensor> scalars() const { return {m_scale, m_goodUpdates, m_foundInfinite}; }

    const at::Tensor& scale() const { return m_scale; }

private:
    at::Tensor m_scale;
    at::Tensor m_goodUpdates;
    at::Tensor m_foundInfinite;
};

} // namespace headroom::training
