// SPDX-License-Identifier: Apache-2.0
//
// The search of a plan against a look at every combination, in random spaces.
#include "experiments/plan/PlanSearch.h"

#include "experiments/plan/FitRanking.h"

#include <gmock/gmock.h>

#include <random>

namespace headroom::experiments::plan_search_test {
namespace {

using End = PlanFindings::End;

/// A space whose settings have a level of memory and one of time, by which some of the orders are known to the search.
/// Figures grow with the levels, alone and together; what is needed exceeds what is allocated by a random share, as
/// fragmentation does.
class RandomSpace {
public:
    explicit RandomSpace(std::uint32_t seed, int mostSettings = 4)
        : m_random(seed)
    {
        const int axes = 2 + below(3);
        for (int axis = 0; axis < axes; ++axis)
            addAxis(2 + below(mostSettings - 1));
        std::size_t size = 1;
        for (const PlanAxis& axis : m_axes.axes)
            size *= axis.settings.size();
        for (std::size_t i = 0; i < size; ++i)
            m_waste.push_back(1 + 0.05 * share());
    }

    const PlanAxes& axes() const { return m_axes; }
    std::size_t size() const { return m_waste.size(); }

    PlanPoint pointOf(std::size_t index) const
    {
        PlanPoint point;
        for (const PlanAxis& axis : m_axes.axes) {
            point.push_back(index % axis.settings.size());
            index /= axis.settings.size();
        }
        return point;
    }

    PlanFigures figures(const PlanPoint& point) const
    {
        double memory = 1e6;
        double memories = 1;
        double time = 1;
        double times = 1;
        std::size_t index = 0;
        std::size_t stride = 1;
        for (std::size_t axis = 0; axis < point.size(); ++axis) {
            memory += 1e6 * m_memory[axis][point[axis]];
            memories *= 1 + m_memory[axis][point[axis]];
            time += m_time[axis][point[axis]];
            times *= 1 + m_time[axis][point[axis]];
            index += point[axis] * stride;
            stride *= m_axes.axes[axis].settings.size();
        }
        const double allocated = memory + 1e6 * memories;
        return {static_cast<Bytes>(allocated * m_waste[index]), static_cast<Bytes>(allocated), time + times};
    }

    std::vector<std::optional<PlanFigures>> predict(const std::vector<PlanPoint>& points)
    {
        m_predicted += points.size();
        std::vector<std::optional<PlanFigures>> found;
        for (const PlanPoint& point : points)
            found.push_back(figures(point));
        return found;
    }

    std::size_t predicted() const { return m_predicted; }

    // A size that a part of the combinations fits in.
    Bytes someCapacity()
    {
        std::vector<Bytes> sizes;
        for (std::size_t i = 0; i < size(); ++i)
            sizes.push_back(figures(pointOf(i)).bytes);
        std::ranges::sort(sizes);
        return sizes[static_cast<std::size_t>(below(static_cast<int>(sizes.size())))];
    }

    std::optional<PlanFigures> fastest(Bytes capacity) const
    {
        std::optional<PlanFigures> best;
        for (std::size_t i = 0; i < size(); ++i)
            if (const PlanFigures found = figures(pointOf(i));
                found.bytes <= capacity && (!best || found.seconds < best->seconds))
                best = found;
        return best;
    }

    Bytes leastMemory(Bytes capacity, double seconds) const
    {
        Bytes least = capacity;
        for (std::size_t i = 0; i < size(); ++i)
            if (const PlanFigures found = figures(pointOf(i)); found.seconds <= seconds)
                least = std::min(least, found.bytes);
        return least;
    }

private:
    int below(int end) { return static_cast<int>(m_random() % static_cast<std::uint32_t>(end)); }
    double share() { return static_cast<double>(m_random() % 1000) / 1000; }

    void addAxis(int settings)
    {
        PlanAxis axis{.key = "axis"};
        m_memory.emplace_back();
        m_time.emplace_back();
        for (int i = 0; i < settings; ++i) {
            axis.settings.push_back({{}, i, below(2) == 0 ? "a" : "b", share()});
            m_memory.back().push_back(3 * share());
            m_time.back().push_back(3 * share());
        }
        axis.memory = SettingOrder(axis.settings.size());
        axis.time = SettingOrder(axis.settings.size());
        for (std::size_t a = 0; a < axis.settings.size(); ++a)
            for (std::size_t b = 0; b < axis.settings.size(); ++b) {
                if (m_memory.back()[a] <= m_memory.back()[b] && below(3) > 0)
                    axis.memory.add(a, b);
                if (m_time.back()[a] <= m_time.back()[b] && below(3) > 0)
                    axis.time.add(a, b);
            }
        m_axes.axes.push_back(std::move(axis));
    }

    std::mt19937 m_random;
    PlanAxes m_axes;
    std::vector<std::vector<double>> m_memory;
    std::vector<std::vector<double>> m_time;
    std::vector<double> m_waste;
    std::size_t m_predicted = 0;
};

PlanFindings searched(RandomSpace& space, const PlanQuestion& question)
{
    return PlanSearch(space.axes(), [&](const std::vector<PlanPoint>& points) {
        return space.predict(points);
    }).run(question);
}

TEST(PlanSearchTest, isNeverWorseThanALookAtAllCombinations)
{
    std::size_t combinations = 0;
    std::size_t predictions = 0;
    int nothing = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        RandomSpace space(seed);
        const Bytes capacity = space.someCapacity() - (seed % 25 == 0 ? 100'000'000 : 0);
        const PlanFindings found = searched(space, {capacity, 0.05, 10'000});
        const auto best = space.fastest(capacity);
        ASSERT_EQ(found.answer.has_value(), best.has_value()) << "seed " << seed;
        EXPECT_EQ(found.end, End::Exhausted);
        EXPECT_EQ(found.combinations, space.size());
        EXPECT_EQ(found.considered, space.size());
        EXPECT_EQ(found.predictions, space.predicted());
        EXPECT_EQ(found.timeDisorder, 0);
        EXPECT_EQ(found.memoryDisorder, 0);
        combinations += space.size();
        predictions += found.predictions;
        if (!best) {
            ++nothing;
            EXPECT_FALSE(found.provenGap);
            continue;
        }
        const PlanFigures answer = space.figures(*found.answer);
        EXPECT_LE(answer.bytes, capacity);
        EXPECT_LE(answer.seconds, best->seconds * (1 + kSameSpeed)) << "seed " << seed;
        EXPECT_NEAR(*found.provenGap, 1 - best->seconds / answer.seconds, 1e-9) << "seed " << seed;
        const PlanFigures least = space.figures(*found.leastMemory);
        EXPECT_LE(least.seconds, answer.seconds * 1.05 * (1 + 1e-12));
        EXPECT_LE(static_cast<double>(least.bytes),
            static_cast<double>(space.leastMemory(capacity, answer.seconds * 1.05)) * (1 + kSameSpeed))
            << "seed " << seed;
    }
    EXPECT_GT(nothing, 5);
    EXPECT_LT(predictions, combinations); // bounds cut something off
}

TEST(PlanSearchTest, theGapThatIsProvenIsNeverTooSmall)
{
    int open = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        RandomSpace space(seed, 6);
        const Bytes capacity = space.someCapacity();
        const PlanFindings found = searched(space, {capacity, 0.05, 12});
        EXPECT_LE(found.predictions, 12 + PlanSearch::kBatch);
        if (!found.answer)
            continue;
        open += found.end == End::OutOfEffort ? 1 : 0;
        const double answer = space.figures(*found.answer).seconds;
        EXPECT_GE(space.fastest(capacity)->seconds, answer * (1 - *found.provenGap) * (1 - 1e-12)) << "seed " << seed;
    }
    EXPECT_GT(open, 10);
}

TEST(PlanSearchTest, nothingOnTheFrontIsBeatenByAnythingElseThatWasPredicted)
{
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        RandomSpace space(seed);
        const Bytes capacity = space.someCapacity();
        const PlanFindings found = searched(space, {capacity, 0.05, 10'000});
        double seconds = 0;
        for (const PlanPoint& point : found.front) {
            const PlanFigures listed = space.figures(point);
            EXPECT_GT(listed.seconds, seconds);
            seconds = listed.seconds;
            for (const auto& [other, figures] : found.predicted)
                EXPECT_FALSE(figures.bytes < listed.bytes && figures.seconds <= listed.seconds);
        }
    }
}

TEST(PlanSearchTest, isTheSameEachTime)
{
    RandomSpace one(7, 6);
    RandomSpace other(7, 6);
    const Bytes capacity = one.someCapacity();
    const PlanFindings first = searched(one, {capacity, 0.05, 30});
    const PlanFindings second = searched(other, {capacity, 0.05, 30});
    EXPECT_EQ(first.answer, second.answer);
    EXPECT_EQ(first.predicted, second.predicted);
}

// A contradiction of an order widens what can be proven.
TEST(PlanSearchTest, aContradictedOrderShowsInTheGap)
{
    PlanAxes axes;
    PlanAxis axis{.key = "axis", .settings = {{{}, 0}, {{}, 1}, {{}, 1}, {{}, 1}}};
    axis.memory = SettingOrder(4);
    axis.time = SettingOrder(4);
    axis.time.add(0, 1); // not so: the second takes less time
    axes.axes.push_back(axis);
    const std::vector<PlanFigures> figures{{10, 10, 1.0}, {5, 5, 0.8}, {7, 7, 0.9}, {4, 4, 2.0}};
    PlanSearch search(axes, [&](const std::vector<PlanPoint>& points) {
        std::vector<std::optional<PlanFigures>> found;
        for (const PlanPoint& point : points)
            found.emplace_back(figures[point.front()]);
        return found;
    });
    const PlanFindings found = search.run({9, 0.05, 100});
    EXPECT_DOUBLE_EQ(found.timeDisorder, 0.2);
    EXPECT_EQ(found.answer, PlanPoint{1});
    EXPECT_DOUBLE_EQ(*found.provenGap, 0.2);
}

TEST(PlanSearchTest, ofEquallyFastOnesTheSimplerIsTaken)
{
    PlanAxes axes;
    PlanAxis axis{.key = "axis", .settings = {{{}, 0}, {{}, 3}, {{}, 1}}};
    axis.memory = SettingOrder(3);
    axis.time = SettingOrder(3);
    axes.axes.push_back(axis);
    const std::vector<PlanFigures> figures{{10, 10, 0.5}, {5, 5, 1.0}, {5, 5, 1.004}};
    PlanSearch search(axes, [&](const std::vector<PlanPoint>& points) {
        std::vector<std::optional<PlanFigures>> found;
        for (const PlanPoint& point : points)
            found.emplace_back(figures[point.front()]);
        return found;
    });
    const PlanFindings found = search.run({9, 0.05, 100});
    EXPECT_EQ(found.answer, PlanPoint{2});
    EXPECT_NEAR(*found.provenGap, 0.004 / 1.004, 1e-12);
}

TEST(PlanSearchTest, whatIsStoppedHasWhatItFound)
{
    RandomSpace space(3, 6);
    std::stop_source stop;
    PlanSearch search(space.axes(), [&](const std::vector<PlanPoint>& points) {
        if (space.predicted() >= 8)
            stop.request_stop();
        return space.predict(points);
    });
    const PlanFindings found = search.run({1'000'000'000, 0.05, 10'000}, stop.get_token());
    EXPECT_EQ(found.end, End::Cancelled);
    EXPECT_LT(found.predicted.size(), space.predicted()); // what was interrupted does not count
    EXPECT_TRUE(found.answer);
}

TEST(PlanSearchTest, whatCannotBePredictedIsLeftOut)
{
    RandomSpace space(5);
    PlanSearch search(space.axes(),
        [&](const std::vector<PlanPoint>& points) { return std::vector<std::optional<PlanFigures>>(points.size()); });
    const PlanFindings found = search.run({1'000'000'000, 0.05, 10'000});
    EXPECT_FALSE(found.answer);
    EXPECT_TRUE(found.predicted.empty());
    EXPECT_EQ(found.end, End::Exhausted);
}

TEST(PlanSearchTest, saysHowFarItIs)
{
    RandomSpace space(11, 6);
    std::vector<PlanProgress> told;
    PlanSearch search(space.axes(), [&](const std::vector<PlanPoint>& points) { return space.predict(points); });
    search.setProgress([&](const PlanProgress& progress) { told.push_back(progress); });
    const PlanFindings found = search.run({space.someCapacity(), 0.05, 10'000});
    ASSERT_GT(told.size(), 2U);
    EXPECT_EQ(told.front().predictions, 0U);
    EXPECT_EQ(told.back().predictions, found.predictions);
    EXPECT_EQ(told.back().considered, found.considered);
    EXPECT_EQ(told.back().combinations, found.combinations);
}

// A gap is told as soon as something fits, and comes to that of the findings.
TEST(PlanSearch, ProgressSaysWhatIsProven)
{
    RandomSpace space(11, 6);
    std::vector<PlanProgress> told;
    PlanSearch search(space.axes(), [&](const std::vector<PlanPoint>& points) { return space.predict(points); });
    search.setProgress([&](const PlanProgress& progress) { told.push_back(progress); });
    const PlanFindings found = search.run({space.someCapacity(), 0.05, 10'000});
    ASSERT_TRUE(found.answer);
    EXPECT_FALSE(told.front().provenGap);
    for (const PlanProgress& progress : told)
        EXPECT_EQ(progress.provenGap.has_value(), progress.best.has_value());
    // The answer may be slower than the best within what counts as the same speed.
    EXPECT_NEAR(*told.back().provenGap, *found.provenGap, kSameSpeed);
}

} // namespace
} // namespace headroom::experiments::plan_search_test
