// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/kernels/OpCases.h"

namespace headroom::collectors {
namespace {

constexpr double kEpsilon = 1e-5;

Ints featureSizes(Draw& draw)
{
    return draw.flip() ? Ints{3, 4, 5, 6} : Ints{3, 4, 5};
}

at::Tensor features(Draw& draw)
{
    const Ints sizes = featureSizes(draw);
    return sizes.size() == 4 ? draw.image(sizes) : draw.denseFloats(sizes);
}

torch::jit::Stack batchNormArguments(Draw& draw, bool isTraining, bool hasWeights)
{
    const at::Tensor input = features(draw);
    const c10::IValue weight = hasWeights ? c10::IValue(draw.denseFloats({4})) : none();
    const c10::IValue bias = hasWeights ? c10::IValue(draw.denseFloats({4})) : none();
    const at::Tensor mean = draw.denseFloats({4}).detach(), variance = draw.denseFloats({4}).detach();
    return stackOf(input, weight, bias, mean, variance, isTraining, 0.1, kEpsilon);
}

OpCase groupNormCase(bool hasWeights, std::int64_t positions)
{
    return {"aten::group_norm", [=](Draw& draw) {
                const Ints sizes = positions == 1 ? Ints{2, 6} : Ints{2, 6, positions};
                const c10::IValue weight = hasWeights ? c10::IValue(draw.denseFloats({6})) : none();
                const c10::IValue bias = hasWeights ? c10::IValue(draw.denseFloats({6})) : none();
                return stackOf(draw.denseFloats(sizes), std::int64_t{3}, weight, bias, kEpsilon, true);
            }};
}

OpCase mixedNorm(const char* op)
{
    return {op,
        [](Draw& draw) {
            const at::Tensor input = draw.denseFloats({3, 4, 5}).to(at::kBFloat16);
            const auto numbers = [&] { return draw.denseFloats({4}).to(at::kFloat); };
            return stackOf(input, numbers(), numbers(), numbers(), numbers(), true, 0.1, kEpsilon);
        },
        Gradients::Left};
}

} // namespace

std::vector<OpCase> normCases()
{
    std::vector<OpCase> cases{
        mixedNorm("aten::native_batch_norm"),
        {"aten::_native_batch_norm_legit", [](Draw& draw) { return batchNormArguments(draw, true, true); }},
        {"aten::_native_batch_norm_legit.no_stats",
            [](Draw& draw) { return stackOf(features(draw), none(), none(), true, 0.1, kEpsilon); }},
        {"aten::_native_batch_norm_legit_no_training",
            [](Draw& draw) {
                torch::jit::Stack stack = batchNormArguments(draw, false, true);
                stack.erase(stack.begin() + 5);
                return stack;
            }},
        {"aten::batch_norm",
            [](Draw& draw) {
                torch::jit::Stack stack = batchNormArguments(draw, draw.flip(), true);
                stack.emplace_back(true);
                return stack;
            }},
        {"aten::instance_norm",
            [](Draw& draw) {
                return stackOf(draw.denseFloats({2, 4, 5, 6}), draw.denseFloats({4}), draw.denseFloats({4}), none(),
                    none(), true, 0.1, kEpsilon, true);
            }},
        {"aten::batch_norm_update_stats",
            [](Draw& draw) { return stackOf(draw.denseFloats({3, 4, 5}), none(), none(), 0.1); }, Gradients::Left},
        groupNormCase(true, 5),
        groupNormCase(false, 5),
        groupNormCase(true, 1),
        groupNormCase(false, 1),
        {"aten::native_group_norm",
            [](Draw& draw) {
                return stackOf(draw.image({2, 6, 4, 5}), draw.denseFloats({6}), draw.denseFloats({6}), std::int64_t{2},
                    std::int64_t{6}, std::int64_t{20}, std::int64_t{3}, kEpsilon);
            },
            Gradients::Left},
        {"aten::_weight_norm_interface",
            [](Draw& draw) {
                return stackOf(draw.denseFloats({4, 3, 2}), draw.denseFloats({4, 1, 1}), std::int64_t{0});
            }},
        {"aten::layer_norm",
            [](Draw& draw) {
                return stackOf(
                    draw.floats({2, 3, 8}), Ints{8}, draw.denseFloats({8}), draw.denseFloats({8}), kEpsilon, true);
            }},
    };
    for (const bool isTraining : {true, false})
        for (const bool hasWeights : {true, false})
            cases.push_back({"aten::native_batch_norm",
                [=](Draw& draw) { return batchNormArguments(draw, isTraining, hasWeights); }});
    return cases;
}

} // namespace headroom::collectors
