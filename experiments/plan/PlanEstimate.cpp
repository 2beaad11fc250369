// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanEstimate.h"

#include "experiments/plan/PlanSeeds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace headroom::experiments {
namespace {

// How far apart two settings are. Along a long axis little is unknown: its effect adds up wherever it is.
float distanceOf(const PlanSetting& one, const PlanSetting& other, bool isLong)
{
    constexpr double kUsedOrNot = 2;
    constexpr double kOtherKind = 1;
    constexpr double kOtherKindOfLong = 0.5;
    constexpr double kSameKind = 0.3;
    const double apart = std::abs(one.extent - other.extent);
    if (isLong)
        return static_cast<float>((one.kind == other.kind ? 0 : kOtherKindOfLong) + apart);
    if (one.kind == other.kind)
        return static_cast<float>(kSameKind + std::min(apart, 1.0) / 2);
    return static_cast<float>((one.effort > 0) == (other.effort > 0) ? kOtherKind : kUsedOrNot);
}

std::vector<float> distancesOf(const PlanAxis& axis, bool isLong)
{
    const std::size_t size = axis.settings.size();
    std::vector<float> distances(size * size, 0);
    for (std::size_t one = 0; one < size; ++one)
        for (std::size_t other = 0; other < size; ++other)
            if (one != other)
                distances[one * size + other] = distanceOf(axis.settings[one], axis.settings[other], isLong);
    return distances;
}

} // namespace

PlanEstimate::PlanEstimate(const PlanAxes& axes, const PlanBounds& bounds, const PlanPoint& base)
    : m_axes(axes)
    , m_bounds(bounds)
    , m_base(base)
{
    std::size_t stride = 1;
    for (std::size_t axis = 0; axis < axes.axes.size(); ++axis) {
        const std::size_t settings = axes.axes[axis].settings.size();
        const bool isLong = settings > PlanSeeds::kLongAxis;
        if (settings > 1)
            m_varied.push_back(
                {axis, stride, settings, isLong, std::vector<Effect>(settings), distancesOf(axes.axes[axis], isLong)});
        stride *= settings;
    }
    m_distance.assign(bounds.size(), std::numeric_limits<float>::infinity());
    m_nearest.assign(bounds.size(), 0);
    for (std::size_t index = 0; index < bounds.size(); ++index)
        if (bounds.isOpen(index))
            m_open.push_back(index);
}

void PlanEstimate::learn()
{
    std::erase_if(m_open, [&](std::size_t index) { return !m_bounds.isOpen(index); });
    const std::size_t before = m_known.size();
    for (const auto& [index, figures] : m_bounds.known())
        if (std::ranges::find(
                m_known.begin(), m_known.begin() + static_cast<std::ptrdiff_t>(before), index, &Known::index)
            == m_known.begin() + static_cast<std::ptrdiff_t>(before))
            m_known.push_back({index, figures, {}});
    for (std::size_t known = before; known < m_known.size(); ++known)
        takeAsNearest(static_cast<std::uint32_t>(known));
    measureEffects();
    for (Known& known : m_known)
        known.modelled = modelled(known.index, {});
}

void PlanEstimate::takeAsNearest(std::uint32_t known)
{
    const std::size_t index = m_known[known].index;
    std::vector<const float*> rows;
    for (std::size_t place = 0; place < m_varied.size(); ++place)
        rows.push_back(&m_varied[place].distances[settingOf(index, place) * m_varied[place].settings]);
    for (const std::size_t other : m_open) {
        float distance = 0;
        for (std::size_t place = 0; place < rows.size(); ++place)
            distance += rows[place][settingOf(other, place)];
        if (distance <= m_distance[other]) {
            m_distance[other] = distance;
            m_nearest[other] = known;
        }
    }
}

void PlanEstimate::measureEffects()
{
    for (Varied& varied : m_varied)
        std::ranges::fill(varied.effects, varied.isLong ? Effect{0, 0} : Effect{1, 1});
    const auto base = m_bounds.known().find(m_bounds.indexOf(m_base));
    if (base == m_bounds.known().end())
        return;
    m_baseFigures = base->second;
    for (std::size_t place = 0; place < m_varied.size(); ++place)
        measureEffects(place, base->second);
}

// What is not known lies between what is known of its kind.
void PlanEstimate::measureEffects(std::size_t place, const PlanFigures& base)
{
    Varied& varied = m_varied[place];
    const std::vector<PlanSetting>& settings = m_axes.axes[varied.axis].settings;
    std::map<std::string, std::vector<Sample>> kinds;
    PlanPoint point = m_base;
    for (std::size_t setting = 0; setting < varied.settings; ++setting) {
        point[varied.axis] = setting;
        const auto known = m_bounds.known().find(m_bounds.indexOf(point));
        if (known == m_bounds.known().end())
            continue;
        const PlanFigures& figures = known->second;
        const auto bytes = static_cast<double>(figures.bytes);
        const auto baseBytes = static_cast<double>(std::max<Bytes>(base.bytes, 1));
        kinds[settings[setting].kind].push_back({settings[setting].extent,
            varied.isLong ? Effect{bytes - baseBytes, figures.seconds - base.seconds}
                          : Effect{bytes / baseBytes, figures.seconds / base.seconds}});
    }
    for (std::size_t setting = 0; setting < varied.settings; ++setting)
        if (const auto samples = kinds.find(settings[setting].kind); samples != kinds.end())
            varied.effects[setting] = between(samples->second, settings[setting].extent);
}

// On the line through what lies on either side, or through the ends.
PlanEstimate::Effect PlanEstimate::between(std::vector<Sample> samples, double extent)
{
    std::ranges::stable_sort(samples, {}, &Sample::extent);
    const auto above = std::ranges::find_if(samples, [&](const Sample& sample) { return sample.extent >= extent; });
    const bool isInside = above != samples.begin() && above != samples.end();
    const Sample& low = isInside ? *(above - 1) : samples.front();
    const Sample& high = isInside ? *above : samples.back();
    if (high.extent == low.extent)
        return low.effect;
    const double share = (extent - low.extent) / (high.extent - low.extent);
    return {low.effect.bytes + share * (high.effect.bytes - low.effect.bytes),
        low.effect.seconds + share * (high.effect.seconds - low.effect.seconds)};
}

PlanFigures PlanEstimate::modelled(std::size_t index, const std::vector<char>& isHopeful) const
{
    if (!m_baseFigures)
        return {};
    Effect sum;
    double bytes = 1;
    double faster = 1;
    double slower = 1;
    for (std::size_t place = 0; place < m_varied.size(); ++place) {
        const Effect& effect = m_varied[place].effects[settingOf(index, place)];
        if (m_varied[place].isLong) {
            sum.bytes += effect.bytes;
            sum.seconds += effect.seconds;
            continue;
        }
        bytes *= effect.bytes;
        faster *= std::min(effect.seconds, 1.0);
        if (isHopeful.empty() || isHopeful[place] == 0)
            slower = std::max(slower, effect.seconds);
    }
    return {static_cast<Bytes>(static_cast<double>(m_baseFigures->bytes) * bytes + sum.bytes), 0,
        m_baseFigures->seconds * slower * faster + sum.seconds};
}

// Where no order is known of two techniques together, one may hide what the other takes.
bool PlanEstimate::mayHide(const PlanGuard& guard, const PlanPoint& point) const
{
    return guard.of == PlanGuard::Of::Time && guard.settings[point[guard.other]] == 0
        && m_axes.axes[guard.axis].settings[point[guard.axis]].effort > 0;
}

PlanFigures PlanEstimate::of(std::size_t index) const
{
    if (m_known.empty())
        return {};
    const Known& nearest = m_known[m_nearest[index]];
    std::vector<char> isHopeful;
    const PlanPoint point = m_bounds.pointOf(index);
    const PlanPoint known = m_bounds.pointOf(nearest.index);
    for (const PlanGuard& guard : m_axes.guards)
        if (mayHide(guard, point) && !mayHide(guard, known)) {
            isHopeful.resize(m_varied.size(), 0);
            for (std::size_t place = 0; place < m_varied.size(); ++place)
                if (m_varied[place].axis == guard.other)
                    isHopeful[place] = 1;
        }
    const PlanFigures here = modelled(index, isHopeful);
    return {nearest.figures.bytes + here.bytes - nearest.modelled.bytes, 0,
        nearest.figures.seconds + here.seconds - nearest.modelled.seconds};
}

} // namespace headroom::experiments
