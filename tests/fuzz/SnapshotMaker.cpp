// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/SnapshotMaker.h"

#include "tests/fuzz/PickleText.h"

#include <array>

namespace headroom {

using namespace pickled;

SnapshotMaker::SnapshotMaker(std::uint32_t seed)
    : m_random(seed)
{
}

std::string SnapshotMaker::make()
{
    return file(dict({{"segments", listOf(&SnapshotMaker::segment, 3)},
        {"device_traces",
            list(listOf(&SnapshotMaker::entry, 12) + (once(2) ? listOf(&SnapshotMaker::entry, 4) : named()))},
        {"external_annotations", listOf(&SnapshotMaker::annotation, 4)}}));
}

std::string SnapshotMaker::segment()
{
    const std::string remembered = next();
    return dict(
        {{"address", number()}, {"total_size", number()}, {"device", integer(once(8) ? 1 : 0)},
            {"stream", integer(static_cast<std::int64_t>(upTo(2)))}, {"segment_type", text("large")},
            {"is_expandable", once(4) ? "\x88" : "\x89"}, {"segment_pool_id", list(number() + number(), next())},
            {"blocks", listOf(&SnapshotMaker::block, 4)}},
        remembered);
}

std::string SnapshotMaker::block()
{
    const std::string remembered = next();
    return dict({{"address", number()}, {"size", number()}, {"requested_size", number()}, {"state", word()},
                    {"frames", listOf(&SnapshotMaker::frame, 3)}},
        remembered);
}

std::string SnapshotMaker::entry()
{
    const std::string remembered = next();
    return dict({{"action", word()}, {"addr", number()}, {"size", number()}, {"stream", integer(0)},
                    {"time_us", number()}, {"frames", listOf(&SnapshotMaker::frame, 3)}, {"user_metadata", notes()},
                    {"category", once(3) ? word() : "N"}},
        remembered);
}

std::string SnapshotMaker::frame()
{
    const std::string remembered = next();
    return dict({{"name", word()}, {"filename", word()}, {"line", number()}}, remembered);
}

std::string SnapshotMaker::annotation()
{
    const std::string remembered = next();
    return dict({{"stage", text(once(2) ? "START" : "END")}, {"name", word()}, {"time_us", number()}}, remembered);
}

std::string SnapshotMaker::notes()
{
    if (once(2))
        return once(2) ? named() : word();
    const std::string remembered = next();
    return dict({{"category", word()}, {"module", word()}}, remembered);
}

std::string SnapshotMaker::listOf(std::string (SnapshotMaker::*one)(), std::size_t most)
{
    if (once(12))
        return named();
    const std::string remembered = next();
    std::string items;
    for (std::size_t count = upTo(most); count > 0; --count)
        items += once(8) ? named() : (this->*one)();
    return list(items, remembered);
}

// Sizes and addresses that fit to each other now and then.
std::string SnapshotMaker::number()
{
    static constexpr std::array<std::int64_t, 8> kNumbers{
        0, 512, 2 << 20, 20 << 20, 0x7F1200000000, 0x7F1200000000 + (2 << 20), -1, INT64_MAX};
    return integer(kNumbers[upTo(kNumbers.size() - 1)]);
}

std::string SnapshotMaker::word()
{
    static constexpr std::array kWords{"alloc", "alloc", "free_requested", "free_completed", "segment_alloc",
        "segment_free", "segment_map", "oom", "active_allocated", "inactive", "weights", "activation", "backward",
        "torch/_tensor.py"};
    return text(kWords[upTo(kWords.size() - 1)]);
}

std::string SnapshotMaker::named()
{
    return m_named == 0 ? "N" : recall(static_cast<std::uint32_t>(upTo(m_named - 1)));
}

std::string SnapshotMaker::next()
{
    return remember(m_named++);
}

std::size_t SnapshotMaker::upTo(std::size_t most)
{
    return m_random() % (most + 1);
}

} // namespace headroom
