// SPDX-License-Identifier: Apache-2.0
#include "core/autocast/AutocastRegion.h"

#include "core/base/Error.h"
#include "core/memory/MemoryScopes.h"
#include "core/tensor/SavedTensorHooks.h"
#include "core/tensor/Torch.h"

#include <span>
#include <unordered_map>
#include <utility>

namespace headroom::tensor {
namespace {

/// The dispatch key of Headroom's autocast: above autograd, like LibTorch's own, and of a backend that is not in use.
inline constexpr c10::DispatchKey kAutocastKey = c10::DispatchKey::AutocastPrivateUse1;

using Arguments = std::span<c10::IValue>;

Arguments argumentsOnStack(const c10::OperatorHandle& op, torch::jit::Stack& stack)
{
    const std::size_t count = op.schema().arguments().size();
    return {stack.end() - static_cast<std::ptrdiff_t>(count), count};
}

// Lists of optional tensors hold indices and are not cast.
void castArgument(c10::IValue& argument, c10::ScalarType type)
{
    if (argument.isTensor()) {
        argument = autocastTo(argument.toTensor(), type);
    } else if (argument.isTensorList()) {
        c10::List<at::Tensor> cast;
        for (const at::Tensor& tensor : argument.toTensorVector())
            cast.push_back(autocastTo(tensor, type));
        argument = std::move(cast);
    }
}

// Casts the last argument first: compilers evaluate the arguments of LibTorch's own wrapper in this order, which
// determines the order of the allocations.
void castAll(Arguments arguments, c10::ScalarType type)
{
    for (std::size_t i = arguments.size(); i-- > 0;)
        castArgument(arguments[i], type);
}

[[noreturn]] void refuseMixture(const c10::OperatorHandle& op, c10::ScalarType type, c10::ScalarType lower)
{
    throw TrialError("autocast to " + std::string(c10::toString(lower)) + " finds a tensor of type "
            + c10::toString(type) + " among the arguments of " + op.schema().name()
            + ", as LibTorch's own does, and cannot say which of the two is wider",
        "autocast", "weights in float32 or in the type of autocast");
}

// LibTorch defines no order between the two 16-bit types.
c10::ScalarType widened(const c10::OperatorHandle& op, c10::ScalarType widest, const at::Tensor& tensor)
{
    if (!isAutocastEligible(tensor))
        return widest;
    const c10::ScalarType type = tensor.scalar_type();
    if (widest == at::kFloat || type == at::kFloat)
        return at::kFloat;
    if (type != widest)
        refuseMixture(op, type, widest);
    return widest;
}

c10::ScalarType widestOf(const c10::OperatorHandle& op, Arguments arguments, c10::ScalarType lower)
{
    c10::ScalarType widest = lower;
    for (const c10::IValue& argument : arguments) {
        if (argument.isTensor())
            widest = widened(op, widest, argument.toTensor());
        else if (argument.isTensorList())
            for (const at::Tensor& tensor : argument.toTensorVector())
                widest = widened(op, widest, tensor);
    }
    return widest;
}

// Keeps a type that the caller gave.
void giveResultType(const c10::OperatorHandle& op, Arguments arguments)
{
    if (!isAutocastEligible(arguments.front().toTensor()))
        return;
    const auto& schema = op.schema().arguments();
    for (std::size_t i = 0; i < schema.size(); ++i)
        if (schema[i].name() == "dtype" && arguments[i].isNone())
            arguments[i] = static_cast<std::int64_t>(at::kFloat);
}

// For ops like norm.Scalar: calls the overload that takes the type of the result, float32 if the tensor is eligible.
void callWithResultType(const c10::OperatorHandle& op, torch::jit::Stack& stack)
{
    const at::Tensor& first = argumentsOnStack(op, stack).front().toTensor();
    const c10::ScalarType type = isAutocastEligible(first) ? at::kFloat : first.scalar_type();
    const std::string& overload = op.operator_name().overload_name;
    const std::string typed = (overload == "Scalar" ? "ScalarOpt" : overload) + "_dtype";
    stack.emplace_back(static_cast<std::int64_t>(type));
    c10::Dispatcher::singleton().findSchemaOrThrow("aten::norm", typed.c_str()).callBoxed(&stack);
}

void runByPolicy(AutocastPolicy policy, const c10::OperatorHandle& op, torch::jit::Stack& stack)
{
    const c10::impl::ExcludeDispatchKeyGuard withoutAutocast(kAutocastKey);
    const Arguments arguments = argumentsOnStack(op, stack);
    const c10::ScalarType lower = AutocastRegion::type().value();
    switch (policy) {
    case AutocastPolicy::LowerPrecision:
        castAll(arguments, lower);
        break;
    case AutocastPolicy::Float32:
        castAll(arguments, at::kFloat);
        break;
    case AutocastPolicy::Float32Result:
        giveResultType(op, arguments);
        break;
    case AutocastPolicy::Widest:
        castAll(arguments, widestOf(op, arguments, lower));
        break;
    case AutocastPolicy::Float32Appended:
        return callWithResultType(op, stack);
    case AutocastPolicy::Refused:
        throw TrialError(
            op.schema().name() + " is unsafe under autocast", "autocast", op.schema().name() + "_with_logits");
    }
    op.callBoxed(&stack);
}

void autocastOp(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack)
{
    const auto policy = autocastPolicy(AutocastRegion::lists(), op.operator_name());
    if (AutocastRegion::type() && policy)
        return runByPolicy(*policy, op, *stack);
    op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kAutocastKey), stack);
}

// Ops in no list fall through, as they do with LibTorch's own keys.
void registerPassing()
{
    if (c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(kAutocastKey))
        return;
    static torch::Library others(torch::Library::IMPL, "_", kAutocastKey, __FILE__, __LINE__);
    others.fallback(torch::CppFunction::makeFallthrough());
}

/// Registers what autocast does with the ops of its lists, once per process: their arguments are cast according to
/// `autocastPolicy`, and the op is called without autocast. The kernels only run on threads that include the key.
void registerAutocastKernels()
{
    static const bool registered = [] {
        registerPassing();
        static torch::Library kernels(torch::Library::IMPL, "aten", kAutocastKey, __FILE__, __LINE__);
        for (const c10::OperatorName& op : autocastOps()) {
            const std::string overload = op.overload_name.empty() ? "" : "." + op.overload_name;
            kernels.impl((op.name + overload).c_str(), torch::CppFunction::makeFromBoxedFunction<&autocastOp>());
        }
        return true;
    }();
    static_cast<void>(registered);
}

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
