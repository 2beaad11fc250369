// SPDX-License-Identifier: Apache-2.0
#include "core/memory/MemoryLabel.h"

namespace headroom::tensor {
namespace {

using config::MemoryCategory;

bool isPassing(MemoryCategory category)
{
    return category == MemoryCategory::Temporaries || category == MemoryCategory::Unknown;
}

bool isKept(MemoryCategory category)
{
    return category == MemoryCategory::SavedActivations || category == MemoryCategory::RecomputedActivations;
}

MemoryLabel claimed(const MemoryLabel& present, const MemoryLabel& label)
{
    return present.category == label.category && present.module != kNoModule ? present : label;
}

// A block keeps the module that created it.
MemoryLabel kept(MemoryLabel present, const MemoryLabel& label)
{
    present.category = label.category;
    if (!label.technique.empty())
        present.technique = label.technique;
    if (present.module == kNoModule)
        present.module = label.module;
    return present;
}

MemoryLabel dropped(MemoryLabel present)
{
    present.category = MemoryCategory::Temporaries;
    return present;
}

} // namespace

MemoryLabel changed(const MemoryLabel& present, const LabelChange& change)
{
    switch (change.rule) {
    case LabelChange::Rule::Claim:
        return claimed(present, change.label);
    case LabelChange::Rule::ClaimPassing:
        return isPassing(present.category) || isKept(present.category) ? change.label : present;
    case LabelChange::Rule::Keep:
        return isPassing(present.category) ? kept(present, change.label) : present;
    case LabelChange::Rule::Drop:
        break;
    }
    return isKept(present.category) ? dropped(present) : present;
}

} // namespace headroom::tensor
