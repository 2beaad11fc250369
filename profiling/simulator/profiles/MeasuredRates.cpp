// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/profiles/MeasuredRates.h"

#include <algorithm>
#include <cmath>

namespace headroom::simulator {

namespace {

// The value at `at` on the power law through two points.
double onPowerLaw(double at, double firstAt, double first, double secondAt, double second)
{
    const double share = std::log(at / firstAt) / std::log(secondAt / firstAt);
    return first * std::pow(second / first, share);
}

MathType otherOfSixteenBits(MathType type)
{
    if (type == MathType::Float16)
        return MathType::Bfloat16;
    return type == MathType::Bfloat16 ? MathType::Float16 : type;
}

} // namespace

const std::vector<std::string>& workNames()
{
    static const std::vector<std::string> names{"product", "batched_product", "attention", "attention_backward",
        "convolution", "convolution_backward", "copy", "rearrangement", "cast", "float8_cast", "fill", "random",
        "elementwise", "transcendental", "gelu", "gelu_backward", "reduction", "softmax", "softmax_backward",
        "normalisation", "normalisation_backward", "lookup", "optimizer"};
    return names;
}

const std::string& nameOf(Work work)
{
    return workNames().at(static_cast<std::size_t>(work));
}

bool isArithmetic(Work work)
{
    return work <= Work::ConvolutionBackward;
}

double RateTable::rate(double size) const
{
    const auto above = std::ranges::lower_bound(points, size, {}, &RatePoint::size);
    if (above == points.begin())
        return above->perSecond;
    const RatePoint& below = *std::prev(above);
    if (above == points.end())
        return below.perSecond;
    return onPowerLaw(size, below.size, below.perSecond, above->size, above->perSecond);
}

double RateTable::shortestSeconds() const
{
    return points.front().size / points.front().perSecond;
}

double RateTable::seconds(double size) const
{
    return size < points.front().size ? shortestSeconds() : size / rate(size);
}

void MeasuredRates::add(RateTable table)
{
    Places& places = m_places[{table.work, table.type}];
    const auto after = std::ranges::upper_bound(
        places, table.smallestDimension, {}, [this](std::size_t place) { return m_tables[place].smallestDimension; });
    places.insert(after, m_tables.size());
    m_tables.push_back(std::move(table));
}

const MeasuredRates::Places* MeasuredRates::closestTables(Work work, MathType type) const
{
    const bool isTraffic = !isArithmetic(work);
    for (const Work kind : {work, isTraffic ? Work::Elementwise : work})
        for (const MathType candidate : {type, otherOfSixteenBits(type), isTraffic ? MathType::Float32 : type})
            if (const auto found = m_places.find({kind, candidate}); found != m_places.end())
                return &found->second;
    return nullptr;
}

std::optional<double> MeasuredRates::seconds(const WorkAmount& amount) const
{
    const Places* const places = closestTables(amount.work, amount.type);
    if (places == nullptr)
        return std::nullopt;
    if (places->size() == 1)
        return m_tables[places->front()].seconds(amount.size);
    // The smallest call of a table of large dimensions is a large one: those below it have its rate, not its time.
    const auto shortestOf = [this](std::size_t place) { return m_tables[place].shortestSeconds(); };
    const double shortest = shortestOf(*std::ranges::min_element(*places, {}, shortestOf));
    return std::max(amount.size / rateBetween(*places, amount), shortest);
}

double MeasuredRates::rateBetween(const Places& places, const WorkAmount& amount) const
{
    const auto dimensionOf = [this](std::size_t place) { return m_tables[place].smallestDimension; };
    const auto above = std::ranges::lower_bound(places, amount.smallestDimension, {}, dimensionOf);
    if (above == places.begin())
        return m_tables[*above].rate(amount.size);
    const RateTable& below = m_tables[*std::prev(above)];
    if (above == places.end() || below.smallestDimension == 0)
        return below.rate(amount.size);
    return onPowerLaw(static_cast<double>(amount.smallestDimension), static_cast<double>(below.smallestDimension),
        below.rate(amount.size), static_cast<double>(dimensionOf(*above)), m_tables[*above].rate(amount.size));
}

} // namespace headroom::simulator
