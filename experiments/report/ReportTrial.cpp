// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportTrial.h"

#include "core/protocol/Json.h"

namespace headroom::report {

std::string ReportTrial::model() const
{
    constexpr std::size_t kMostFields = 4;
    std::string fields;
    std::size_t count = 0;
    for (const auto& [name, value] : result.model.overrides) {
        if (++count > kMostFields) {
            fields += ", ...";
            break;
        }
        fields += (fields.empty() ? "" : ", ") + name + " "
            + (value.isText() ? value.text() : protocol::toJson(value).dump());
    }
    return result.model.name + (fields.empty() ? "" : " (" + fields + ")");
}

} // namespace headroom::report
