// SPDX-License-Identifier: Apache-2.0
#include "core/archive/FreeDimensions.h"

#include <algorithm>
#include <set>

namespace headroom::archive {
namespace {

class Naming {
public:
    explicit Naming(const SymbolRanges& ranges)
        : m_ranges(ranges)
    {
    }

    void add(const std::string& symbol, std::int64_t example, const std::string& usual, const std::string& own)
    {
        const auto known = std::ranges::find(m_found, symbol, &FreeDimension::symbol);
        if (known != m_found.end()) {
            if (known->name != own)
                known->aliases.push_back(own);
            return;
        }
        FreeDimension dimension{.name = own, .symbol = symbol, .example = example};
        if (!usual.empty() && m_taken.insert(usual).second) {
            dimension.name = usual;
            if (usual != own)
                dimension.aliases.push_back(own);
        }
        if (const auto range = m_ranges.find(symbol); range != m_ranges.end())
            limit(dimension, range->second.first, range->second.second);
        m_found.push_back(std::move(dimension));
    }

    std::vector<FreeDimension> found() { return std::move(m_found); }

private:
    // Export takes 0 and 1 for special and says "2 or more" of every size; what it leaves free works with 1 as well.
    static void limit(
        FreeDimension& dimension, std::optional<std::int64_t> minimum, std::optional<std::int64_t> maximum)
    {
        dimension.minimum = minimum && *minimum > 2 ? *minimum : 1;
        if (maximum && *maximum >= dimension.minimum)
            dimension.maximum = maximum;
    }

    const SymbolRanges& m_ranges;
    std::vector<FreeDimension> m_found;
    std::set<std::string> m_taken;
};

std::string symbolOf(const Size& size)
{
    return size.expression ? size.expression->symbol() : std::string();
}

} // namespace

// By the number of an input's dimensions and the place: [batch, channels, frames, height, width] and its like.
std::string usualSizeName(const UserInput& input, std::size_t dimension)
{
    const std::size_t dimensions = input.tensor->sizes.size();
    if (dimension == 0)
        return "batch";
    if (dimensions == 5 && dimension >= 2)
        return dimension == 2 ? "frames" : dimension == 3 ? "height" : "width";
    if (dimensions == 4 && dimension >= 2)
        return dimension == 2 ? "height" : "width";
    const bool isTokens = dimensions == 2 && !isFloatingScalarType(input.tensor->scalarType);
    return dimension == 1 && (isTokens || dimensions == 3) ? "sequence_length" : std::string();
}

std::vector<FreeDimension> freeDimensionsOf(const std::vector<UserInput>& inputs, const SymbolRanges& ranges)
{
    Naming naming(ranges);
    for (const UserInput& input : inputs) {
        if (!input.tensor) {
            if (const std::string symbol = symbolOf(input.number); !symbol.empty())
                naming.add(symbol, input.number.example, {}, input.name);
            continue;
        }
        for (std::size_t place = 0; place < input.tensor->sizes.size(); ++place) {
            const Size& size = input.tensor->sizes[place];
            if (const std::string symbol = symbolOf(size); !symbol.empty())
                naming.add(symbol, size.example, usualSizeName(input, place), input.name + "." + std::to_string(place));
        }
    }
    return naming.found();
}

} // namespace headroom::archive
