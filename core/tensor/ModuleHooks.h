// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

#include <vector>

namespace headroom::tensor {

/// Something to be done around a module's forward, repetitions for a backward pass included.
///
/// Told of every ModuleScope of the modules that it is registered for, on the thread that runs them: on CUDA a
/// repetition runs on a thread of the autograd engine.
class ModuleHook {
public:
    virtual ~ModuleHook() = default;
    virtual void before(const torch::nn::Module& module) = 0;
    /// Also where the forward is left by an exception; not where `before` threw.
    virtual void after(const torch::nn::Module& module) noexcept = 0;
};

/// While it lives, the hook is told of the module. Of several on one module the one registered last is outermost: its
/// `before` comes first, its `after` last. Made and destroyed between steps; module and hook have to outlive it.
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

/// One run of a module's hooks: `before` now, `after` in reverse when it ends. Nothing happens without hooks, nor where
/// this thread is in a run of the same module already.
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
