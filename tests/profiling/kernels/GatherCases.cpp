// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/kernels/OpCases.h"

namespace headroom::collectors {
namespace {

OpCase bag(std::int64_t mode, bool includesLast)
{
    return {"aten::embedding_bag.padding_idx", [=](Draw& draw) {
                const at::Tensor offsets = at::tensor({0, 2, 2, 5}, at::kLong);
                return stackOf(draw.denseFloats({9, draw.between(2, 6)}), draw.integers({7}, 9), offsets, false, mode,
                    false, none(), includesLast, none());
            }};
}

OpCase found(const char* op)
{
    const bool isBucketize = std::string(op).ends_with("bucketize.Tensor");
    return {op,
        [=](Draw& draw) {
            const at::Tensor values = draw.floats(draw.sizes(2));
            const at::Tensor bounds = at::linspace(0, 1, 7);
            return isBucketize ? stackOf(values, bounds, draw.flip(), false)
                               : stackOf(bounds, values, draw.flip(), false, none(), none());
        },
        Gradients::Left};
}

} // namespace

std::vector<OpCase> gatherCases()
{
    return {
        {"aten::index_select",
            [](Draw& draw) {
                return stackOf(draw.floats(draw.sizes(3)), draw.between(-3, 2), draw.integers({draw.between(1, 6)}, 2));
            }},
        {"aten::take", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(2)), draw.integers({2, 3}, 4)); }},
        {"aten::flip", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), Ints{0, 2}); }},
        {"aten::roll",
            [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), Ints{1}, Ints{draw.between(0, 2)}); }},
        {"aten::roll", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), Ints{1, -1}, Ints{1, 2}); }},
        {"aten::roll", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), Ints{2}, Ints{}); }},
        {"aten::unfold",
            [](Draw& draw) {
                return stackOf(draw.floats({3, 7, 2}), std::int64_t{1}, std::int64_t{3}, std::int64_t{2});
            }},
        found("aten::searchsorted.Tensor"),
        found("aten::bucketize.Tensor"),
        {"aten::searchsorted.Scalar",
            [](Draw& draw) { return stackOf(at::linspace(0, 1, 7), 0.4, draw.flip(), false, none(), none()); },
            Gradients::Left},
        {"aten::tril_indices",
            [](Draw& draw) {
                return stackOf(draw.between(1, 5), draw.between(1, 5), draw.between(-2, 2), none(), none(),
                    c10::Device(at::kCPU), none());
            },
            Gradients::Left},
        {"aten::triu_indices",
            [](Draw& draw) {
                return stackOf(draw.between(1, 5), draw.between(1, 5), draw.between(-2, 2), none(), none(),
                    c10::Device(at::kCPU), none());
            },
            Gradients::Left},
        {"aten::nonzero_static",
            [](Draw& draw) { return stackOf(draw.flags({3, 4}), draw.between(1, 9), std::int64_t{-1}); },
            Gradients::Left},
        {"aten::repeat_interleave.Tensor",
            [](Draw&) { return stackOf(at::tensor({1, 2, 3}, at::kLong), std::int64_t{6}); }, Gradients::Left},
        {"aten::repeat_interleave.self_int",
            [](Draw& draw) {
                return stackOf(draw.floats(draw.sizes(3)), draw.between(1, 3), draw.between(0, 2), none());
            }},
        {"aten::multinomial",
            [](Draw& draw) { return stackOf(draw.denseFloats({3, 6}), draw.between(1, 4), draw.flip(), none()); },
            Gradients::Left},
        {"aten::randperm",
            [](Draw& draw) { return stackOf(draw.between(1, 9), at::kLong, none(), c10::Device(at::kCPU), none()); },
            Gradients::Left},
        {"aten::poisson", [](Draw& draw) { return stackOf(draw.denseFloats(draw.sizes(2)), none()); }, Gradients::Left},
        {"aten::embedding",
            [](Draw& draw) {
                return stackOf(draw.denseFloats({7, 4}), draw.integers({2, 3}, 7), std::int64_t{-1}, false, false);
            }},
        bag(0, false),
        bag(1, false),
        bag(2, false),
        bag(0, true),
        bag(1, true),
        {"aten::index.Tensor",
            [](Draw& draw) {
                c10::List<std::optional<at::Tensor>> indices;
                indices.push_back(std::nullopt);
                indices.push_back(draw.integers({2, 3}, 2));
                return stackOf(draw.floats(draw.sizes(3)), indices);
            }},
        {"aten::one_hot", [](Draw& draw) { return stackOf(draw.integers(draw.sizes(2), 4), std::int64_t{4}); },
            Gradients::Left},
        {"aten::masked_scatter",
            [](Draw& draw) {
                const at::Tensor mask = at::tensor({1, 0, 1, 1, 0}, at::kLong).to(at::kBool).view({5, 1}); // 3 rows
                return stackOf(draw.floats({5, 4}), mask, draw.floats({3, 4}));
            }},
        {"aten::masked_fill.Scalar",
            [](Draw& draw) {
                const Ints sizes = draw.sizes(2);
                return stackOf(draw.denseFloats(sizes), draw.flags(sizes), 0.0);
            }},
    };
}

} // namespace headroom::collectors
