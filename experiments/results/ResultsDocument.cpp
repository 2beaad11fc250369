// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/ResultsDocument.h"

#include "experiments/results/TrialRecordJson.h"

#include <utility>

namespace headroom::experiments {
namespace {

constexpr const char* kDocumentSchema = "headroom.results/1";

OrderedJson recordsOf(const std::vector<TrialResult>& results)
{
    OrderedJson records = OrderedJson::array();
    for (const TrialResult& result : results)
        records.push_back(toJson(result));
    return records;
}

// No string of a dumped value has a line feed in it.
std::string indented(const OrderedJson& json, std::size_t depth)
{
    const std::string dumped = json.dump(2, ' ', false, OrderedJson::error_handler_t::replace);
    const std::string margin(depth, ' ');
    std::string text;
    for (const char c : dumped) {
        text += c;
        if (c == '\n')
            text += margin;
    }
    return text;
}

void writeRecords(const char* key, const EachResult& results, const TextSink& write)
{
    bool isFirst = true;
    write(std::string("  \"") + key + "\": [");
    results([&](const TrialResult& result) {
        write(std::exchange(isFirst, false) ? "\n    " : ",\n    ");
        write(indented(toJson(result), 4));
    });
    write(isFirst ? "],\n" : "\n  ],\n");
}

EachResult eachOf(const std::vector<TrialResult>& results)
{
    return [&results](const std::function<void(const TrialResult&)>& visit) {
        for (const TrialResult& result : results)
            visit(result);
    };
}

} // namespace

void writeDocument(
    const ResultsDocument& parts, const EachResult& trials, const EachResult& notRun, const TextSink& write)
{
    write("{\n  \"schema\": " + OrderedJson(kDocumentSchema).dump() + ",\n");
    write("  \"experiment\": " + indented(parts.experiment, 2) + ",\n");
    write("  \"environment\": " + indented(parts.environment, 2) + ",\n");
    writeRecords("trials", trials, write);
    writeRecords("not_run", notRun, write);
    write("  \"summary\": " + indented(parts.summary, 2) + "\n}");
}

void writeDocument(const ResultsDocument& document, const TextSink& write)
{
    writeDocument(document, eachOf(document.trials), eachOf(document.notRun), write);
}

OrderedJson toJson(const ResultsDocument& document)
{
    OrderedJson json;
    json["schema"] = kDocumentSchema;
    json["experiment"] = document.experiment;
    json["environment"] = document.environment;
    json["trials"] = recordsOf(document.trials);
    json["not_run"] = recordsOf(document.notRun);
    json["summary"] = document.summary;
    return json;
}

} // namespace headroom::experiments
