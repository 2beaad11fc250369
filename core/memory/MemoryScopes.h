// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryLabel.h"
#include "core/tensor/ModuleHooks.h"
#include "core/tensor/Torch.h"

#include <optional>

namespace headroom::tensor {

/// What the scopes of a thread say of its allocations.
struct ScopedLabel {
    std::optional<config::MemoryCategory> category;
    ModuleId module = kNoModule;
    std::string_view technique{};

    bool operator==(const ScopedLabel&) const = default;
};

/// Of this thread, at this moment.
const ScopedLabel& scopedLabel();

/// While it lives, what this thread allocates, and what the backward of its ops allocates, is the module's. Modules
/// nest. Without an active attribution, or for a module that it does not know, nothing happens.
class ModuleLabel {
public:
    explicit ModuleLabel(const torch::nn::Module& module);
    ~ModuleLabel();
    ModuleLabel(const ModuleLabel&) = delete;
    ModuleLabel& operator=(const ModuleLabel&) = delete;

private:
    ModuleId m_outer = kNoModule;
    bool m_isOpen = false;
};

/// While it lives, this thread runs the module: opened by each forward. Its memory is the module's, hooks' too.
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

/// While it lives, what this thread allocates is for a category, or on behalf of a technique (its key, a literal).
class MemoryScope {
public:
    explicit MemoryScope(config::MemoryCategory category);
    explicit MemoryScope(std::string_view technique);
    ~MemoryScope();
    MemoryScope(const MemoryScope&) = delete;
    MemoryScope& operator=(const MemoryScope&) = delete;

private:
    std::optional<ScopedLabel> m_outer; ///< none: nothing was changed
};

} // namespace headroom::tensor
