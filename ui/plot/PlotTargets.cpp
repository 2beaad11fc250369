// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/PlotTargets.h"

#include "ui/figures/FigureInk.h"

#include <algorithm>
#include <tuple>

namespace headroom::ui {
namespace {

/// Where a place stands on the way: the smaller, the earlier.
std::tuple<double, double> order(const figures::Pixel& at, Way way)
{
    switch (way) {
    case Way::Right:
        return {at.x, at.y};
    case Way::Left:
        return {-at.x, -at.y};
    case Way::Down:
        return {at.y, at.x};
    case Way::Up:
        return {-at.y, -at.x};
    }
    return {};
}

} // namespace

PlotTargets::PlotTargets(const PlotScene& scene)
    : m_scene(scene)
{
    if (scene.whole == nullptr)
        return;
    if (!scene.isEmpty())
        addMarks();
    addRest();
}

void PlotTargets::addMarks()
{
    const figures::Box plot = m_scene.layout.plot.grown(0.01);
    for (std::size_t i = 0; i < m_scene.whole->marks.size(); ++i)
        if (const figures::Pixel at = m_scene.at(m_scene.whole->marks[i]); plot.holds(at))
            m_marks.push_back({at, {TargetKind::Mark, i}});
}

void PlotTargets::addRest()
{
    const auto add = [this](TargetKind kind, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            m_rest.push_back({kind, i});
    };
    if (!m_scene.isEmpty()) {
        add(TargetKind::Bar, m_scene.layout.bars.size());
        for (std::size_t i = 0; i < m_scene.layout.rowTexts.size(); ++i)
            if (!(m_scene.whole->rowTexts[i].hover == figures::Hover{}))
                m_rest.push_back({TargetKind::RowText, i});
    }
    add(TargetKind::Strip, m_scene.layout.strip.size());
    if (!m_scene.isEmpty())
        add(TargetKind::Span, m_scene.layout.spans.size());
    std::erase_if(m_rest, [this](const Target& target) { return box(target).width <= 0; });
}

std::optional<Target> PlotTargets::boxAt(const QPointF& place) const
{
    std::optional<Target> found; // of nested spans the innermost
    for (const Target& target : m_rest)
        if (box(target).holds(figures::Pixel{place.x(), place.y()}) && (!found || target.kind == TargetKind::Span))
            found = target;
    return found;
}

QStringList PlotTargets::within(const QPolygonF& area) const
{
    QStringList trials;
    for (const Place& mark : m_marks)
        if (const QString trial = id(mark.target);
            !trial.isEmpty() && area.containsPoint(pointF(mark.at), Qt::OddEvenFill))
            trials.append(trial);
    trials.removeDuplicates();
    return trials;
}

std::optional<Target> PlotTargets::next(const std::optional<Target>& from, Way way) const
{
    std::vector<Place> places = m_marks;
    for (const Target& target : m_rest)
        places.push_back({box(target).centre(), target});
    const auto earlier = [way](const Place& a, const Place& b) {
        const auto x = order(a.at, way);
        const auto y = order(b.at, way);
        return x != y ? x < y : a.target.index < b.target.index;
    };
    std::sort(places.begin(), places.end(), earlier);
    const auto current =
        std::find_if(places.begin(), places.end(), [&](const Place& place) { return from && place.target == *from; });
    if (places.empty())
        return std::nullopt;
    if (current == places.end())
        return places.front().target;
    return std::next(current) == places.end() ? current->target : std::next(current)->target;
}

bool PlotTargets::isSeen(const Target& target) const
{
    if (m_scene.isEmpty())
        return target.kind == TargetKind::Strip;
    if (target.kind == TargetKind::Mark)
        return m_scene.layout.plot.grown(0.01).holds(m_scene.at(m_scene.whole->marks[target.index]));
    if (target.kind == TargetKind::RowText && m_scene.whole->rowTexts[target.index].hover == figures::Hover{})
        return false;
    return box(target).width > 0;
}

QString PlotTargets::id(const Target& target) const
{
    const figures::Figure& figure = *m_scene.whole;
    switch (target.kind) {
    case TargetKind::Mark:
        return QString::fromStdString(figure.marks[target.index].id);
    case TargetKind::Bar:
        return QString::fromStdString(figure.bars[target.index].id);
    case TargetKind::RowText:
        return QString::fromStdString(figure.rowTexts[target.index].id);
    case TargetKind::Strip:
        return QString::fromStdString(figure.strip[target.index].id);
    case TargetKind::Span:
        break;
    }
    return {};
}

const figures::Hover& PlotTargets::hover(const Target& target) const
{
    const figures::Figure& figure = *m_scene.whole;
    switch (target.kind) {
    case TargetKind::Mark:
        return figure.marks[target.index].hover;
    case TargetKind::Bar:
        return figure.bars[target.index].hover;
    case TargetKind::RowText:
        return figure.rowTexts[target.index].hover;
    case TargetKind::Strip:
        return figure.strip[target.index].hover;
    case TargetKind::Span:
        break;
    }
    return figure.spans[target.index].hover;
}

figures::Box PlotTargets::box(const Target& target) const
{
    const figures::FigureLayout& layout = m_scene.layout;
    switch (target.kind) {
    case TargetKind::Mark: {
        const figures::Mark& mark = m_scene.whole->marks[target.index];
        const figures::Pixel at = m_scene.at(mark);
        return figures::Box{at.x, at.y, 0, 0}.grown(PlotScene::reachOf(mark) + 3);
    }
    case TargetKind::Bar:
        return m_scene.barBox(target.index);
    case TargetKind::RowText:
        return layout.rowTexts[target.index].box();
    case TargetKind::Span:
        return m_scene.spanBox(target.index);
    case TargetKind::Strip:
        break;
    }
    const figures::PlacedStripEntry& entry = layout.strip[target.index];
    figures::Box box = figures::Box{entry.symbol.x, entry.symbol.y, 0, 0}.grown(8);
    for (const auto& text : {entry.label, entry.reason})
        if (text)
            box.width = std::max(box.width, text->box().right() - box.x);
    return box;
}

TrialIndex::TrialIndex(const figures::Figure& figure)
{
    const auto add = [this](TargetKind kind, const auto& things) {
        for (std::size_t i = 0; i < things.size(); ++i)
            if (!things[i].id.empty())
                m_targets.emplace(things[i].id, Target{kind, i});
    };
    add(TargetKind::Mark, figure.marks);
    add(TargetKind::Bar, figure.bars);
    add(TargetKind::RowText, figure.rowTexts);
    add(TargetKind::Strip, figure.strip);
}

std::vector<Target> TrialIndex::of(const QString& trial) const
{
    std::vector<Target> found;
    const auto [begin, end] = m_targets.equal_range(trial.toStdString());
    for (auto entry = begin; entry != end; ++entry)
        found.push_back(entry->second);
    return found;
}

} // namespace headroom::ui
