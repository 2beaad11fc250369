// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/ModuleHooks.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <ranges>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

namespace headroom::tensor {
namespace {

// Layers are called by whichever module owns them, so the registry cannot be passed along with a call.
struct Registry {
    std::atomic<int> registrations = 0; ///< lets modules without hooks skip the lock
    std::shared_mutex mutex;
    std::unordered_map<const torch::nn::Module*, std::vector<ModuleHook*>> hooks; ///< innermost first
};

// Modules whose hooks are running on this thread, innermost last.
thread_local std::vector<const torch::nn::Module*> t_running;

Registry& registry()
{
    static Registry registry;
    return registry;
}

std::vector<ModuleHook*> hooksOf(const torch::nn::Module& module)
{
    Registry& all = registry();
    if (all.registrations.load(std::memory_order_acquire) == 0)
        return {};
    const std::shared_lock lock(all.mutex);
    const auto found = all.hooks.find(&module);
    return found == all.hooks.end() ? std::vector<ModuleHook*>() : found->second;
}

} // namespace

ModuleHookRegistration::ModuleHookRegistration(const torch::nn::Module& module, ModuleHook& hook)
    : m_module(&module)
    , m_hook(&hook)
{
    Registry& all = registry();
    const std::unique_lock lock(all.mutex);
    all.hooks[m_module].push_back(m_hook);
    ++all.registrations;
}

ModuleHookRegistration::~ModuleHookRegistration()
{
    if (m_hook == nullptr)
        return;
    Registry& all = registry();
    const std::unique_lock lock(all.mutex);
    auto& hooks = all.hooks[m_module];
    hooks.erase(std::ranges::find(hooks, m_hook));
    if (hooks.empty())
        all.hooks.erase(m_module);
    --all.registrations;
}

ModuleHookRegistration::ModuleHookRegistration(ModuleHookRegistration&& other) noexcept
    : m_module(other.m_module)
    , m_hook(std::exchange(other.m_hook, nullptr))
{
}

ModuleHookRun::ModuleHookRun(const torch::nn::Module& module)
    : m_module(module)
{
    if (std::ranges::find(t_running, &module) != t_running.end())
        return;
    try {
        enter();
    } catch (...) {
        leave();
        throw;
    }
}

ModuleHookRun::~ModuleHookRun()
{
    leave();
}

void ModuleHookRun::enter()
{
    for (ModuleHook* hook : hooksOf(m_module) | std::views::reverse) {
        hook->before(m_module);
        if (m_entered.empty())
            t_running.push_back(&m_module);
        m_entered.push_back(hook);
    }
}

void ModuleHookRun::leave() noexcept
{
    for (ModuleHook* hook : m_entered | std::views::reverse)
        hook->after(m_module);
    if (!m_entered.empty())
        t_running.pop_back();
}

} // namespace headroom::tensor
