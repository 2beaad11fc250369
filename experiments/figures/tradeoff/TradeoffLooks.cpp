// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/tradeoff/TradeoffLooks.h"

#include "experiments/figures/Palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

namespace headroom::figures {
namespace {

constexpr std::array kMarkShapes{Shape::Circle, Shape::Square, Shape::Diamond, Shape::TriangleUp, Shape::TriangleDown};
constexpr std::size_t kNeutral = kSeriesColours - 1; ///< of what has no colour of its own

/// Gives each distinct key a position, in the order in which they first come.
class KeyPositions {
public:
    explicit KeyPositions(std::vector<std::string>& keys)
        : m_keys(keys)
    {
    }

    std::size_t of(const std::string& key)
    {
        const auto [found, isNew] = m_positions.try_emplace(key, m_keys.size());
        if (isNew)
            m_keys.push_back(key);
        return found->second;
    }

private:
    std::vector<std::string>& m_keys;
    std::unordered_map<std::string, std::size_t> m_positions;
};

/// Keys that are too many for `places` share the last one.
std::size_t placeOf(std::size_t position, std::size_t keys, std::size_t places)
{
    return keys <= places ? position : std::min(position, places - 1);
}

std::string settingText(const std::optional<std::string>& what, const std::string& key)
{
    return what && !what->empty() ? fmt::format("{} {}", *what, key) : key;
}

} // namespace

TradeoffLooks::TradeoffLooks(const TradeoffInput& input)
    : m_input(input)
{
    std::vector<Keys> keys;
    KeyPositions colours(m_colours);
    KeyPositions shapes(m_shapes);
    for (std::size_t i = 0; i < input.trials.size(); ++i)
        keys.push_back({colours.of(colourKey(i)), shapes.of(shapeKey(i))});
    // How many keys there are decides which of them share a place, so that looks come after the keys.
    for (std::size_t i = 0; i < input.trials.size(); ++i)
        m_looks.push_back(lookOf(keys[i], input.trials[i].provenance));
}

std::string TradeoffLooks::colourKey(std::size_t trial) const
{
    return m_input.colourBy ? m_input.trials[trial].colourKey : m_input.trials[trial].group;
}

std::string TradeoffLooks::shapeKey(std::size_t trial) const
{
    return m_input.shapeBy ? m_input.trials[trial].shapeKey : m_input.trials[trial].group;
}

Look TradeoffLooks::lookOf(const Keys& keys, Provenance provenance) const
{
    if (isByGroup())
        return {keys.colour, kMarkShapes.at(keys.colour % kMarkShapes.size()), provenance};
    return {placeOf(keys.colour, m_colours.size(), kSeriesColours),
        kMarkShapes.at(placeOf(keys.shape, m_shapes.size(), kMarkShapes.size())), provenance};
}

Look TradeoffLooks::frontLook(std::size_t trial) const
{
    Look result = look(trial);
    if (m_input.colourBy)
        result.series = kNeutral;
    return result;
}

std::vector<LegendEntry> TradeoffLooks::legend(const std::vector<std::size_t>& plotted) const
{
    std::vector<LegendEntry> entries;
    if (isByGroup()) {
        addGroups(plotted, entries);
        return entries;
    }
    addColours(plotted, entries);
    addShapes(plotted, entries);
    addProvenances(plotted, entries);
    return entries;
}

void TradeoffLooks::addGroups(const std::vector<std::size_t>& plotted, std::vector<LegendEntry>& entries) const
{
    std::vector<std::set<Provenance>> shown(m_colours.size());
    for (const std::size_t trial : plotted)
        shown[look(trial).series].insert(look(trial).provenance);
    for (std::size_t series = 0; series < m_colours.size(); ++series)
        for (const Provenance provenance : shown[series]) {
            const std::string& group = m_colours[series];
            entries.push_back({Symbol::Mark, lookOf({series, 0}, provenance), {},
                group.empty() ? figures::name(provenance) : fmt::format("{}, {}", group, figures::name(provenance))});
        }
}

Provenance TradeoffLooks::provenanceOf(const std::vector<std::size_t>& trials) const
{
    Provenance most = Provenance::Predicted;
    for (const std::size_t i : trials)
        most = std::min(most, m_input.trials[i].provenance);
    return most;
}

// A colour in the shape that its marks share, else as a circle.
void TradeoffLooks::addColours(const std::vector<std::size_t>& plotted, std::vector<LegendEntry>& entries) const
{
    const std::size_t shown = std::min(m_colours.size(), kSeriesColours);
    for (std::size_t series = 0; series < shown; ++series) {
        std::vector<std::size_t> members;
        std::copy_if(plotted.begin(), plotted.end(), std::back_inserter(members),
            [&](std::size_t i) { return look(i).series == series; });
        if (members.empty())
            continue;
        const bool shared = m_colours.size() > kSeriesColours && series == kNeutral;
        const std::string text = shared ? fmt::format("{} other settings", m_colours.size() - kSeriesColours + 1)
                                        : settingText(m_input.colourBy, m_colours[series]);
        const Shape shape = look(members.front()).shape;
        const bool sameShape =
            std::all_of(members.begin(), members.end(), [&](std::size_t i) { return look(i).shape == shape; });
        if (!text.empty())
            entries.push_back(
                {Symbol::Mark, {series, sameShape ? shape : Shape::Circle, provenanceOf(members)}, {}, text});
    }
}

void TradeoffLooks::addShapes(const std::vector<std::size_t>& plotted, std::vector<LegendEntry>& entries) const
{
    if (m_shapes.size() < 2 || (m_input.colourBy == m_input.shapeBy && m_shapes == m_colours))
        return;
    for (std::size_t place = 0; place < std::min(m_shapes.size(), kMarkShapes.size()); ++place) {
        const Shape shape = kMarkShapes.at(place);
        if (std::none_of(plotted.begin(), plotted.end(), [&](std::size_t i) { return look(i).shape == shape; }))
            continue;
        const bool shared = m_shapes.size() > kMarkShapes.size() && place + 1 == kMarkShapes.size();
        const std::string text = shared
            ? fmt::format("{} other shapes' settings", m_shapes.size() - kMarkShapes.size() + 1)
            : settingText(m_input.shapeBy, m_shapes[place]);
        entries.push_back({Symbol::Mark, {kNeutral, shape, provenanceOf(plotted)}, {}, text});
    }
}

void TradeoffLooks::addProvenances(const std::vector<std::size_t>& plotted, std::vector<LegendEntry>& entries) const
{
    for (const auto provenance : {Provenance::Measured, Provenance::Rehearsed, Provenance::Predicted})
        if (std::any_of(plotted.begin(), plotted.end(),
                [&](std::size_t i) { return m_input.trials[i].provenance == provenance; }))
            entries.push_back({Symbol::Mark, {kNeutral, Shape::Circle, provenance}, {},
                fmt::format(
                    "{}: {}", provenance == Provenance::Measured ? "filled" : "hollow", figures::name(provenance))});
}

} // namespace headroom::figures
