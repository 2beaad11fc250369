// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/TrialIndex.h"

namespace headroom::ui {

TrialIndex::TrialIndex(const figures::Figure& figure)
{
    const auto add = [this](TargetKind kind, const auto& things) {
        for (std::size_t i = 0; i < things.size(); ++i)
            if (!things[i].id.empty())
                m_targets.emplace(things[i].id, Target{kind, i});
    };
    add(TargetKind::Mark, figure.marks);
    add(TargetKind::Bar, figure.bars);
    add(TargetKind::RowText, figure.rowTexts);
    add(TargetKind::Strip, figure.strip);
}

std::vector<Target> TrialIndex::of(const QString& trial) const
{
    std::vector<Target> found;
    const auto [begin, end] = m_targets.equal_range(trial.toStdString());
    for (auto entry = begin; entry != end; ++entry)
        found.push_back(entry->second);
    return found;
}

} // namespace headroom::ui
