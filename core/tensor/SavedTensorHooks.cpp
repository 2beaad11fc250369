// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/SavedTensorHooks.h"

namespace headroom::tensor {
namespace {

thread_local SavedTensorHookSource* t_source = nullptr;

class HookedEngine final : public torch::autograd::Engine {
public:
    HookedEngine() = default;
    ~HookedEngine() override { stop(); }

    std::unique_ptr<torch::autograd::SavedVariableHooks> get_default_saved_variable_hooks() override
    {
        return t_source == nullptr ? nullptr : t_source->makeHooks();
    }
};

// Never destroyed: backward passes may run until the process ends.
torch::autograd::Engine& hookedEngine()
{
    static auto* engine = new HookedEngine;
    return *engine;
}

} // namespace

SavedTensorHookScope::SavedTensorHookScope(SavedTensorHookSource& source)
    : m_outer(t_source)
{
    prepareSavedTensorHooks();
    t_source = &source;
}

SavedTensorHookScope::~SavedTensorHookScope()
{
    t_source = m_outer;
}

void prepareSavedTensorHooks()
{
    static const bool installed = [] {
        torch::autograd::set_default_engine_stub(&hookedEngine);
        return true;
    }();
    static_cast<void>(installed);
}

} // namespace headroom::tensor
