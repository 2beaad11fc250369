// SPDX-License-Identifier: Apache-2.0
#include "tests/core/protocol/RandomTrial.h"

#include "core/base/Error.h"
#include "core/config/catalogue/Catalogue.h"

#include <algorithm>
#include <array>

namespace headroom {

using namespace config;

Value RandomTrial::valueOf(const Field& field)
{
    const double lowest = field.minimum.value_or(0);
    const double highest = std::min(field.maximum.value_or(1e6), lowest + 1e6);
    const double share = std::uniform_real_distribution<double>(0, 1)(m_random);
    switch (field.type) {
    case FieldType::Boolean:
        return below(2) == 0;
    case FieldType::Integer:
        return static_cast<std::int64_t>(lowest + share * (highest - lowest));
    case FieldType::Real:
        return lowest + share * (highest - lowest);
    case FieldType::Choice:
        return field.choices[below(field.choices.size())];
    case FieldType::IntegerList:
        return Value::List{static_cast<std::int64_t>(below(64)), static_cast<std::int64_t>(below(64))};
    case FieldType::TextList:
        return Value::List{"text " + std::to_string(below(64))};
    case FieldType::Text:
        break;
    }
    return "text " + std::to_string(below(1000));
}

// Some of the fields are left out, so that defaults are drawn too.
ValueMap RandomTrial::valuesOf(const FieldSet& fields)
{
    ValueMap values;
    for (const Field& field : fields.all())
        if (below(3) != 0)
            values.emplace(field.name, valueOf(field));
    return values;
}

// The forms of the help text, with numbers for their capital letters; drawn again where those do not fit together.
std::string RandomTrial::notationOf(const TechniqueDescriptor& technique)
{
    const std::string form = technique.forms[below(technique.forms.size())].form;
    std::string notation;
    for (const char c : form)
        notation += c >= 'A' && c <= 'Z' ? std::to_string(1 + below(99)) : std::string(1, c);
    try {
        return technique.normalise(notation, "random");
    } catch (const UsageError&) {
        return notationOf(technique);
    }
}

Configuration RandomTrial::nextConfiguration()
{
    const std::vector<std::string> names = modelNames();
    const ModelDescriptor model = findModel(names[below(names.size())], "random");
    Configuration configuration = defaultConfiguration(model.name, "random");
    configuration.modelFields = model.fields.complete(valuesOf(model.fields), "random");
    ValueMap workload = valuesOf(workloadFields());
    workload.merge(valuesOf(model.shapes));
    configuration.workload = makeWorkload(workload, model.shapes, "random");
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        configuration.techniques[technique.key] =
            makeSetting(technique, notationOf(technique), valuesOf(technique.options), "random");
    return configuration;
}

Trial RandomTrial::next()
{
    static const std::array<const char*, 5> kDevices{"cpu", "cuda:0", "cuda:3", "sim:a100-80gb@torch-2.5", "sim:t4"};
    Trial trial;
    trial.configuration = nextConfiguration();
    trial.device = parseDevice(kDevices[below(kDevices.size())], "random");
    if (below(2) == 0)
        trial.memoryLimitBytes = static_cast<Bytes>(below(std::size_t{1} << 40));
    if (trial.device.isSimulated() && below(2) == 0)
        trial.segmentAddresses = below(2) == 0 ? SegmentAddresses::Linux : SegmentAddresses::Ascending;
    if (trial.device.kind != DeviceKind::Cpu && below(2) == 0)
        trial.allocator = "max_split_size_mb:" + std::to_string(20 + below(100)) + ",expandable_segments:True";
    trial.protocol = makeProtocol(valuesOf(protocolFields()), "random");
    return trial;
}

} // namespace headroom
