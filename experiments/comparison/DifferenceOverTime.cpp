// SPDX-License-Identifier: Apache-2.0
#include "experiments/comparison/DifferenceOverTime.h"

#include "experiments/comparison/DifferenceFold.h"
#include "experiments/figures/memory/PhaseSpans.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::experiments {
namespace {

constexpr std::int64_t kEventsInPiece = 2'000'000; ///< of both: 32 bytes each
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

figures::SharedTime timeOfB(const RunTimeline& a, const RunTimeline& b, figures::Alignment alignment)
{
    if (alignment == figures::Alignment::Share)
        return figures::sharedByLength(b.lengthNs, a.lengthNs);
    return figures::sharedTime(b.phases, a.phases, alignment).value_or(figures::SharedTime());
}

/// The points of a piece of one run, one by one.
struct PieceOfRun {
    std::vector<CurvePoint> points; ///< in common time
    std::size_t next = 0;

    std::int64_t nextNs() const { return next < points.size() ? points[next].timeNs : kNever; }
};

// Neither rounding may lose what lies at an end of the trace.
figures::TimeWindow windowOfB(const RunTimeline& b, const figures::SharedTime& time, const figures::TimeWindow& common,
    const DifferenceFold& fold)
{
    figures::TimeWindow own = time.own(common);
    if (common.beginNs == fold.window().beginNs)
        own.beginNs = std::min<std::int64_t>(own.beginNs, 0);
    if (common.endNs == fold.window().endNs)
        own.endNs = std::max(own.endNs, b.lengthNs);
    return own;
}

PieceOfRun pieceOfB(const RunTimeline& b, const figures::SharedTime& time, const figures::TimeWindow& common,
    const DifferenceFold& fold)
{
    PieceOfRun piece{b.points(windowOfB(b, time, common, fold))};
    for (CurvePoint& point : piece.points)
        point.timeNs = std::clamp(time.of(point.timeNs), common.beginNs, common.endNs - 1);
    return piece;
}

// Several points of b may come to lie at one common time.
template <typename Set> void applyAt(PieceOfRun& piece, std::int64_t ns, const Set& set)
{
    for (; piece.nextNs() == ns; ++piece.next)
        set(piece.points[piece.next]);
}

void foldPiece(DifferenceFold& fold, PieceOfRun a, PieceOfRun b, std::span<const std::int64_t> boundaries,
    std::size_t& boundary, std::int64_t endNs)
{
    while (true) {
        const std::int64_t boundaryNs = boundary < boundaries.size() ? boundaries[boundary] : kNever;
        const std::int64_t ns = std::min({a.nextNs(), b.nextNs(), boundaryNs, endNs});
        fold.advance(ns);
        if (ns == endNs)
            return;
        applyAt(a, ns, [&](const CurvePoint& point) { fold.setA(point); });
        applyAt(b, ns, [&](const CurvePoint& point) { fold.setB(point); });
        boundary += boundaryNs == ns ? 1 : 0;
    }
}

std::string phaseTitleAt(const std::vector<trace::PhaseSpan>& phases, std::int64_t ns)
{
    const trace::PhaseSpan* const phase = trace::phaseAt(phases, ns);
    return phase == nullptr ? std::string() : figures::phaseTitle(*phase);
}

} // namespace

Bytes DifferencePart::average() const
{
    return lengthNs == 0 ? 0 : static_cast<Bytes>(std::llround(byteNs / static_cast<double>(lengthNs)));
}

bool canAlign(const RunTimeline& a, const RunTimeline& b, figures::Alignment alignment)
{
    return alignment == figures::Alignment::Share || figures::sharedTime(b.phases, a.phases, alignment).has_value();
}

figures::Alignment bestAlignment(const RunTimeline& a, const RunTimeline& b)
{
    for (const figures::Alignment alignment : {figures::Alignment::Stretched, figures::Alignment::Steps})
        if (canAlign(a, b, alignment))
            return alignment;
    return figures::Alignment::Start;
}

DifferenceOverTime differenceOverTime(
    const RunTimeline& a, const RunTimeline& b, figures::Alignment alignment, std::size_t stretches)
{
    const figures::SharedTime time = timeOfB(a, b, alignment);
    DifferenceFold fold({0, a.lengthNs}, time.of({0, b.lengthNs}), time, a.phases, stretches);
    const std::vector<std::int64_t> boundaries = fold.boundaries();
    const auto pieces = 1 + (a.events + b.events) / kEventsInPiece;
    std::size_t boundary = 0;
    for (std::int64_t i = 0; i < pieces; ++i) {
        const std::int64_t lengthNs = fold.window().lengthNs();
        const std::int64_t beginNs = fold.window().beginNs + lengthNs / pieces * i;
        const std::int64_t endNs = i + 1 == pieces ? fold.window().endNs : beginNs + lengthNs / pieces;
        if (endNs > beginNs)
            foldPiece(fold, {a.points({beginNs, endNs})}, pieceOfB(b, time, {beginNs, endNs}, fold), boundaries,
                boundary, endNs);
    }
    DifferenceOverTime result;
    result.alignment = alignment;
    result.phases = a.phases;
    result.peakA = a.peak;
    result.peakB = {b.peak.bytes, time.of(b.peak.timeNs)};
    result.peakPhaseA = phaseTitleAt(a.phases, a.peak.timeNs);
    result.peakPhaseB = phaseTitleAt(b.phases, b.peak.timeNs);
    fold.moveInto(result);
    return result;
}

} // namespace headroom::experiments
