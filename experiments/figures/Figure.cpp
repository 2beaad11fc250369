// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/Figure.h"

#include "core/base/Csv.h"
#include "core/base/Wording.h"

#include <algorithm>

namespace headroom::figures {

std::string name(Provenance provenance)
{
    return config::toText(provenance);
}

std::string name(Flag flag)
{
    switch (flag) {
    case Flag::Pressured:
        return "pressured";
    case Flag::NotSteady:
        return "not_steady";
    case Flag::NoEffect:
        return "no_effect";
    case Flag::Implausible:
        return "implausible";
    }
    return {};
}

std::string title(Flag flag)
{
    return inWords(name(flag));
}

bool hasHeight(const std::vector<BandPoint>& points)
{
    return std::ranges::any_of(points, [](const BandPoint& point) { return point.low != point.high; });
}

std::string toCsv(const Table& table)
{
    std::string text = csvLine(table.header);
    for (const auto& row : table.rows)
        text += csvLine(row);
    return text;
}

} // namespace headroom::figures
