// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/TechniqueVariation.h"

#include "core/protocol/Json.h"

#include <string>
#include <unordered_map>

namespace headroom::report {

bool anyTechniqueVaries(store::Workspace& workspace, std::int64_t experiment)
{
    bool isFound = false;
    std::unordered_map<std::string, std::string> techniques; // of the first trial with each other request
    workspace.eachTrial(experiment, [&](const store::TrialRow& row) {
        protocol::Json request = protocol::Json::parse(row.requestJson, nullptr, false);
        if (isFound || !request.is_object())
            return;
        const std::string own = request["techniques"].dump();
        request.erase("techniques");
        isFound = techniques.emplace(request.dump(), own).first->second != own;
    });
    return isFound;
}

} // namespace headroom::report
