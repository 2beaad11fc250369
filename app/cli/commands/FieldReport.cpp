// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/FieldReport.h"

#include "core/protocol/Json.h"

namespace headroom::cli {

using experiments::OrderedJson;

Table fieldTable(const config::FieldSet& fields)
{
    Table table({{"name"}, {"default"}, {"valid"}, {"what it is"}});
    for (const config::Field& field : fields.all())
        table.addRow({field.name, field.defaultValue.isNull() ? "" : config::toLabel(field.defaultValue),
            field.validValues(), field.help});
    return table;
}

OrderedJson fieldRecords(const config::FieldSet& fields, const std::string& section)
{
    OrderedJson records = OrderedJson::array();
    for (const config::Field& field : fields.all())
        records.push_back(
            {{"section", section}, {"name", field.name}, {"default", OrderedJson(protocol::toJson(field.defaultValue))},
                {"valid", field.validValues()}, {"choices", field.choices}, {"help", field.help}});
    return records;
}

} // namespace headroom::cli
