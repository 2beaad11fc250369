// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/kernels/OpCases.h"

namespace headroom::collectors {
namespace {

Ints signalDimensions(Draw& draw)
{
    switch (draw.between(0, 3)) {
    case 0:
        return {2};
    case 1:
        return {1, 2};
    case 2:
        return {0, 1, 2};
    default:
        return {0};
    }
}

c10::IValue doubles(std::initializer_list<double> values)
{
    return c10::List<double>(values);
}

} // namespace

std::vector<OpCase> otherCases()
{
    return {
        {"aten::_fft_c2c",
            [](Draw& draw) {
                return stackOf(draw.complexes({3, 4, 5}), signalDimensions(draw), std::int64_t{0}, true);
            }},
        {"aten::_fft_r2c",
            [](Draw& draw) {
                return stackOf(draw.denseFloats({3, 4, 5}), signalDimensions(draw), std::int64_t{0}, draw.flip());
            }},
        {"aten::_fft_c2r",
            [](Draw& draw) {
                return stackOf(draw.complexes({3, 4, 5}), Ints{1, 2}, std::int64_t{0}, std::int64_t{8});
            }},
        {"aten::fft_rfft2", [](Draw& draw) { return stackOf(draw.floats({3, 4, 6}), none(), Ints{-2, -1}, none()); }},
        {"aten::nll_loss2d_forward",
            [](Draw& draw) {
                return stackOf(draw.denseFloats({2, 3, 4, 5}), draw.integers({2, 4, 5}, 3), none(), draw.between(0, 2),
                    std::int64_t{-100});
            }},
        {"aten::multi_margin_loss",
            [](Draw& draw) {
                return stackOf(draw.denseFloats({4, 3}), draw.integers({4}, 3), 1.0, 1.0, none(), draw.between(0, 2));
            }},
        {"aten::multilabel_margin_loss_forward",
            [](Draw& draw) { return stackOf(draw.denseFloats({4, 3}), draw.integers({4, 3}, 3), draw.between(0, 2)); }},
        {"aten::ctc_loss.IntList",
            [](Draw& draw) {
                return stackOf(at::log_softmax(draw.denseFloats({12, 2, 5}), -1), draw.integers({2, 3}, 4) + 1,
                    Ints{12, 12}, Ints{3, 3}, std::int64_t{0}, std::int64_t{1}, false);
            }},
        {"aten::_int_mm",
            [](Draw& draw) {
                return stackOf(draw.integers({4, 8}, 5).to(at::kChar), draw.integers({8, 6}, 5).to(at::kChar));
            },
            Gradients::Left},
        {"aten::_scaled_mm",
            [](Draw& draw) {
                const at::Tensor scale = at::ones({});
                return stackOf(draw.denseFloats({16, 32}).to(at::kFloat8_e4m3fn),
                    draw.denseFloats({48, 32}).to(at::kFloat8_e4m3fn).t(), scale, scale, none(), none(), at::kBFloat16,
                    false);
            },
            Gradients::Left},
        {"aten::addbmm",
            [](Draw& draw) {
                return stackOf(
                    draw.denseFloats({3, 5}), draw.denseFloats({2, 3, 4}), draw.denseFloats({2, 4, 5}), 1.0, 1.0);
            }},
        {"aten::linalg_solve_triangular",
            [](Draw& draw) {
                const at::Tensor matrix = draw.denseFloats({3, 3}) + at::eye(3);
                return stackOf(matrix, draw.denseFloats({3, 2}), true, true, false);
            }},
        {"aten::_grouped_mm",
            [](Draw& draw) {
                const at::Tensor ends = at::tensor({4, 8}, at::kInt);
                return stackOf(draw.denseFloats({8, 16}).to(at::kBFloat16),
                    draw.denseFloats({2, 16, 24}).to(at::kBFloat16), ends, none(), none());
            },
            Gradients::Left},
        {"aten::_grouped_mm",
            [](Draw& draw) {
                const at::Tensor ends = at::tensor({4, 8}, at::kInt);
                return stackOf(draw.denseFloats({8, 16}).to(at::kBFloat16),
                    draw.denseFloats({2, 20, 16}).to(at::kBFloat16).transpose(-2, -1), ends);
            },
            Gradients::Left},
        {"aten::histogram.bin_ct",
            [](Draw& draw) {
                return stackOf(draw.denseFloats({20}), std::int64_t{5}, doubles({0.0, 1.0}), none(), false);
            },
            Gradients::Left},
        {"aten::masked_fill.Tensor",
            [](Draw& draw) { return stackOf(draw.denseFloats({3, 4}), draw.flags({3, 4}), at::zeros({})); }},
    };
}

} // namespace headroom::collectors
