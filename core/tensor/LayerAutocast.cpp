// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/LayerAutocast.h"

#include "core/tensor/MemoryScopes.h"
#include "core/tensor/SavedTensorHooks.h"

#include <unordered_map>
#include <utility>

namespace headroom::tensor {
namespace {

struct Region {
    std::optional<c10::ScalarType> type;
    int depth = 0;
    std::unordered_map<const c10::TensorImpl*, at::Tensor> casts; ///< of parameters, which outlive a forward
    int sharing = 0;
    std::unordered_map<const c10::TensorImpl*, at::Tensor> shared; ///< of frozen ones
};

thread_local Region t_region;

// As at::autocast: what is not floating, and float64, is left alone.
bool isCast(const at::Tensor& tensor)
{
    return t_region.type && tensor.defined() && tensor.is_floating_point() && tensor.scalar_type() != at::kDouble
        && tensor.scalar_type() != *t_region.type;
}

// As at::autocast: a frozen parameter is cast each time, a view too.
bool isCached(const at::Tensor& parameter)
{
    return parameter.scalar_type() == at::kFloat && parameter.requires_grad() && parameter.is_leaf()
        && !parameter.is_view();
}

// A frozen parameter may be a working copy, which autograd keeps no more of than how to make it again.
at::Tensor castOf(const at::Tensor& parameter)
{
    at::Tensor cast = parameter.to(*t_region.type);
    if (SavedTensorHookSource* source = SavedTensorHookScope::currentFirst();
        source != nullptr && !parameter.requires_grad() && at::GradMode::is_enabled())
        source->noteCast(parameter, cast);
    return cast;
}

} // namespace

LayerAutocast::LayerAutocast(std::optional<c10::ScalarType> type)
    : m_outer(std::exchange(t_region.type, type))
{
    ++t_region.depth;
}

LayerAutocast::~LayerAutocast()
{
    t_region.type = m_outer;
    if (--t_region.depth == 0)
        t_region.casts.clear();
}

SharedCasts::SharedCasts()
{
    ++t_region.sharing;
}

SharedCasts::~SharedCasts()
{
    if (--t_region.sharing == 0)
        t_region.shared.clear();
}

std::optional<c10::ScalarType> LayerAutocast::type()
{
    return t_region.type;
}

at::Tensor autocastInput(const at::Tensor& input)
{
    return isCast(input) ? input.to(*t_region.type) : input;
}

at::Tensor autocastParameter(const at::Tensor& parameter)
{
    if (!isCast(parameter))
        return parameter;
    const MemoryScope category(config::MemoryCategory::UpcastCopies);
    if (!isCached(parameter) && t_region.sharing == 0)
        return castOf(parameter);
    auto& casts = isCached(parameter) ? t_region.casts : t_region.shared;
    at::Tensor& cast = casts[parameter.unsafeGetTensorImpl()];
    if (!cast.defined() || cast.scalar_type() != *t_region.type)
        cast = castOf(parameter);
    return cast;
}

} // namespace headroom::tensor
