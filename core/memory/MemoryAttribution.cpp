// SPDX-License-Identifier: Apache-2.0
#include "core/memory/MemoryAttribution.h"

#include "core/base/Error.h"
#include "core/memory/CpuMemory.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/MetaMemory.h"

#include <torch/csrc/autograd/functions/accumulate_grad.h>

#include <algorithm>
#include <limits>

namespace headroom::tensor {
namespace {

using config::MemoryCategory;

// torch/csrc/autograd/function.h gives this number to nodes that accumulate a parameter's gradient, so that they run
// first.
constexpr std::uint64_t kAccumulatorSequence = std::numeric_limits<std::uint64_t>::max();

// "transformer_blocks.3.ff.net.0.proj" of "transformer_blocks.3.ff.net.0.proj.weight".
std::string moduleOfName(const std::string& parameter)
{
    const auto dot = parameter.rfind('.');
    return dot == std::string::npos ? std::string() : parameter.substr(0, dot);
}

// Memory of a library belongs to no module: the first caller allocates it for all.
bool hasModule(MemoryCategory category)
{
    return category != MemoryCategory::Workspaces;
}

} // namespace

// If no node was created between two changes, nothing can refer to the earlier one.
void ForwardHistory::changesTo(const OpOrigin& origin, std::uint64_t sequence)
{
    if (!m_changes.empty() && m_changes.back().sequence == sequence)
        m_changes.back().origin = origin;
    else
        m_changes.push_back({sequence, origin});
}

std::optional<OpOrigin> ForwardHistory::originOf(std::uint64_t sequence) const
{
    const auto later = std::ranges::upper_bound(m_changes, sequence, {}, &Change::sequence);
    if (later == m_changes.begin())
        return std::nullopt;
    return std::prev(later)->origin;
}

std::atomic<MemoryAttribution*> MemoryAttribution::s_active = nullptr;

MemoryAttribution::MemoryAttribution()
    : m_thread(at::RecordFunction::currentThreadId())
{
    idOf(std::string());
    MemoryAttribution* none = nullptr;
    if (!s_active.compare_exchange_strong(none, this))
        throw TrialError("memory is attributed already", "memory attribution", "one attribution at a time");
}

MemoryAttribution::~MemoryAttribution()
{
    s_active.store(nullptr);
}

ModuleId MemoryAttribution::idOf(const std::string& path)
{
    const std::scoped_lock lock(m_placesMutex);
    const auto [found, isNew] = m_ids.emplace(path, static_cast<ModuleId>(m_places.size()));
    if (isNew)
        m_places.push_back({path});
    return found->second;
}

ModuleId MemoryAttribution::at(ModuleId module, const std::string& source)
{
    const std::scoped_lock lock(m_placesMutex);
    const auto [found, isNew] = m_lines.emplace(std::pair(module, &source), static_cast<ModuleId>(m_places.size()));
    if (isNew)
        m_places.push_back({m_places.at(module).path, &source});
    return found->second;
}

const MemoryAttribution::Place& MemoryAttribution::placeOf(ModuleId module) const
{
    const std::scoped_lock lock(m_placesMutex);
    return m_places.at(module);
}

const std::string& MemoryAttribution::sourceOf(ModuleId module) const
{
    static const std::string none;
    const std::string* source = placeOf(module).source;
    return source == nullptr ? none : *source;
}

ModuleId MemoryAttribution::counterpartOf(ModuleId module, const std::string& path)
{
    const std::string* source = placeOf(module).source;
    const ModuleId counterpart = idOf(path);
    return source == nullptr ? counterpart : at(counterpart, *source);
}

void MemoryAttribution::addModel(const torch::nn::Module& model)
{
    for (const auto& item : model.named_modules(std::string(), false))
        m_modules[item.value().get()] = idOf(item.key());
    for (const auto& list : {model.named_parameters(), model.named_buffers()})
        for (const auto& item : list)
            m_parameters[item.value().unsafeGetTensorImpl()] = idOf(moduleOfName(item.key()));
}

ModuleId MemoryAttribution::moduleOf(const torch::nn::Module& module) const
{
    const auto found = m_modules.find(&module);
    return found == m_modules.end() ? kNoModule : found->second;
}

ModuleId MemoryAttribution::moduleOf(const at::Tensor& parameter) const
{
    const auto found = m_parameters.find(parameter.unsafeGetTensorImpl());
    return found == m_parameters.end() ? kNoModule : found->second;
}

void MemoryAttribution::forgetForwards()
{
    const std::scoped_lock lock(m_mutex);
    for (auto& [thread, history] : m_histories)
        history.forget();
}

void MemoryAttribution::scopesChanged()
{
    const ScopedLabel& label = scopedLabel();
    const std::uint64_t thread = at::RecordFunction::currentThreadId();
    if (thread == m_thread)
        m_running = label.module;
    const std::scoped_lock lock(m_mutex);
    m_histories[thread].changesTo({label.module, label.technique}, at::sequence_number::peek());
}

OpOrigin MemoryAttribution::originOf(const torch::autograd::Node& node) const
{
    const std::scoped_lock lock(m_mutex);
    const auto history = m_histories.find(node.thread_id());
    return history == m_histories.end() ? OpOrigin{}
                                        : history->second.originOf(node.sequence_nr()).value_or(OpOrigin{});
}

// Ops of a backward pass are attributed to the module and the technique of the forward op; the accumulation of a
// gradient is attributed to its parameter.
void MemoryAttribution::describeBackward(MemoryLabel& label, const torch::autograd::Node& node) const
{
    if (node.sequence_nr() != kAccumulatorSequence) {
        const OpOrigin origin = originOf(node);
        label.module = origin.module;
        if (label.technique.empty())
            label.technique = origin.technique;
    } else if (const auto* accumulator = dynamic_cast<const torch::autograd::AccumulateGrad*>(&node)) {
        label.module = moduleOf(accumulator->variable);
    }
}

MemoryLabel currentLabel()
{
    const MemoryAttribution* attribution = MemoryAttribution::active();
    if (attribution == nullptr)
        return {};
    const ScopedLabel& scoped = scopedLabel();
    MemoryLabel label{scoped.category.value_or(config::MemoryCategory::Temporaries), scoped.module, scoped.technique};
    if (!hasModule(label.category))
        return {label.category};
    if (label.module != kNoModule)
        return label;
    if (const auto node = torch::autograd::get_current_node())
        attribution->describeBackward(label, *node);
    else if (at::RecordFunction::currentThreadId() != attribution->m_thread)
        label.module = attribution->m_running;
    return label;
}

void relabel(const at::Tensor& tensor, const LabelChange& change)
{
    const MemoryAttribution* attribution = MemoryAttribution::active();
    if (attribution == nullptr || !tensor.defined() || !tensor.has_storage())
        return;
    const c10::DataPtr& data = tensor.storage().data_ptr();
    if (tensor.is_meta())
        relabelMetaStorage(data, change);
    else if (tensor.is_cpu())
        relabelCpuStorage(data, change);
    else if (attribution->m_deviceRelabelling && data.get() != nullptr)
        attribution->m_deviceRelabelling(reinterpret_cast<std::uint64_t>(data.get()), change);
}

} // namespace headroom::tensor
