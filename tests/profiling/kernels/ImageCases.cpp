// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/kernels/OpCases.h"

namespace headroom::collectors {
namespace {

Ints imageSizes(Draw& draw)
{
    return {draw.between(1, 2), draw.between(2, 4), draw.between(6, 9), draw.between(6, 9)};
}

Ints volumeSizes(Draw& draw)
{
    return {draw.between(1, 2), draw.between(2, 3), draw.between(6, 8), draw.between(6, 8), draw.between(6, 8)};
}

Ints amounts(Draw& draw, std::size_t count)
{
    Ints drawn;
    for (std::size_t i = 0; i < count; ++i)
        drawn.push_back(draw.between(0, 3));
    return drawn;
}

torch::jit::Stack sampling(const at::Tensor& input, const at::Tensor& grid)
{
    return stackOf(input, grid, std::int64_t{0}, std::int64_t{0}, false);
}

} // namespace

std::vector<OpCase> imageCases()
{
    std::vector<OpCase> cases{
        {"aten::_adaptive_avg_pool2d",
            [](Draw& draw) {
                return stackOf(draw.image(imageSizes(draw)), Ints{draw.between(2, 4), draw.between(1, 4)});
            }},
        {"aten::_adaptive_avg_pool3d",
            [](Draw& draw) { return stackOf(draw.denseFloats(volumeSizes(draw)), Ints{2, 3, draw.between(1, 4)}); }},
        {"aten::adaptive_avg_pool1d",
            [](Draw& draw) { return stackOf(draw.denseFloats({2, 3, 9}), Ints{draw.between(1, 4)}); }},
        {"aten::max_pool3d_with_indices",
            [](Draw& draw) {
                return stackOf(draw.image(volumeSizes(draw)), Ints{2, 3, 2}, Ints{2, 1, 2}, Ints{1, 1, 0},
                    Ints{1, 1, draw.between(1, 2)}, draw.flip());
            }},
        {"aten::max_pool2d",
            [](Draw& draw) {
                return stackOf(
                    draw.image(imageSizes(draw)), Ints{2, 3}, Ints{2, 2}, Ints{1, 1}, Ints{1, 1}, draw.flip());
            }},
        {"aten::max_unpool2d",
            [](Draw& draw) {
                return stackOf(draw.denseFloats({2, 3, 4, 5}),
                    at::arange(20).view({4, 5}).expand({2, 3, 4, 5}).contiguous(), Ints{8, 10});
            }},
        {"aten::grid_sampler_2d",
            [](Draw& draw) {
                return sampling(draw.denseFloats(imageSizes(draw)).narrow(0, 0, 1), draw.denseFloats({1, 4, 5, 2}));
            }},
        {"aten::grid_sampler_3d",
            [](Draw& draw) {
                return sampling(draw.denseFloats(volumeSizes(draw)).narrow(0, 0, 1), draw.denseFloats({1, 3, 4, 5, 3}));
            }},
        {"aten::im2col",
            [](Draw& draw) {
                const at::Tensor image = draw.denseFloats(imageSizes(draw));
                return stackOf(draw.flip() ? image : image[0], Ints{3, 2}, Ints{1, 2}, Ints{1, 0}, Ints{2, 1});
            }},
        {"aten::col2im",
            [](Draw& draw) {
                const std::int64_t channels = draw.between(1, 3);
                return stackOf(
                    draw.floats({2, channels * 4, 12}), Ints{4, 5}, Ints{2, 2}, Ints{1, 1}, Ints{0, 0}, Ints{1, 1});
            }},
        {"aten::reflection_pad2d", [](Draw& draw) { return stackOf(draw.denseFloats({3, 6, 7}), amounts(draw, 4)); }},
        {"aten::replication_pad3d",
            [](Draw& draw) { return stackOf(draw.denseFloats(volumeSizes(draw)), amounts(draw, 6)); }},
        {"aten::replication_pad2d",
            [](Draw& draw) { return stackOf(draw.denseFloats(imageSizes(draw)), amounts(draw, 4)); }},
        {"aten::reflection_pad1d", [](Draw& draw) { return stackOf(draw.denseFloats({2, 3, 7}), amounts(draw, 2)); }},
        {"aten::channel_shuffle", [](Draw& draw) { return stackOf(draw.image({2, 6, 4, 5}), std::int64_t{3}); },
            Gradients::Left},
        {"aten::upsample_bilinear2d",
            [](Draw& draw) { return stackOf(draw.image(imageSizes(draw)), Ints{12, 14}, false, none(), none()); }},
        {"aten::upsample_nearest2d",
            [](Draw& draw) { return stackOf(draw.image(imageSizes(draw)), Ints{12, 14}, none(), none()); }},
        {"aten::pixel_shuffle", [](Draw& draw) { return stackOf(draw.denseFloats({2, 8, 3, 4}), std::int64_t{2}); }},
        {"aten::conv1d",
            [](Draw& draw) {
                return stackOf(draw.denseFloats({2, 4, 9}), draw.denseFloats({4, 1, 3}), draw.denseFloats({4}), Ints{1},
                    Ints{2}, Ints{1}, std::int64_t{4});
            }},
    };
    cases.push_back(
        {"aten::reflection_pad2d", [](Draw& draw) { return stackOf(draw.image(imageSizes(draw)), amounts(draw, 4)); }});
    return cases;
}

} // namespace headroom::collectors
