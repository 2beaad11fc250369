// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/ImportedShapes.h"

#include "core/archive/FreeDimensions.h"

#include <algorithm>

namespace headroom::config {
namespace {

using archive::ExportedModel;
using archive::FreeDimension;
using archive::UserInput;

const FreeDimension* freeDimension(const ExportedModel& model, const std::string& name)
{
    const auto found = std::ranges::find_if(model.dimensions, [&](const FreeDimension& dimension) {
        return dimension.name == name || std::ranges::count(dimension.aliases, name) > 0;
    });
    return found == model.dimensions.end() ? nullptr : &*found;
}

// A name that torch.export.Dim takes.
std::string dimensionName(const UserInput& input, std::size_t dimension)
{
    const std::string usual = archive::usualSizeName(input, dimension);
    return usual.empty() ? input.name + "_" + std::to_string(dimension) : usual;
}

std::string exportLine(const UserInput& input, std::size_t dimension)
{
    return "dynamic_shapes={\"" + input.name + "\": {" + std::to_string(dimension) + ": Dim(\""
        + dimensionName(input, dimension) + "\")}}";
}

// A size that follows from others is neither fixed nor set by itself.
NamedSize sizeAt(const UserInput& input, std::size_t dimension)
{
    NamedSize size{.place = input.name + "." + std::to_string(dimension)};
    if (const archive::Size& found = input.tensor->sizes[dimension]; !found.isFree()) {
        size.fixedTo = found.example;
        size.remedy = exportLine(input, dimension);
    }
    return size;
}

bool hasDimension(const UserInput& input, std::size_t dimension)
{
    return input.tensor && dimension < input.tensor->sizes.size();
}

// "input_ids.1"
std::optional<NamedSize> sizeByPlace(const ExportedModel& model, const std::string& name)
{
    for (const UserInput& input : model.inputs)
        for (std::size_t dimension = 0; hasDimension(input, dimension); ++dimension)
            if (name == input.name + "." + std::to_string(dimension))
                return sizeAt(input, dimension);
    return std::nullopt;
}

std::optional<NamedSize> sizeByUsualName(const ExportedModel& model, const std::string& name)
{
    for (const UserInput& input : model.inputs)
        for (std::size_t dimension = 0; hasDimension(input, dimension); ++dimension)
            if (archive::usualSizeName(input, dimension) == name)
                return sizeAt(input, dimension);
    return std::nullopt;
}

} // namespace

std::optional<NamedSize> namedSize(const ExportedModel& model, const std::string& name)
{
    if (const FreeDimension* free = freeDimension(model, name))
        return NamedSize{.field = free->name, .place = free->name};
    if (auto size = sizeByPlace(model, name))
        return size;
    return sizeByUsualName(model, name);
}

} // namespace headroom::config
