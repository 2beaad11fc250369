// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/OpInterceptor.h"

#include "core/base/Error.h"

#include <algorithm>

namespace headroom::tensor {
namespace {

constexpr c10::DispatchKey kKey = c10::DispatchKey::Fake;

// The innermost scope of this thread's ops. Backward passes of CPU and meta tensors run on the calling thread.
thread_local OpInterceptor::Scope* t_innermost = nullptr;

void dispatchOp(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack)
{
    const c10::DispatchKeySet below = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kKey);
    if (t_innermost == nullptr) {
        op.redispatchBoxed(below, stack);
        return;
    }
    // Ops that the kernel calls internally are not intercepted.
    const c10::impl::ExcludeDispatchKeyGuard exclude(kKey);
    t_innermost->handle(op, below, *stack);
}

// Registered once per process and never removed: the dispatcher does not expect fallbacks to come and go.
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

OpInterceptor::Scope::Scope(OpInterceptor& interceptor)
    : m_interceptor(interceptor)
    , m_outer(t_innermost)
    , m_include(kKey)
{
    t_innermost = this;
}

OpInterceptor::Scope::~Scope()
{
    t_innermost = m_outer;
}

void OpInterceptor::Scope::handle(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack)
{
    const OpCall call{op, stack};
    const auto& observers = m_interceptor.m_observers;
    for (OpObserver* observer : observers)
        observer->before(call);
    OpTransformer* transformer = m_interceptor.m_transformer;
    const bool isDone = transformer != nullptr && transformer->transform(op, stack);
    if (!isDone && m_outer != nullptr)
        m_outer->handle(op, keys, stack);
    else if (!isDone)
        op.redispatchBoxed(keys, &stack);
    std::for_each(observers.rbegin(), observers.rend(), [&](OpObserver* observer) { observer->after(call); });
}

} // namespace headroom::tensor
