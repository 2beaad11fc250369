// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/StepHooks.h"

#include <string>
#include <vector>

namespace headroom::techniques {

/// Hooks of one kind, called one after the other.
template <typename... Arguments> class HookList {
public:
    using Hook = std::function<void(Arguments...)>;

    /// Hooks that are not set are left out.
    void append(Hook hook)
    {
        if (hook)
            m_hooks.push_back(std::move(hook));
    }
    void prepend(Hook hook)
    {
        if (hook)
            m_hooks.insert(m_hooks.begin(), std::move(hook));
    }

    void operator()(Arguments... arguments) const
    {
        for (const Hook& hook : m_hooks)
            hook(arguments...);
    }

private:
    std::vector<Hook> m_hooks;
};

/// What follows the optimizer, in a phase of that name.
struct UpdatePhase {
    std::string name;
    std::function<void()> run;
};

/// The hooks of several techniques, each kind in the order in which it is called (StepHooks); empty: plain steps, with
/// gradient descent. A copy refers to the same techniques, which outlive it.
struct StepHookLists {
    HookList<models::Inputs&> holdInputs;
    HookList<> beginStep;
    HookList<models::Inputs&> prepareInputs;
    HookList<const at::Tensor&> microStepDone;
    ParameterUpdater* optimizer = nullptr; ///< null: plain gradient descent
    std::vector<UpdatePhase> parametersUpdated;
    HookList<const at::Tensor&> updateDone;

    /// Those of the technique with this key, which is applied after the others.
    void append(const std::string& key, StepHooks hooks);
};

} // namespace headroom::techniques
