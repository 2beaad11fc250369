// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/kernels/OpCases.h"

namespace headroom::collectors {
namespace {

// One argument of up to five dimensions.
OpCase unary(const char* op)
{
    return {op, [](Draw& draw) { return stackOf(draw.floats(draw.sizes(draw.between(0, 5)))); }};
}

// Two that are broadcast: dimensions of the second are missing or of extent 1.
OpCase binary(const char* op, Gradients gradients = Gradients::Compared)
{
    return {op,
        [](Draw& draw) {
            const Ints sizes = draw.sizes(draw.between(1, 4));
            Ints other = sizes;
            if (draw.flip())
                other[0] = 1;
            return stackOf(draw.floats(sizes), draw.floats(other));
        },
        gradients};
}

OpCase gradient(const char* op)
{
    return {op,
        [](Draw& draw) {
            const Ints sizes = draw.sizes(draw.between(1, 4));
            return stackOf(draw.floats(sizes), draw.floats(sizes));
        },
        Gradients::Left};
}

OpCase flagsOf(const char* op)
{
    return {op, [](Draw& draw) {
                const Ints sizes = draw.sizes(draw.between(1, 4));
                return stackOf(draw.flags(sizes), draw.flags(sizes));
            }};
}

OpCase ofComplex(const char* op)
{
    return {op, [](Draw& draw) { return stackOf(draw.complexes(draw.sizes(3))); }};
}

torch::jit::Stack loss(Draw& draw, std::int64_t reduction)
{
    const Ints sizes = draw.sizes(3);
    return stackOf(draw.floats(sizes), draw.denseFloats(sizes), reduction);
}

} // namespace

std::vector<OpCase> elementwiseCases()
{
    std::vector<OpCase> cases{
        {"aten::hardtanh", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), 0.0, 6.0); }},
        {"aten::isnan", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(4))); }, Gradients::Left},
        {"aten::logical_not", [](Draw& draw) { return stackOf(draw.flags(draw.sizes(3))); }, Gradients::Left},
        {"aten::prelu",
            [](Draw& draw) {
                const Ints sizes = draw.sizes(4);
                return stackOf(draw.floats(sizes), draw.denseFloats({sizes[1]}));
            }},
        {"aten::glu",
            [](Draw& draw) {
                return stackOf(draw.floats({draw.between(1, 3), 4 * draw.between(1, 2), 3}), std::int64_t{1});
            }},
        {"aten::where.self",
            [](Draw& draw) {
                const Ints sizes = draw.sizes(3);
                return stackOf(draw.flags(sizes), draw.denseFloats(sizes), draw.denseFloats(sizes));
            }},
        {"aten::remainder.Scalar_Tensor", [](Draw& draw) { return stackOf(2.5, draw.floats(draw.sizes(2))); },
            Gradients::Left},
        {"aten::rsub.Tensor",
            [](Draw& draw) {
                const Ints sizes = draw.sizes(3);
                return stackOf(draw.floats(sizes), draw.floats(sizes), 1.0);
            }},
        {"aten::bitwise_left_shift.Tensor_Scalar",
            [](Draw& draw) { return stackOf(draw.integers(draw.sizes(2), 4), std::int64_t{1}); }},
        {"aten::__lshift__.Scalar",
            [](Draw& draw) { return stackOf(draw.integers(draw.sizes(2), 4), std::int64_t{1}); }},
        {"aten::__rshift__.Tensor",
            [](Draw& draw) {
                const Ints sizes = draw.sizes(2);
                return stackOf(draw.integers(sizes, 9), draw.integers(sizes, 3));
            }},
        {"aten::floor_divide.Scalar", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), 0.5); },
            Gradients::Left},
        {"aten::nan_to_num", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), none(), none(), none()); }},
        {"aten::complex",
            [](Draw& draw) {
                const Ints sizes = draw.sizes(3);
                return stackOf(draw.floats(sizes), draw.floats(sizes));
            }},
        {"aten::polar",
            [](Draw& draw) {
                const Ints sizes = draw.sizes(3);
                return stackOf(draw.floats(sizes), draw.floats(sizes));
            }},
        {"aten::logit", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), 0.01); }},
        {"aten::huber_loss",
            [](Draw& draw) {
                torch::jit::Stack stack = loss(draw, draw.between(0, 2));
                stack.emplace_back(1.0);
                return stack;
            }},
        {"aten::smooth_l1_loss",
            [](Draw& draw) {
                torch::jit::Stack stack = loss(draw, draw.between(0, 2));
                stack.emplace_back(1.0);
                return stack;
            }},
        {"aten::binary_cross_entropy",
            [](Draw& draw) {
                const Ints sizes = draw.sizes(2);
                return stackOf(draw.denseFloats(sizes), draw.denseFloats(sizes).detach(), none(), draw.between(0, 2));
            }},
        {"aten::rrelu_with_noise",
            [](Draw& draw) {
                const Ints sizes = draw.sizes(2);
                return stackOf(draw.denseFloats(sizes), draw.denseFloats(sizes), 0.1, 0.3, true, none());
            },
            Gradients::Left},
    };
    for (const char* op : {"aten::relu", "aten::hardswish", "aten::log_sigmoid_forward", "aten::abs", "aten::angle",
             "aten::relu6", "aten::hardsigmoid", "aten::silu", "aten::selu", "aten::log_sigmoid", "aten::mish"})
        cases.push_back(unary(op));
    for (const char* op : {"aten::_add_relu.Tensor", "aten::floor_divide"})
        cases.push_back(binary(op, Gradients::Left));
    for (const char* op : {"aten::hardswish_backward"})
        cases.push_back(gradient(op));
    for (const char* op : {"aten::logical_and", "aten::logical_or", "aten::logical_xor"})
        cases.push_back(flagsOf(op));
    for (const char* op : {"aten::abs", "aten::angle", "aten::conj_physical", "aten::view_as_real"})
        cases.push_back(ofComplex(op));
    for (const std::int64_t reduction : {0, 1, 2})
        cases.push_back({"aten::mse_loss", [reduction](Draw& draw) { return loss(draw, reduction); }});
    return cases;
}

} // namespace headroom::collectors
