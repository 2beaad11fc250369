// SPDX-License-Identifier: Apache-2.0
//
// How few predictions a plan needs in large spaces made like real ones: weights that casting and offload make smaller,
// activations that policies over blocks free for recomputation, and transfers that hide behind computation.
#include "experiments/plan/PlanSearch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace headroom::experiments::plan_effort_test {
namespace {

constexpr Bytes kGiB = 1LL << 30;

/// One model on one card.
struct Model {
    explicit Model(std::uint32_t seed)
        : m_random(seed)
        , weights(between(10, 40))
        , activations(between(10, 80))
        , compute(between(1, 6))
        , transferOfAll(compute * between(0.8, 2))
    {
    }

    double between(double low, double high)
    {
        return low + (high - low) * static_cast<double>(m_random() % 10'000) / 10'000;
    }

    std::mt19937 m_random;
    double weights; ///< GiB
    double activations; ///< GiB, of all blocks
    double compute; ///< seconds without recomputation
    double transferOfAll; ///< seconds for weights that are not cast, forward and backward
};

constexpr std::size_t kBlocks = 80;
enum Axis : std::size_t { Kernel, Casting, Offload, Split, Checkpointing };

class ModelSpace {
public:
    explicit ModelSpace(Model model)
        : m_model(std::move(model))
    {
        addAxis("kernel", {{"plain", 0}, {"fast", 0}, {"slow", 0}});
        m_axes.axes[Kernel].isIndependent = true;
        addAxis("casting", {{"", 0}, {"e4m3", 0}, {"e4m3:group", 0}});
        addAxis("offload",
            {{"", 0}, {"block", 0}, {"block", 0.5}, {"block", 1}, {"stream", 0}, {"stream", 0.5}, {"stream", 1},
                {"leaf", 0}});
        addAxis("split", {{"", 0}, {"split", 0}, {"split", 1}});
        std::vector<std::pair<std::string, double>> policies;
        for (const char* kind : {"last", "first"})
            for (std::size_t left = 0; left <= kBlocks; ++left)
                policies.emplace_back(kind, static_cast<double>(left) / kBlocks);
        addAxis("checkpointing", policies);
        m_axes.axes[Checkpointing].start = kBlocks; // none checkpointed
        orderCheckpointing();
        PlanGuard guard{PlanGuard::Of::Time, Casting, Offload, std::vector<char>(8, 0)};
        guard.settings[0] = 1;
        m_axes.guards.push_back(std::move(guard));
    }

    const PlanAxes& axes() const { return m_axes; }

    PlanFigures figures(const PlanPoint& point) const
    {
        const PlanSetting& offload = m_axes.axes[Offload].settings[point[Offload]];
        const PlanSetting& policy = m_axes.axes[Checkpointing].settings[point[Checkpointing]];
        const bool isCast = point[Casting] > 0;
        const double ofWeights = isCast ? (point[Casting] == 1 ? 0.5 : 0.7) : 1.0;
        double weights = m_model.weights * ofWeights;
        double compute = m_model.compute * (1 + (1 - policy.extent) / 3) * (isCast ? 1.02 : 1.0);
        compute *= 1 + 0.03 * static_cast<double>(point[Split]);
        compute *= point[Kernel] == 2 ? 1.5 : point[Kernel] == 1 ? 0.9 : 1.0;
        double seconds = compute;
        if (!offload.kind.empty()) {
            weights *= 0.05 + 0.3 * offload.extent;
            const double transfer = m_model.transferOfAll * ofWeights;
            seconds = offload.kind == "stream" ? std::max(compute, transfer) + 0.02 * transfer : compute + transfer;
        }
        const double upcast = isCast ? 0.2 : 0.0; // copies that blocks keep where they are not checkpointed
        double gib = weights + (m_model.activations + upcast * m_model.weights) * policy.extent;
        gib += (policy.kind == "first" ? 0.5 : 0.2) / (1 + static_cast<double>(point[Split]));
        const auto bytes = static_cast<Bytes>(gib * kGiB);
        return {bytes, bytes, seconds};
    }

    std::vector<std::optional<PlanFigures>> predict(const std::vector<PlanPoint>& points) const
    {
        std::vector<std::optional<PlanFigures>> found;
        for (const PlanPoint& point : points)
            found.emplace_back(figures(point));
        return found;
    }

    double fastestWithin(Bytes capacity) const
    {
        double best = std::numeric_limits<double>::infinity();
        PlanPoint point(m_axes.axes.size(), 0);
        while (true) {
            if (const PlanFigures found = figures(point); found.bytes <= capacity)
                best = std::min(best, found.seconds);
            std::size_t axis = 0;
            while (axis < point.size() && ++point[axis] == m_axes.axes[axis].settings.size())
                point[axis++] = 0;
            if (axis == point.size())
                return best;
        }
    }

private:
    void addAxis(const std::string& key, const std::vector<std::pair<std::string, double>>& settings)
    {
        PlanAxis axis{.key = key};
        for (const auto& [kind, extent] : settings)
            axis.settings.push_back({{}, axis.settings.empty() ? 0 : 1, kind, extent});
        axis.memory = SettingOrder(settings.size());
        axis.time = SettingOrder(settings.size());
        m_axes.axes.push_back(std::move(axis));
    }

    void orderCheckpointing()
    {
        PlanAxis& axis = m_axes.axes[Checkpointing];
        for (std::size_t one = 0; one < axis.settings.size(); ++one)
            for (std::size_t other = 0; other < axis.settings.size(); ++other)
                if (axis.settings[one].kind == axis.settings[other].kind
                    && axis.settings[one].extent < axis.settings[other].extent) {
                    axis.memory.add(one, other);
                    axis.time.add(other, one);
                }
    }

    Model m_model;
    PlanAxes m_axes;
};

// 33,000 combinations each.
TEST(PlanEffortTest, eightyPredictionsFindWhatIsNearlyTheFastestOfAll)
{
    constexpr double kNearly = 1.01;
    int close = 0;
    int fitting = 0;
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        Model model(seed);
        const Bytes capacity = static_cast<Bytes>(model.weights * model.between(0.15, 1.3) * kGiB);
        const ModelSpace space(std::move(model));
        const double fastest = space.fastestWithin(capacity);
        PlanSearch search(space.axes(), [&](const std::vector<PlanPoint>& points) { return space.predict(points); });
        const PlanFindings found = search.run({capacity, 0.05, 80});
        EXPECT_LE(found.predictions, 80 + PlanSearch::kBatch + 12);
        if (std::isinf(fastest)) {
            EXPECT_FALSE(found.answer) << seed;
            continue;
        }
        ++fitting;
        ASSERT_TRUE(found.answer) << seed;
        close += space.figures(*found.answer).seconds <= kNearly * fastest ? 1 : 0;
    }
    EXPECT_GE(fitting, 40);
    EXPECT_GE(close, fitting * 95 / 100) << close << " of " << fitting;
}

TEST(PlanEffortTest, techniquesThatHideEachOthersCostAreTriedTogether)
{
    Model model(7);
    model.weights = 20;
    model.activations = 40;
    model.compute = 4;
    model.transferOfAll = 8; // alone offload doubles the time, of cast weights it hides
    const ModelSpace space(std::move(model));
    constexpr Bytes kCapacity = 12 * kGiB;
    PlanSearch search(space.axes(), [&](const std::vector<PlanPoint>& points) { return space.predict(points); });
    const PlanFindings found = search.run({kCapacity, 0.05, 40});
    ASSERT_TRUE(found.answer);
    EXPECT_GT((*found.answer)[Casting], 0U);
    EXPECT_EQ(space.axes().axes[Offload].settings[(*found.answer)[Offload]].kind, "stream");
    EXPECT_LE(space.figures(*found.answer).seconds, 1.01 * space.fastestWithin(kCapacity));
}

} // namespace
} // namespace headroom::experiments::plan_effort_test
