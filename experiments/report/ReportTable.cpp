// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportTable.h"

#include <algorithm>

namespace headroom::report {

Origin originOf(config::Provenance provenance)
{
    switch (provenance) {
    case config::Provenance::Measured:
        return Origin::Plain;
    case config::Provenance::Rehearsed:
        return Origin::Rehearsed;
    case config::Provenance::Predicted:
        break;
    }
    return Origin::Predicted;
}

const char* markOf(Origin origin)
{
    return origin == Origin::Plain ? "" : origin == Origin::Rehearsed ? "r" : "p";
}

const char* meaningOf(Origin origin)
{
    switch (origin) {
    case Origin::Plain:
        break;
    case Origin::Rehearsed:
        return "rehearsed on a card that is not there, not measured: memory of PyTorch's own allocator, speed of a "
               "model";
    case Origin::Predicted:
        return "predicted by simulation, not measured";
    }
    return "";
}

std::vector<Origin> ReportTable::markedOrigins() const
{
    std::vector<Origin> found;
    for (const Origin origin : {Origin::Rehearsed, Origin::Predicted})
        if (std::any_of(rows.begin(), rows.end(), [&](const ReportRow& row) {
                return std::any_of(
                    row.cells.begin(), row.cells.end(), [&](const ReportCell& cell) { return cell.origin == origin; });
            }))
            found.push_back(origin);
    return found;
}

} // namespace headroom::report
