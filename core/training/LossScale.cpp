// SPDX-License-Identifier: Apache-2.0
#include "core/training/LossScale.h"

#include "core/tensor/SideStream.h"
#include "core/training/Gradients.h"

namespace headroom::training {
namespace {

// torch/amp/grad_scaler.py.
constexpr double kFirstScale = 65536;
constexpr double kGrowth = 2;
constexpr double kBackoff = 0.5;
constexpr std::int64_t kGrowthInterval = 2000;

} // namespace

LossScale::LossScale(c10::Device device)
    : m_scale(at::full({}, kFirstScale, at::TensorOptions().dtype(at::kFloat).device(device)))
    , m_goodUpdates(at::zeros({}, at::TensorOptions().dtype(at::kInt).device(device)))
    , m_foundInfinite(at::zeros({}, m_scale.options()))
{
}

void LossScale::unscale(const std::vector<at::Tensor>& parameters)
{
    const torch::NoGradGuard noGradients;
    m_foundInfinite.zero_();
    // By way of float64: the reciprocal of a large scale is a small number.
    const at::Tensor inverse = m_scale.to(at::kDouble).reciprocal().to(at::kFloat);
    if (const std::vector<at::Tensor> gradients = gradientsOf(parameters); !gradients.empty())
        at::_amp_foreach_non_finite_check_and_unscale_(gradients, m_foundInfinite, inverse);
}

GradientCheck LossScale::check() const
{
    return tensor::readScalar(m_foundInfinite) > 0 ? GradientCheck::NotFinite : GradientCheck::Finite;
}

void LossScale::adapt()
{
    const torch::NoGradGuard noGradients;
    at::_amp_update_scale_(m_scale, m_goodUpdates, m_foundInfinite, kGrowth, kBackoff, kGrowthInterval);
}

} // namespace headroom::training
