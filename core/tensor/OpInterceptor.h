// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <memory>
#include <vector>

namespace headroom::tensor {

/// One call of an op below autograd. Before the call the stack ends with its arguments, afterwards with its results.
struct OpCall {
    const c10::OperatorHandle& op;
    const torch::jit::Stack& stack;
};

/// Sees every op below autograd, as Python's dispatch modes do.
///
/// Ops that a kernel calls internally are not seen. Called on the thread that runs the op.
class OpObserver {
public:
    virtual ~OpObserver() = default;
    virtual void before(const OpCall& call) = 0;
    virtual void after(const OpCall& call) = 0;
};

/// May run an op differently, or not at all. `stack` holds the arguments and must hold the results on return.
class OpTransformer {
public:
    virtual ~OpTransformer() = default;
    /// Returns true if the op was carried out here; false: it runs as usual.
    virtual bool transform(const c10::OperatorHandle& op, torch::jit::Stack& stack) = 0;
};

/// The single owner of the dispatcher slot that sees every op below autograd.
///
/// A boxed fallback on DispatchKey::Fake, which LibTorch leaves free without Python (checked at registration: throws
/// TrialError if another fallback is there). Observers are called in the order in which they were added, `after` in
/// reverse. Not copyable, not shared between threads; active on the thread that holds a Scope.
///
/// Scopes nest. An op reaches the innermost interceptor first; if its transformer does not handle the op, it goes on to
/// the next one. So the observers of an outer scope see what really runs.
class OpInterceptor {
public:
    OpInterceptor();

    /// Both are borrowed and have to outlive the interceptor's scopes.
    void addObserver(OpObserver& observer);
    void setTransformer(OpTransformer* transformer);

    /// While it lives, this thread's ops are intercepted.
    class Scope {
    public:
        explicit Scope(OpInterceptor& interceptor);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

        /// Runs one op with the observers and the transformer of this scope and of the scopes around it; called by the
        /// dispatcher.
        void handle(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack);

    private:
        OpInterceptor& m_interceptor;
        Scope* m_outer;
        c10::impl::IncludeDispatchKeyGuard m_include;
    };

private:
    std::vector<OpObserver*> m_observers;
    OpTransformer* m_transformer = nullptr;
};

} // namespace headroom::tensor
