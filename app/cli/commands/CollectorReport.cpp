// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/CollectorReport.h"

#include "app/cli/commands/HealthChecks.h"

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using protocol::Json;

OrderedJson orNull(const std::string& text)
{
    return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

struct Collector {
    std::string name;
    std::string tells;
    std::string version;
    std::string reason;
    Health health;
};

Collector collectorFrom(const Json& json)
{
    return {json.value("name", std::string()), json.value("tells", std::string()), json.value("version", std::string()),
        json.value("reason", std::string()), json.value("available", false) ? Health::Good : Health::Absent};
}

// In the rows of csv and jsonl a collector is one more check.
void addCollector(Report& report, Table& table, OrderedJson& list, const Collector& collector)
{
    const std::string found = collector.health == Health::Good ? collector.version : collector.reason;
    table.addRow({collector.name, toText(collector.health), found, collector.tells});
    list.push_back({{"name", collector.name}, {"available", collector.health == Health::Good},
        {"reason", orNull(collector.reason)}, {"version", orNull(collector.version)}, {"tells", collector.tells}});
    report.records.push_back({{"check", "collector " + collector.name}, {"state", toText(collector.health)},
        {"found", found}, {"meaning", collector.tells}});
}

} // namespace

void addCollectors(Report& report, const WorkerAnswer& worker)
{
    report.document["collectors"] = OrderedJson::array();
    report.document["capture"] = nullptr;
    if (!worker.description || !worker.description->details.contains("collectors"))
        return;
    const Json& details = worker.description->details;
    Table table({{"collector"}, {"state"}, {"found"}, {"tells of"}});
    for (const Json& collector : details.at("collectors"))
        addCollector(report, table, report.document["collectors"], collectorFrom(collector));
    const Json capture = details.value("capture", Json::object());
    const std::string meaning = capture.value("meaning", std::string());
    report.document["capture"] = {{"rung", capture.value("name", std::string())}, {"meaning", meaning}};
    report.sections.push_back({"What a trace can see here", "", table, "A trace has " + meaning + "."});
}

} // namespace headroom::cli
