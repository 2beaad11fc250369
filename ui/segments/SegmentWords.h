// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/segments/SegmentMoment.h"

#include <QString>

namespace headroom::ui {

/// "saved activations, model.layers.3.mlp, train.py:31 step": what, of which part, allocated where, as far as known.
QString ownerText(const trace::MemoryOwner& owner);

/// "since 12.3 ms, forward, step 2"; "from before the recording".
QString sinceText(const SegmentTrace& trace, std::int64_t storedNs);

/// The block that keeps a segment alive: of its blocks the one that has been held longest. Null if it has none.
const trace::HeldBlock* keeperOf(const SegmentMoment& moment, std::size_t segment);

/// How large it is, what is free in it, and who keeps it from being given back.
QString segmentSentence(const SegmentMoment& moment, std::size_t segment);

/// What lies at an offset within a segment: a block with its owner, or a gap.
QString placeText(const SegmentMoment& moment, std::size_t segment, Bytes within);

/// "After event 12,345 of 45,678, at 1.23 s in forward, step 2: allocated 16 MiB for …".
QString momentSentence(const SegmentMoment& moment);

} // namespace headroom::ui
