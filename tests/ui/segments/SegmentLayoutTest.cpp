// SPDX-License-Identifier: Apache-2.0
#include "ui/segments/SegmentLayout.h"

#include "tests/ui/UiTest.h"

#include <cmath>
#include <random>

namespace headroom::ui {
namespace {

struct Laid {
    trace::SegmentState state;
    std::vector<trace::SegmentUse> uses;
};

// Each with one block at its begin, of a third of it.
Laid laidOut(const std::vector<Bytes>& sizes)
{
    Laid laid;
    std::uint64_t address = 1 << 20;
    for (const Bytes bytes : sizes) {
        laid.state.segments.push_back({address, bytes, 0, 0, false});
        laid.state.blocks.push_back({.address = address, .bytes = bytes / 3});
        address += static_cast<std::uint64_t>(bytes) + kMiB;
    }
    for (const trace::HeldSegment& segment : laid.state.segments)
        laid.uses.push_back(laid.state.useOf(segment));
    return laid;
}

} // namespace

class SegmentLayoutTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void everyByteHasItsPlaceOnceAndToScale()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 50; ++round) {
            std::vector<Bytes> sizes;
            for (unsigned i = 0; i < 1 + random() % 300; ++i)
                sizes.push_back((1 + static_cast<Bytes>(random() % 64)) * 2 * kMiB << (random() % 5));
            const Laid laid = laidOut(sizes);
            const double zoom = round % 3 == 0 ? 4 : 1;
            const SegmentLayout layout(laid.state, laid.uses, SegmentOrder::Address, QSizeF(700, 400), zoom);
            std::vector<Bytes> placed(sizes.size());
            for (const SegmentPiece& piece : layout.pieces()) {
                QCOMPARE(piece.begin, placed[piece.segment]);
                placed[piece.segment] += piece.bytes;
                QVERIFY(piece.box.left() >= 0 && piece.box.right() <= 700.001);
                const double expected = static_cast<double>(piece.bytes) / layout.bytesPerPx();
                QVERIFY(std::abs(piece.box.width() - std::max(SegmentLayout::kLeastPx, expected)) < 1.01
                    || piece.begin > 0);
            }
            QVERIFY(placed == sizes);
            for (std::size_t i = 1; i < layout.pieces().size(); ++i) {
                const QRectF& a = layout.pieces()[i - 1].box;
                const QRectF& b = layout.pieces()[i].box;
                QVERIFY(b.top() > a.top() || b.left() >= a.right());
            }
            if (zoom == 1)
                QVERIFY2(layout.height() <= 400, "all of it is seen");
        }
    }

    void whatFitsIntoARowIsNotBroken()
    {
        const Laid laid = laidOut({100 * kMiB, 60 * kMiB, 60 * kMiB, 60 * kMiB, 900 * kMiB, 2 * kMiB});
        const SegmentLayout layout(laid.state, laid.uses, SegmentOrder::Address, QSizeF(500, 105), 1);
        std::map<std::size_t, int> pieces;
        for (const SegmentPiece& piece : layout.pieces())
            ++pieces[piece.segment];
        for (const auto& [segment, count] : pieces)
            QVERIFY(count == 1 || static_cast<double>(laid.state.segments[segment].bytes) / layout.bytesPerPx() > 500);
    }

    void ordersPutTheirFirstFirst()
    {
        Laid laid = laidOut({2 * kMiB, 200 * kMiB, 20 * kMiB});
        laid.state.blocks[1].bytes = 200 * kMiB; // without a gap
        laid.uses[1] = laid.state.useOf(laid.state.segments[1]);
        const auto first = [&](SegmentOrder order) {
            return SegmentLayout(laid.state, laid.uses, order, QSizeF(500, 300), 1).order().front();
        };
        QCOMPARE(first(SegmentOrder::Address), std::size_t(0));
        QCOMPARE(first(SegmentOrder::Size), std::size_t(1));
        QCOMPARE(first(SegmentOrder::Stuck), std::size_t(2));
    }

    void aPlaceIsFoundAgain()
    {
        const Laid laid = laidOut({100 * kMiB, 60 * kMiB, 900 * kMiB});
        const SegmentLayout layout(laid.state, laid.uses, SegmentOrder::Address, QSizeF(500, 200), 1);
        for (const SegmentPiece& piece : layout.pieces())
            QCOMPARE(layout.at(piece.box.center())->segment, piece.segment);
        QVERIFY(layout.at({250, 10'000}) == nullptr);
        QVERIFY(SegmentLayout().at({1, 1}) == nullptr);
        QVERIFY(SegmentLayout({}, {}, SegmentOrder::Address, QSizeF(500, 200), 1).pieces().empty());
    }
};

HEADROOM_UI_TEST(SegmentLayoutTest)

} // namespace headroom::ui

#include "SegmentLayoutTest.moc"
