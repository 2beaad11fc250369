// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/ImportedModel.h"

#include "core/base/Error.h"
#include "core/models/imported/GraphProgram.h"
#include "core/models/imported/IndexBounds.h"

#include <algorithm>

namespace headroom::models {
namespace {

at::Tensor integers(const archive::ExportedModel& model, const archive::UserInput& input,
    const archive::SymbolValues& symbols, const std::vector<std::int64_t>& sizes, const at::TensorOptions& options)
{
    if (input.name.find("mask") != std::string::npos || options.dtype() == at::kBool)
        return at::ones(sizes, options);
    std::optional<std::int64_t> bound = indexBound(model, input.name, symbols);
    if (!bound) // labels are tokens as well
        for (const archive::UserInput& other : model.inputs)
            if (!bound && other.tensor && other.tensor->sizes.size() == input.tensor->sizes.size())
                bound = indexBound(model, other.name, symbols);
    constexpr std::int64_t kTimesteps = 1000;
    return at::randint(bound.value_or(sizes.size() < 2 ? kTimesteps : 1), sizes, options);
}

} // namespace

Inputs importedInputs(const config::Configuration& configuration, const at::TensorOptions& options)
{
    const auto archive = archiveOf(configuration);
    std::map<std::string, std::int64_t> shapes;
    for (const auto& [name, value] : configuration.workload.shapes)
        if (value.isInteger())
            shapes.emplace(name, value.integer());
    const archive::SymbolValues symbols = archive->symbols(shapes);
    Inputs inputs;
    for (const archive::UserInput& input : archive->inputs) {
        if (!input.tensor) {
            inputs.emplace(input.name, wrappedNumber(input.number.at(symbols)).toTensor());
            continue;
        }
        std::vector<std::int64_t> sizes;
        for (const archive::Size& size : input.tensor->sizes)
            sizes.push_back(size.at(symbols));
        const auto own = options.dtype(scalarTypeOf(input.tensor->scalarType));
        inputs.emplace(input.name,
            archive::isFloatingScalarType(input.tensor->scalarType) ? at::randn(sizes, own)
                                                                    : integers(*archive, input, symbols, sizes, own));
    }
    return inputs;
}

} // namespace headroom::models
