// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::tensor {

/// Runs something around a module's forward, including its repetitions in a backward pass.
///
/// Called for every ModuleScope of the modules that it is registered for, on the thread that runs them: on CUDA a
/// repetition runs on a thread of the autograd engine.
class ModuleHook {
public:
    virtual ~ModuleHook() = default;
    virtual void before(const torch::nn::Module& module) = 0;
    /// Also called if the forward throws, but not if `before` threw.
    virtual void after(const torch::nn::Module& module) noexcept = 0;
};

/// While it lives, the hook is called for the module. Of several hooks of one module, the one registered last is
/// outermost: its `before` runs first, its `after` last. Created and destroyed between steps; module and hook must
/// outlive it.
class ModuleHookRegistration {
public:
    ModuleHookRegistration(const torch::nn::Module& module, ModuleHook& hook);
    ~ModuleHookRegistration();
    ModuleHookRegistration(ModuleHookRegistration&& other) noexcept;
    ModuleHookRegistration& operator=(ModuleHookRegistration&&) = delete;
    ModuleHookRegistration(const ModuleHookRegistration&) = delete;
    ModuleHookRegistration& operator=(const ModuleHookRegistration&) = delete;

private:
    const torch::nn::Module* m_module;
    ModuleHook* m_hook;
};

/// One run of a module's hooks: `before` on construction, `after` in reverse order on destruction. Does nothing without
/// hooks, or while this thread is running the same module's hooks already.
class ModuleHookRun {
public:
    explicit ModuleHookRun(const torch::nn::Module& module);
    ~ModuleHookRun();
    ModuleHookRun(const ModuleHookRun&) = delete;
    ModuleHookRun& operator=(const ModuleHookRun&) = delete;

private:
    void enter();
    void leave() noexcept;

    const torch::nn::Module& m_module;
    std::vector<ModuleHook*> m_entered;
};

} // namespace headroom::tensor
