// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/ResultsDocument.h"

#include "experiments/results/TrialRecordJson.h"

namespace headroom::experiments {
namespace {

OrderedJson recordsOf(const std::vector<TrialResult>& results)
{
    OrderedJson records = OrderedJson::array();
    for (const TrialResult& result : results)
        records.push_back(toJson(result));
    return records;
}

} // namespace

OrderedJson toJson(const ResultsDocument& document)
{
    OrderedJson json;
    json["schema"] = "headroom.results/1";
    json["experiment"] = document.experiment;
    json["environment"] = document.environment;
    json["trials"] = recordsOf(document.trials);
    json["not_run"] = recordsOf(document.notRun);
    json["summary"] = document.summary;
    return json;
}

} // namespace headroom::experiments
