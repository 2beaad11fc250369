// SPDX-License-Identifier: Apache-2.0
#include "ui/segments/SegmentWords.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "experiments/figures/memory/PhaseSpans.h"
#include "profiling/trace/FrameText.h"

#include <QStringList>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr std::size_t kFrameLettersOfWords = 60;

QString sizeOf(Bytes bytes)
{
    return QString::fromStdString(sizeText(bytes));
}

QString blocksText(std::size_t blocks)
{
    return QString::fromStdString(counted(static_cast<std::int64_t>(blocks), "block"));
}

QString timeAt(const SegmentTrace& trace, std::int64_t storedNs)
{
    const std::int64_t timeNs = storedNs - trace.originNs;
    const trace::PhaseSpan* phase = trace::phaseAt(trace.phases, timeNs);
    return QString::fromStdString(
        timeText(timeNs) + (phase != nullptr ? ", " + figures::phaseTitle(*phase) : std::string()));
}

QString actionText(trace::Action action)
{
    switch (action) {
    case trace::Action::Alloc:
        return QStringLiteral("allocated");
    case trace::Action::FreeRequested:
        return QStringLiteral("gave back");
    case trace::Action::FreeCompleted:
        return QStringLiteral("was done with");
    case trace::Action::SegmentAlloc:
        return QStringLiteral("took a segment of");
    case trace::Action::SegmentFree:
        return QStringLiteral("gave the device back a segment of");
    case trace::Action::SegmentMap:
        return QStringLiteral("mapped");
    case trace::Action::SegmentUnmap:
        return QStringLiteral("unmapped");
    case trace::Action::OutOfMemory:
        return QStringLiteral("ran out of memory for");
    case trace::Action::Relabelled:
        return QStringLiteral("found the owner of");
    }
    return {};
}

bool isOfSegment(trace::Action action)
{
    return action >= trace::Action::SegmentAlloc && action <= trace::Action::SegmentUnmap;
}

QString keepersText(const SegmentMoment& moment, std::size_t segment)
{
    const trace::SegmentUse& use = moment.uses[segment];
    const trace::HeldBlock& oldest = *keeperOf(moment, segment);
    const QString owner = ownerText(moment.trace->owners.of(oldest.owner));
    const QString since = sinceText(*moment.trace, oldest.sinceNs);
    const Bytes held = use.allocatedBytes + use.pendingBytes;
    if (use.blocks == 1)
        return QStringLiteral("One block of %1 keeps it: %2, %3.").arg(sizeOf(held), owner, since);
    return QStringLiteral("%1 (%2) keep it; the one held longest has %3: %4, %5.")
        .arg(blocksText(use.blocks), sizeOf(held), sizeOf(oldest.bytes), owner, since);
}

} // namespace

QString ownerText(const trace::MemoryOwner& owner)
{
    QStringList words{QString::fromStdString(midSentence(std::string(config::titleOf(owner.category))))};
    if (!owner.module.empty())
        words.append(QString::fromStdString(owner.module));
    if (!owner.source.empty())
        words.append(QString::fromStdString(owner.source));
    if (!owner.frames.empty())
        words.append(
            QString::fromStdString(trace::shortFrame(trace::innermostFrame(owner.frames), kFrameLettersOfWords)));
    return words.join(QStringLiteral(", "));
}

QString sinceText(const SegmentTrace& trace, std::int64_t storedNs)
{
    return storedNs < 0 ? QStringLiteral("from before the recording")
                        : QStringLiteral("since %1").arg(timeAt(trace, storedNs));
}

const trace::HeldBlock* keeperOf(const SegmentMoment& moment, std::size_t segment)
{
    const auto blocks = moment.state.blocksIn(moment.state.segments.at(segment));
    const auto oldest = std::ranges::min_element(blocks, {}, &trace::HeldBlock::sinceNs);
    return oldest == blocks.end() ? nullptr : &*oldest;
}

QString segmentSentence(const SegmentMoment& moment, std::size_t segment)
{
    const trace::HeldSegment& held = moment.state.segments.at(segment);
    const trace::SegmentUse& use = moment.uses.at(segment);
    const QString what = held.isExpandable ? QStringLiteral("Expandable segment") : QStringLiteral("Segment");
    if (use.isReleasable())
        return QStringLiteral("%1 of %2, wholly free: a flush of the cache gives it back.")
            .arg(what, sizeOf(held.bytes));
    if (use.freeBytes == 0)
        return QStringLiteral("%1 of %2, without a gap. %3")
            .arg(what, sizeOf(held.bytes), keepersText(moment, segment));
    const QString gaps = use.gaps.size() == 1
        ? QStringLiteral("in one gap")
        : QStringLiteral("in %1 gaps, the largest of %2").arg(use.gaps.size()).arg(sizeOf(use.largestGapBytes));
    return QStringLiteral("%1 of %2: %3 (%4) are free %5. %6")
        .arg(what, sizeOf(held.bytes), sizeOf(use.freeBytes),
            QString::fromStdString(shareText(use.freeBytes, held.bytes)), gaps, keepersText(moment, segment));
}

QString placeText(const SegmentMoment& moment, std::size_t segment, Bytes within)
{
    const trace::HeldSegment& held = moment.state.segments.at(segment);
    const std::uint64_t address = held.address + static_cast<std::uint64_t>(within);
    for (const trace::HeldBlock& block : moment.state.blocksIn(held))
        if (address >= block.address && address < block.end())
            return QStringLiteral("%1%2\n%3\n%4")
                .arg(sizeOf(block.bytes),
                    block.isPending ? QStringLiteral(", given back, but a stream uses it") : QString(),
                    ownerText(moment.trace->owners.of(block.owner)), sinceText(*moment.trace, block.sinceNs));
    for (const trace::Gap& gap : moment.uses.at(segment).gaps)
        if (address >= gap.address && address < gap.address + static_cast<std::uint64_t>(gap.bytes))
            return QStringLiteral("%1 free").arg(sizeOf(gap.bytes));
    return {};
}

QString momentSentence(const SegmentMoment& moment)
{
    if (!moment.event)
        return QStringLiteral("Before the first event.");
    const trace::AllocatorEvent& event = *moment.event;
    QString text =
        QStringLiteral("Event %1 of %2, %3: %4 %5")
            .arg(QString::fromStdString(grouped(static_cast<std::int64_t>(moment.state.events))),
                QString::fromStdString(grouped(static_cast<std::int64_t>(moment.trace->events))),
                event.timeNs < 0 ? QStringLiteral("before the recording") : timeAt(*moment.trace, event.timeNs),
                actionText(event.action), QString::fromStdString(requestSizeText(event.bytes)));
    if (!isOfSegment(event.action))
        text += QStringLiteral(" (%1)").arg(ownerText(moment.trace->owners.of(event.owner)));
    return text + QLatin1Char('.');
}

} // namespace headroom::ui
