// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/stack/BlockAccounts.h"

namespace headroom::techniques {

BlockAccounts::BlockAccounts(TechniqueStack& techniques, tensor::SavedTensorLabels& savedTensors)
    : m_techniques(techniques)
    , m_savedTensors(savedTensors)
{
}

void BlockAccounts::stepBegins(const std::vector<at::Tensor>& permanent)
{
    m_permanent.clear();
    m_keptByRepeats = 0;
    for (const at::Tensor& tensor : permanent)
        if (tensor.defined() && tensor.has_storage())
            m_permanent.insert(tensor.storage().unsafeGetStorageImpl());
}

bool BlockAccounts::countRepeated(std::int64_t block, std::int64_t like, const StackCounters& counted)
{
    return m_techniques.countRepeated(block, like, counted);
}

std::unique_ptr<tensor::SavedTensorLabels::Kept> BlockAccounts::keep(
    const c10::Storage& storage, const tensor::LabelChange& change)
{
    return m_savedTensors.keep(storage, change);
}

StackCounters countedBetween(const StackCounters& before, StackCounters after)
{
    for (auto& [technique, counters] : after)
        for (auto& [name, count] : counters)
            count -= before.at(technique).at(name);
    return after;
}

} // namespace headroom::techniques
