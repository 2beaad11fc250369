// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/LayerAutocast.h"

#include "core/tensor/MemoryScopes.h"

#include <unordered_map>
#include <utility>

namespace headroom::tensor {
namespace {

struct Region {
    std::optional<c10::ScalarType> type;
    int depth = 0;
    std::unordered_map<const c10::TensorImpl*, at::Tensor> casts; ///< of parameters, which outlive a forward
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
    if (!isCached(parameter))
        return parameter.to(*t_region.type);
    at::Tensor& cast = t_region.casts[parameter.unsafeGetTensorImpl()];
    if (!cast.defined() || cast.scalar_type() != *t_region.type)
        cast = parameter.to(*t_region.type);
    return cast;
}

} // namespace headroom::tensor
