// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/kernels/OpCases.h"

namespace headroom::collectors {
namespace {

OpCase whole(const char* op, Gradients gradients = Gradients::Compared)
{
    return {op, [](Draw& draw) { return stackOf(draw.floats(draw.sizes(draw.between(1, 4)))); }, gradients};
}

OpCase momentOf(const char* op)
{
    return {op, [](Draw& draw) {
                const c10::IValue dimensions = draw.flip() ? none() : c10::IValue(Ints{draw.between(-3, 2)});
                return stackOf(draw.floats(draw.sizes(3)), dimensions, 1.0, draw.flip());
            }};
}

OpCase along(const char* op, Gradients gradients = Gradients::Compared)
{
    return {op, [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), draw.between(-3, 2), draw.flip()); },
        gradients};
}

} // namespace

std::vector<OpCase> reductionCases()
{
    std::vector<OpCase> cases{
        {"aten::prod", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(2)), none()); }},
        {"aten::prod", [](Draw& draw) { return stackOf(draw.integers(draw.sizes(2), 3), none()); }, Gradients::Left},
        {"aten::nansum", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), Ints{1}, draw.flip(), none()); }},
        {"aten::trace", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(2))); }},
        {"aten::kthvalue",
            [](Draw& draw) {
                return stackOf(draw.floats(draw.sizes(3)), std::int64_t{2}, draw.between(-3, 2), draw.flip());
            }},
        {"aten::count_nonzero.dim_IntList", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), Ints{0, 2}); },
            Gradients::Left},
        {"aten::histc", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(2)), std::int64_t{10}, 0.0, 1.0); },
            Gradients::Left},
        {"aten::dot",
            [](Draw& draw) {
                const Ints sizes = draw.sizes(1);
                return stackOf(draw.floats(sizes), draw.floats(sizes));
            }},
        {"aten::vdot",
            [](Draw& draw) {
                const Ints sizes = draw.sizes(1);
                return stackOf(draw.complexes(sizes), draw.complexes(sizes));
            }},
        {"aten::_cdist_forward",
            [](Draw& draw) { return stackOf(draw.denseFloats({2, 3, 4}), draw.denseFloats({2, 5, 4}), 2.0, none()); }},
        {"aten::_cdist_forward",
            [](Draw& draw) { return stackOf(draw.denseFloats({3, 4}), draw.denseFloats({2, 5, 4}), 1.0, none()); },
            Gradients::Left},
        {"aten::pdist", [](Draw& draw) { return stackOf(draw.denseFloats(draw.sizes(2)), 2.0); }},
        {"aten::logsumexp", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), Ints{1}, draw.flip()); }},
        {"aten::cumsum", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), draw.between(-3, 2), none()); }},
        {"aten::cummax", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), draw.between(-3, 2)); }},
        {"aten::logcumsumexp", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), draw.between(-3, 2)); }},
        {"aten::topk",
            [](Draw& draw) { return stackOf(draw.floats({3, 6}), std::int64_t{2}, std::int64_t{-1}, true, true); }},
        {"aten::sort", [](Draw& draw) { return stackOf(draw.floats(draw.sizes(3)), draw.between(-3, 2), true); }},
    };
    for (const char* op : {"aten::max", "aten::min", "aten::median", "aten::nanmedian"})
        cases.push_back(whole(op));
    cases.push_back(whole("aten::_aminmax", Gradients::Left));
    for (const char* op :
        {"aten::var.correction", "aten::std.correction", "aten::var_mean.correction", "aten::std_mean.correction"})
        cases.push_back(momentOf(op));
    for (const char* op : {"aten::median.dim", "aten::nanmedian.dim", "aten::mode", "aten::max.dim"})
        cases.push_back(along(op));
    cases.push_back(along("aten::_aminmax.dim", Gradients::Left));
    return cases;
}

} // namespace headroom::collectors
