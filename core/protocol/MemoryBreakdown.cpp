// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/MemoryBreakdown.h"

#include "core/protocol/JsonMember.h"

namespace headroom::protocol {
namespace {

Json moduleToJson(const ModuleBytes& module)
{
    return {{"path", module.path}, {"bytes", module.bytes}, {"categories", module.categories}};
}

Json sourceToJson(const SourceBytes& source)
{
    return {{"source", source.line}, {"bytes", source.bytes}, {"categories", source.categories}};
}

Json leakToJson(const MemoryLeak& leak)
{
    return {{"category", leak.category}, {"per_step_bytes", leak.bytesPerStep}};
}

template <typename Item> Json listToJson(const std::vector<Item>& items, Json (*itemToJson)(const Item&))
{
    Json list = Json::array();
    for (const Item& item : items)
        list.push_back(itemToJson(item));
    return list;
}

} // namespace

Json toJson(const std::optional<MemoryBreakdown>& breakdown)
{
    if (!breakdown)
        return nullptr;
    return {{"of", "allocated"}, {"total_bytes", breakdown->totalBytes},
        {"requested_bytes", orNull(breakdown->requestedBytes)},
        {"phase", breakdown->phase.empty() ? Json() : Json(breakdown->phase)}, {"categories", breakdown->categories},
        {"modules", listToJson(breakdown->modules, moduleToJson)}, {"techniques", breakdown->techniques},
        {"sources", listToJson(breakdown->sources, sourceToJson)}, {"leaks", listToJson(breakdown->leaks, leakToJson)}};
}

std::optional<MemoryBreakdown> breakdownFromJson(const Json& json)
{
    if (json.is_null())
        return std::nullopt;
    MemoryBreakdown breakdown;
    json.at("total_bytes").get_to(breakdown.totalBytes);
    if (const Json requested = json.value("requested_bytes", Json()); !requested.is_null()) // absent in older records
        breakdown.requestedBytes = requested.get<Bytes>();
    if (!json.at("phase").is_null())
        json.at("phase").get_to(breakdown.phase);
    json.at("categories").get_to(breakdown.categories);
    for (const Json& item : json.at("modules"))
        breakdown.modules.push_back({item.at("path").get<std::string>(), item.at("bytes").get<Bytes>(),
            item.at("categories").get<std::map<std::string, Bytes>>()});
    json.at("techniques").get_to(breakdown.techniques);
    for (const Json& item : memberOf(json, "sources")) // absent in older records
        breakdown.sources.push_back({item.at("source").get<std::string>(), item.at("bytes").get<Bytes>(),
            item.at("categories").get<std::map<std::string, Bytes>>()});
    for (const Json& item : json.at("leaks"))
        breakdown.leaks.push_back({item.at("category").get<std::string>(), item.at("per_step_bytes").get<Bytes>()});
    return breakdown;
}

} // namespace headroom::protocol
