// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/ExperimentSpec.h"

#include "core/protocol/Json.h"

namespace headroom::experiments {

std::string ExperimentSpec::canonicalJson() const
{
    protocol::Json json{{"name", name}, {"parts", protocol::Json::array()}, {"exclude", protocol::Json::array()}};
    for (const SpecSettings& part : parts) {
        protocol::Json settings = protocol::Json::object();
        for (const auto& [path, setting] : part)
            settings[path] = protocol::toJson(setting.value);
        json["parts"].push_back(settings);
    }
    for (const ExcludeRule& rule : excludes) {
        protocol::Json entry{{"reason", rule.reason}};
        for (const SpecSetting& setting : rule.settings)
            entry["settings"][setting.path] = protocol::toJson(setting.value);
        json["exclude"].push_back(entry);
    }
    for (const Budget& budget : budgets) {
        protocol::Json entry = protocol::Json::object();
        for (const auto& [key, value] : budgetEntries(budget))
            entry[key] = protocol::toJson(value);
        json["budgets"].push_back(entry);
    }
    return json.dump();
}

} // namespace headroom::experiments
