// SPDX-License-Identifier: Apache-2.0
#include "core/memory/MemoryScopes.h"

#include "core/memory/MemoryAttribution.h"

namespace headroom::tensor {
namespace {

thread_local ScopedLabel t_label;
thread_local ModuleId t_module = kNoModule; ///< of t_label, without its source line
thread_local const std::string* t_source = nullptr; ///< null: not known

} // namespace

const ScopedLabel& scopedLabel()
{
    return t_label;
}

ModuleLabel::ModuleLabel(const torch::nn::Module& module)
{
    MemoryAttribution* attribution = MemoryAttribution::active();
    if (attribution == nullptr)
        return;
    const ModuleId id = attribution->moduleOf(module);
    if (id == kNoModule)
        return;
    m_outer = std::exchange(t_module, id);
    m_outerWithSource = std::exchange(t_label.module, t_source == nullptr ? id : attribution->at(id, *t_source));
    m_isOpen = true;
    attribution->scopesChanged();
}

ModuleLabel::~ModuleLabel()
{
    if (!m_isOpen)
        return;
    t_module = m_outer;
    t_label.module = m_outerWithSource;
    if (MemoryAttribution* attribution = MemoryAttribution::active())
        attribution->scopesChanged();
}

SourceScope::SourceScope(const std::string& line)
{
    MemoryAttribution* attribution = MemoryAttribution::active();
    if (attribution == nullptr || line.empty())
        return;
    m_outer = std::exchange(t_source, &line);
    m_outerModule = std::exchange(t_label.module, attribution->at(t_module, line));
    m_isOpen = true;
    attribution->scopesChanged();
}

SourceScope::~SourceScope()
{
    if (!m_isOpen)
        return;
    t_source = m_outer;
    t_label.module = m_outerModule;
    if (MemoryAttribution* attribution = MemoryAttribution::active())
        attribution->scopesChanged();
}

MemoryScope::MemoryScope(config::MemoryCategory category)
{
    if (MemoryAttribution::active() == nullptr)
        return;
    m_outer = t_label;
    t_label.category = category;
}

MemoryScope::MemoryScope(std::string_view technique)
{
    MemoryAttribution* attribution = MemoryAttribution::active();
    if (attribution == nullptr)
        return;
    m_outer = t_label;
    t_label.technique = technique;
    attribution->scopesChanged();
}

MemoryScope::~MemoryScope()
{
    if (!m_outer)
        return;
    const bool hadTechnique = t_label.technique != m_outer->technique;
    t_label = *m_outer;
    if (MemoryAttribution* attribution = MemoryAttribution::active(); attribution != nullptr && hadTechnique)
        attribution->scopesChanged();
}

} // namespace headroom::tensor
