// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/OpInterceptor.h"

#include "core/config/Error.h"

#include <algorithm>

namespace headroom::tensor {
namespace {

constexpr c10::DispatchKey kKey = c10::DispatchKey::Fake;

// Which interceptor this thread's ops go to. Backward passes of CPU and meta tensors run on the calling thread.
thread_local OpInterceptor* t_active = nullptr;

void dispatchOp(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack)
{
    const c10::DispatchKeySet below = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kKey);
    if (t_active == nullptr) {
        op.redispatchBoxed(below, stack);
        return;
    }
    t_active->handle(op, below, stack);
}

// Registered once per process and kept: the dispatcher has no use for fallbacks that come and go.
void registerFallback()
{
    static const bool registered = [] {
        if (c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(kKey))
            throw TrialError("another fallback owns DispatchKey::Fake in this LibTorch", "op interception",
                "a LibTorch without a fallback on that key, such as 2.11");
        static torch::Library library(torch::Library::IMPL, "_", kKey, __FILE__, __LINE__);
        library.fallback(torch::CppFunction::makeFromBoxedFunction<&dispatchOp>());
        return true;
    }();
    static_cast<void>(registered);
}

} // namespace

OpInterceptor::OpInterceptor()
{
    registerFallback();
}

void OpInterceptor::addObserver(OpObserver& observer)
{
    m_observers.push_back(&observer);
}

void OpInterceptor::setTransformer(OpTransformer* transformer)
{
    m_transformer = transformer;
}

void OpInterceptor::handle(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack)
{
    // Ops that the kernel calls inside itself stay its own affair.
    const c10::impl::ExcludeDispatchKeyGuard exclude(kKey);
    const OpCall call{op, *stack};
    for (OpObserver* observer : m_observers)
        observer->before(call);
    if (m_transformer == nullptr || !m_transformer->transform(op, *stack))
        op.redispatchBoxed(keys, stack);
    std::for_each(m_observers.rbegin(), m_observers.rend(), [&](OpObserver* observer) { observer->after(call); });
}

OpInterceptor::Scope::Scope(OpInterceptor& interceptor)
    : m_previous(t_active)
    , m_include(kKey)
{
    t_active = &interceptor;
}

OpInterceptor::Scope::~Scope()
{
    t_active = m_previous;
}

} // namespace headroom::tensor
