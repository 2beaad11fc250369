// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/ImportedShapes.h"

#include "core/archive/FreeDimensions.h"
#include "core/archive/Guards.h"

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
        + dimensionName(input, dimension)
        + "\")}} (or Dim.AUTO in the place of the Dim), whose example has 2 or more there";
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
            if (!name.empty() && archive::usualSizeName(input, dimension) == name)
                return sizeAt(input, dimension);
    return std::nullopt;
}

// Whole numbers can be left free, with torch 2.8 and newer.
std::optional<NamedSize> fixedNumber(const ExportedModel& model, const std::string& name)
{
    const auto found = std::ranges::find(model.fixedInputs, name, &archive::FixedInput::name);
    if (found == model.fixedInputs.end())
        return std::nullopt;
    NamedSize size{.place = found->name};
    size.fixedTo = std::visit([](const auto& value) { return Value(value); }, found->value);
    if (size.fixedTo->isInteger())
        size.remedy =
            "dynamic_shapes={\"" + found->name + "\": Dim.AUTO} (torch 2.8 or newer), whose example is 2 or more";
    return size;
}

// Guards speak of a size as L['input_ids'].size()[1], of a number as L['num_frames'].
bool isAbout(const std::string& guard, const std::string& name)
{
    const std::size_t dot = name.rfind('.');
    const std::string input = "L['" + name.substr(0, dot) + "']";
    const std::string place = dot == std::string::npos ? input : input + ".size()[" + name.substr(dot + 1) + "]";
    return guard.find(place) != std::string::npos;
}

std::string fieldOf(const ExportedModel& model, const std::string& guard)
{
    for (const FreeDimension& dimension : model.dimensions) {
        const auto says = [&](const std::string& name) { return isAbout(guard, name); };
        if (says(dimension.name) || std::ranges::any_of(dimension.aliases, says))
            return "workload." + dimension.name;
    }
    return "workload";
}

std::string boundsText(const FreeDimension& dimension)
{
    return dimension.maximum ? std::to_string(dimension.minimum) + " to " + std::to_string(*dimension.maximum)
                             : "at least " + std::to_string(dimension.minimum);
}

// Of an input whose size follows from others: at other sizes than the example's it may be none.
void addInputProblems(const UserInput& input, const archive::SymbolValues& values, std::vector<Problem>& problems)
{
    for (std::size_t dimension = 0; hasDimension(input, dimension); ++dimension) {
        const auto size = input.tensor->sizes[dimension].evaluated(values);
        if (size && !(*size >= 0 && *size <= static_cast<double>(archive::kMostElements)))
            problems.emplace_back(
                "the expression of " + input.name + "." + std::to_string(dimension) + " gives no size with these sizes",
                "workload", "sizes with which it is 0 to 2^48");
    }
}

} // namespace

archive::SymbolValues symbolsOf(const ExportedModel& model, const ValueMap& shapes)
{
    std::map<std::string, std::int64_t> sizes;
    for (const auto& [name, value] : shapes)
        if (value.isInteger())
            sizes.emplace(name, value.integer());
    return model.symbols(sizes);
}

std::vector<Problem> sizeProblems(const ExportedModel& model, const ValueMap& shapes)
{
    std::vector<Problem> problems;
    const archive::SymbolValues values = symbolsOf(model, shapes);
    for (const FreeDimension& dimension : model.dimensions) {
        const std::int64_t size = values.at(dimension.symbol);
        if (size < dimension.minimum || (dimension.maximum && size > *dimension.maximum))
            problems.emplace_back(dimension.name + " = " + std::to_string(size) + " is beyond the export's bounds",
                "workload." + dimension.name, boundsText(dimension));
    }
    for (const UserInput& input : model.inputs)
        addInputProblems(input, values, problems);
    for (const std::string& guard : archive::violatedGuards(model, values))
        problems.emplace_back("the export assumed " + guard + ", which these sizes do not meet", fieldOf(model, guard));
    return problems;
}

std::optional<NamedSize> namedSize(const ExportedModel& model, const std::string& name)
{
    if (const FreeDimension* free = freeDimension(model, name))
        return NamedSize{.field = free->name, .place = free->name};
    if (auto size = sizeByPlace(model, name))
        return size;
    if (auto number = fixedNumber(model, name))
        return number;
    return sizeByUsualName(model, name);
}

} // namespace headroom::config
