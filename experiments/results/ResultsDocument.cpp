// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/ResultsDocument.h"

namespace headroom::experiments {

OrderedJson toJson(const ResultsDocument& document)
{
    OrderedJson json;
    json["schema"] = "headroom.results/1";
    json["experiment"] = document.experiment;
    json["environment"] = document.environment;
    json["trials"] = document.trials;
    json["not_run"] = document.notRun;
    json["summary"] = document.summary;
    return json;
}

} // namespace headroom::experiments
