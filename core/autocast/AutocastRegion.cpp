// SPDX-License-Identifier: Apache-2.0
#include "core/autocast/AutocastRegion.h"

#include "core/autocast/AutocastKernels.h"
#include "core/memory/MemoryScopes.h"
#include "core/tensor/SavedTensorHooks.h"

#include <unordered_map>
#include <utility>

namespace headroom::tensor {
namespace {

// The weak reference keeps the parameter's address from being reused.
struct KeptCast {
    c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> source;
    at::Tensor cast;
};

using KeptCasts = std::unordered_map<const c10::TensorImpl*, KeptCast>;

struct Region {
    std::optional<c10::ScalarType> type;
    AutocastLists lists = AutocastLists::Cpu;
    int depth = 0;
    KeptCasts casts; ///< of parameters that are trained
    int sharing = 0;
    KeptCasts shared; ///< of frozen parameters
};

thread_local Region t_region;

bool isCast(const at::Tensor& tensor, c10::ScalarType type)
{
    return isAutocastEligible(tensor) && tensor.scalar_type() != type;
}

bool isTrained(const at::Tensor& tensor)
{
    return tensor.requires_grad() && tensor.is_leaf();
}

// As in at::autocast: frozen parameters, views and tensors that already have 16 bits are cast at each use.
bool isKeptCast(const at::Tensor& tensor, c10::ScalarType type)
{
    return type == t_region.type && tensor.scalar_type() == at::kFloat && isTrained(tensor) && !tensor.is_view();
}

// A tensor without a gradient may be a working copy, of which autograd only keeps how to rebuild it.
at::Tensor castOf(const at::Tensor& tensor, c10::ScalarType type)
{
    at::Tensor cast = tensor.to(type);
    if (SavedTensorHookSource* source = SavedTensorHookScope::currentFirst();
        source != nullptr && !tensor.requires_grad() && at::GradMode::is_enabled())
        source->noteCast(tensor, cast);
    return cast;
}

at::Tensor keptCastOf(KeptCasts& casts, const at::Tensor& tensor, c10::ScalarType type)
{
    const auto it = casts.find(tensor.unsafeGetTensorImpl());
    if (it != casts.end() && it->second.cast.scalar_type() == type)
        return it->second.cast;
    at::Tensor cast = castOf(tensor, type);
    casts.insert_or_assign(
        tensor.unsafeGetTensorImpl(), KeptCast{decltype(KeptCast::source)(tensor.getIntrusivePtr()), cast});
    return cast;
}

} // namespace

AutocastRegion::AutocastRegion(std::optional<c10::ScalarType> type, AutocastLists lists)
    : m_outerType(std::exchange(t_region.type, type))
    , m_outerLists(std::exchange(t_region.lists, lists))
    , m_wasIncluded(c10::impl::tls_is_dispatch_key_included(kAutocastKey))
    , m_wasExcluded(c10::impl::tls_is_dispatch_key_excluded(kAutocastKey))
{
    registerAutocastKernels();
    ++t_region.depth;
    c10::impl::tls_set_dispatch_key_included(kAutocastKey, type.has_value());
    c10::impl::tls_set_dispatch_key_excluded(kAutocastKey, !type.has_value()); // the default state of all autocast keys
}

AutocastRegion::~AutocastRegion()
{
    c10::impl::tls_set_dispatch_key_excluded(kAutocastKey, m_wasExcluded);
    c10::impl::tls_set_dispatch_key_included(kAutocastKey, m_wasIncluded);
    t_region.type = m_outerType;
    t_region.lists = m_outerLists;
    if (--t_region.depth == 0)
        t_region.casts.clear();
}

std::optional<c10::ScalarType> AutocastRegion::type()
{
    return t_region.type;
}

AutocastLists AutocastRegion::lists()
{
    return t_region.lists;
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

bool isAutocastEligible(const at::Tensor& tensor)
{
    if (!tensor.defined() || !tensor.is_floating_point() || tensor.scalar_type() == at::kDouble)
        return false;
    return tensor.is_meta() || (t_region.lists == AutocastLists::Cpu ? tensor.is_cpu() : tensor.is_cuda());
}

at::Tensor autocastTo(const at::Tensor& tensor, c10::ScalarType type)
{
    if (!isCast(tensor, type))
        return tensor;
    if (!isTrained(tensor))
        return castOf(tensor, type);
    const MemoryScope category(config::MemoryCategory::UpcastCopies);
    return isKeptCast(tensor, type) ? keptCastOf(t_region.casts, tensor, type) : castOf(tensor, type);
}

at::Tensor autocastInput(const at::Tensor& input)
{
    return t_region.type ? autocastTo(input, *t_region.type) : input;
}

at::Tensor autocastParameter(const at::Tensor& parameter)
{
    if (!t_region.type || !isCast(parameter, *t_region.type))
        return parameter;
    const MemoryScope category(config::MemoryCategory::UpcastCopies);
    if (t_region.sharing > 0 && !isKeptCast(parameter, *t_region.type))
        return keptCastOf(t_region.shared, parameter, *t_region.type);
    return autocastTo(parameter, *t_region.type);
}

} // namespace headroom::tensor
