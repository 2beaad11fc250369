// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/fill/EdgeSearch.h"

#include <gmock/gmock.h>

#include <random>
#include <set>
#include <vector>

namespace headroom::experiments::edge_search_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Le;
using testing::SizeIs;
using Answer = EdgeProbe::Answer;
using End = Edge::End;
using Limits = EdgeSearch::Limits;

/// Values offset + k * step from `least` to `most`.
EdgeValues values(std::int64_t least, std::int64_t most, std::int64_t step = 1)
{
    return {[=](std::int64_t value) -> std::optional<std::int64_t> {
                if (value < least)
                    return std::nullopt;
                return least + (std::min(value, most) - least) / step * step;
            },
        [=](std::int64_t value) -> std::optional<std::int64_t> {
            const std::int64_t next = value < least ? least : least + ((value - least) / step + 1) * step;
            return next <= most ? std::optional(next) : std::nullopt;
        }};
}

/// What needs `bytesOf(value)` on a device of `budget` bytes; remembers what it was asked.
class Device {
public:
    Device(Bytes budget, std::function<Bytes(std::int64_t)> bytesOf)
        : m_budget(budget)
        , m_bytesOf(std::move(bytesOf))
    {
    }

    EdgeProbe operator()(std::int64_t value)
    {
        asked.push_back(value);
        const Bytes needed = m_bytesOf(value);
        return needed <= m_budget ? EdgeProbe{Answer::Fits, needed} : EdgeProbe{Answer::Fails};
    }

    Edge fill(EdgeValues of, std::int64_t start, bool endsWithoutGrowth = false)
    {
        return EdgeSearch(
            std::move(of), [this](std::int64_t value) { return (*this)(value); }, Limits{m_budget, endsWithoutGrowth})
            .run(start);
    }

    std::vector<std::int64_t> asked;

private:
    Bytes m_budget;
    std::function<Bytes(std::int64_t)> m_bytesOf;
};

TEST(EdgeSearchTest, findsTheEdgeOfALineInAFewQuestions)
{
    Device device(10'000, [](std::int64_t batch) { return 1'000 + 37 * batch; });
    const Edge edge = device.fill(values(1, 65536), 1);
    EXPECT_EQ(edge.end, End::Found);
    EXPECT_EQ(edge.value, 243);
    EXPECT_EQ(edge.next, 244);
    EXPECT_THAT(device.asked, SizeIs(Le(3 + EdgeSearch::kLookBehind + 1)));
    EXPECT_EQ(edge.probes, device.asked.size());
}

TEST(EdgeSearchTest, nothingIsAskedTwice)
{
    Device device(10'000, [](std::int64_t batch) { return batch * batch; });
    device.fill(values(1, 65536), 7);
    EXPECT_EQ(std::set(device.asked.begin(), device.asked.end()).size(), device.asked.size());
}

TEST(EdgeSearchTest, stepsByTheValuesThatWork)
{
    Device device(100, [](std::int64_t frames) { return frames; });
    const Edge edge = device.fill(values(1, 65536, 8), 81); // 8k + 1
    EXPECT_EQ(edge.value, 97);
    EXPECT_EQ(edge.next, 105);
    for (const std::int64_t value : device.asked)
        EXPECT_EQ(value % 8, 1);
}

TEST(EdgeSearchTest, goesDownFromAValueThatDoesNotFit)
{
    Device device(5, [](std::int64_t batch) { return batch; });
    const Edge edge = device.fill(values(1, 65536), 1000);
    EXPECT_EQ(edge.value, 5);
    EXPECT_EQ(edge.next, 6);
}

TEST(EdgeSearchTest, saysThatNotEvenTheLeastFits)
{
    Device device(5, [](std::int64_t batch) { return batch + 10; });
    const Edge edge = device.fill(values(3, 65536), 64);
    EXPECT_EQ(edge.end, End::NothingFits);
    EXPECT_EQ(edge.value, std::nullopt);
    EXPECT_EQ(edge.next, 3);
}

TEST(EdgeSearchTest, endsAtTheLargestValueThereIs)
{
    Device device(1'000'000, [](std::int64_t batch) { return batch; });
    const Edge edge = device.fill(values(1, 4096), 1);
    EXPECT_EQ(edge.end, End::LargestFits);
    EXPECT_EQ(edge.value, 4096);
    EXPECT_EQ(edge.next, std::nullopt);
}

TEST(EdgeSearchTest, aCountThatTakesNoMemoryEndsEarly)
{
    Device device(1'000'000, [](std::int64_t steps) { return steps > 1 ? 200 : 100; });
    const Edge edge = device.fill(values(1, 1'000'000), 1, true);
    EXPECT_EQ(edge.end, End::Unaffected);
    EXPECT_THAT(device.asked, ElementsAre(1, 2, 4, 8, 16, 32));
}

TEST(EdgeSearchTest, aSizeThatTakesNoMemoryAtFirstIsFollowed)
{
    // The optimizer's peak hides that of the activations.
    Device device(10'000, [](std::int64_t batch) { return std::max<Bytes>(5'000, 10 * batch); });
    EXPECT_EQ(device.fill(values(1, 65536), 1).value, 1'000);
}

TEST(EdgeSearchTest, oneValueThatFitsBehindTheEdgeIsFound)
{
    // 12 alone is too large: an allocator's reserved bytes go up and down.
    Device device(100, [](std::int64_t batch) {
        return batch == 12 || batch == 15 ? 101 : batch > 17 ? 200 : 6 * batch;
    });
    Device jagged(100, [](std::int64_t batch) { return batch == 12 ? 101 : batch > 14 ? 200 : 7 * batch; });
    const Edge edge = jagged.fill(values(1, 100), 11);
    EXPECT_EQ(edge.value, 14);
    EXPECT_EQ(edge.next, 15);
    EXPECT_EQ(device.fill(values(1, 100), 1).value, 16);
}

TEST(EdgeSearchTest, anAnswerThatIsNotKnownEndsItWithWhatFits)
{
    const auto ask = [](std::int64_t value) {
        return value >= 8 ? EdgeProbe{} : EdgeProbe{Answer::Fits, std::nullopt};
    };
    const Edge edge = EdgeSearch(values(1, 100), ask, {1'000, false}).run(1);
    EXPECT_EQ(edge.end, End::Interrupted);
    EXPECT_EQ(edge.value, 4);
    EXPECT_EQ(edge.next, std::nullopt);
}

// Needs that rise by pieces, flat and steep ones, over values of any granularity.
TEST(EdgeSearchTest, isExactOnRandomNeeds)
{
    std::mt19937 random(23);
    const auto below = [&](std::int64_t count) { return std::int64_t(random() % std::uint64_t(count)); };
    for (int i = 0; i < 2'000; ++i) {
        const std::int64_t least = 1 + below(9), step = 1 + below(32), most = least + step * (1 + below(500));
        const EdgeValues of = values(least, most, step);
        std::map<std::int64_t, Bytes> needs;
        Bytes need = below(1'000);
        for (std::int64_t value = least; value <= most; value += step)
            needs[value] = need += below(4) == 0 ? 0 : below(below(10) == 0 ? 500 : 20);
        const Bytes budget = below(2 * need + 1);
        Device device(budget, [&](std::int64_t value) { return needs.at(value); });
        const Edge edge = device.fill(of, below(2 * most + 2));
        const auto last = std::find_if(needs.begin(), needs.end(), [&](const auto& n) { return n.second > budget; });
        const std::optional<std::int64_t> next = last == needs.end() ? std::nullopt : std::optional(last->first);
        const auto value = last == needs.begin() ? std::nullopt : std::optional(std::prev(last)->first);
        ASSERT_EQ(edge.value, value) << i;
        ASSERT_EQ(edge.next, next) << i;
        ASSERT_LE(edge.probes, 32U) << i;
    }
}

// Whatever goes up and down: what is said holds for the values themselves.
TEST(EdgeSearchTest, isTrueOfWhatItSaysOnNeedsThatAreNotMonotone)
{
    std::mt19937 random(29);
    for (int i = 0; i < 2'000; ++i) {
        std::vector<Bytes> needs;
        for (Bytes value = 0; value < 200; ++value)
            needs.push_back(10 * value + Bytes(random() % 60));
        const Bytes budget = Bytes(random() % 2'000);
        Device device(budget, [&](std::int64_t value) { return needs.at(std::size_t(value)); });
        const Edge edge = device.fill(values(1, 199), 1 + std::int64_t(random() % 199));
        if (edge.value) {
            ASSERT_LE(needs.at(std::size_t(*edge.value)), budget);
        }
        if (!edge.next)
            continue;
        ASSERT_EQ(*edge.next, edge.value.value_or(0) + 1);
        for (std::int64_t behind = *edge.next;
            edge.value && behind < *edge.next + EdgeSearch::kLookBehind && behind < 200; ++behind) {
            ASSERT_GT(needs.at(std::size_t(behind)), budget) << i;
            ASSERT_THAT(device.asked, Contains(behind));
        }
    }
}

} // namespace
} // namespace headroom::experiments::edge_search_test
