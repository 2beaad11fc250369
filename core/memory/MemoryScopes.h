// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryLabel.h"
#include "core/tensor/ModuleHooks.h"
#include "core/tensor/Torch.h"

#include <optional>
#include <string>

namespace headroom::tensor {

/// What a thread's scopes determine about its allocations.
struct ScopedLabel {
    std::optional<config::MemoryCategory> category;
    ModuleId module = kNoModule;
    std::string_view technique{};

    bool operator==(const ScopedLabel&) const = default;
};

/// This thread's current one.
const ScopedLabel& scopedLabel();

/// While it lives, what this thread allocates, and what the backward pass of its ops allocates, belongs to the module.
/// Modules nest. Does nothing without an active attribution, or for a module unknown to it.
class ModuleLabel {
public:
    explicit ModuleLabel(const torch::nn::Module& module);
    ~ModuleLabel();
    ModuleLabel(const ModuleLabel&) = delete;
    ModuleLabel& operator=(const ModuleLabel&) = delete;

private:
    ModuleId m_outer = kNoModule;
    ModuleId m_outerWithSource = kNoModule;
    bool m_isOpen = false;
};

/// While it lives, what this thread allocates, and what the backward pass of its ops allocates, belongs to a line of
/// the source of the module that is running, and of those that it calls. Does nothing without an active attribution.
/// The text ("modeling_llama.py:312") has to outlive the attribution.
class SourceScope {
public:
    explicit SourceScope(const std::string& line);
    ~SourceScope();
    SourceScope(const SourceScope&) = delete;
    SourceScope& operator=(const SourceScope&) = delete;

private:
    const std::string* m_outer = nullptr;
    ModuleId m_outerModule = kNoModule;
    bool m_isOpen = false;
};

/// While it lives, this thread is running the module; every forward opens one. Its memory, including that of its hooks,
/// belongs to the module.
class ModuleScope {
public:
    explicit ModuleScope(const torch::nn::Module& module)
        : m_label(module)
        , m_hooks(module)
    {
    }

private:
    ModuleLabel m_label;
    ModuleHookRun m_hooks;
};

/// While it lives, what this thread allocates belongs to a category, or to a technique (by key, a literal).
class MemoryScope {
public:
    explicit MemoryScope(config::MemoryCategory category);
    explicit MemoryScope(std::string_view technique);
    ~MemoryScope();
    MemoryScope(const MemoryScope&) = delete;
    MemoryScope& operator=(const MemoryScope&) = delete;

private:
    std::optional<ScopedLabel> m_outer; ///< nothing: no label was changed
};

} // namespace headroom::tensor
