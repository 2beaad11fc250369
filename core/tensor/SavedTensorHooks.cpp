// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/SavedTensorHooks.h"

namespace headroom::tensor {
namespace {

thread_local SavedTensorHookSource* t_source = nullptr;
thread_local SavedTensorHookSource* t_first = nullptr;

class HookedEngine final : public torch::autograd::Engine {
public:
    HookedEngine() = default;
    ~HookedEngine() override { stop(); }

    std::unique_ptr<torch::autograd::SavedVariableHooks> get_default_saved_variable_hooks() override
    {
        SavedTensorHookSource* source = t_first == nullptr ? t_source : t_first;
        return source == nullptr ? nullptr : source->makeHooks();
    }
};

// Never destroyed: backward passes may run until the process exits.
torch::autograd::Engine& hookedEngine()
{
    static auto* engine = new HookedEngine;
    return *engine;
}

} // namespace

SavedTensorHookScope::SavedTensorHookScope(SavedTensorHookSource& source)
    : m_innermost(source.comesFirst() ? t_first : t_source)
    , m_outer(m_innermost)
{
    prepareSavedTensorHooks();
    m_innermost = &source;
}

SavedTensorHookScope::SavedTensorHookScope(SavedTensorHookSource* source)
    : m_innermost(t_source)
    , m_outer(t_source)
{
    prepareSavedTensorHooks();
    m_innermost = source;
}

SavedTensorHookScope::~SavedTensorHookScope()
{
    m_innermost = m_outer;
}

SavedTensorHookSource* SavedTensorHookScope::current()
{
    return t_source;
}

SavedTensorHookSource* SavedTensorHookScope::currentFirst()
{
    return t_first;
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
