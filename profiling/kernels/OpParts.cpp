// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/OpParts.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace headroom::collectors {
namespace {

struct Parts {
    std::vector<std::string> forward;
    std::vector<std::string> backward;
};

const std::map<std::string_view, Parts>& partsByName()
{
    static const std::map<std::string_view, Parts> parts{
        {"aten::item", {{"aten::_local_scalar_dense"}, {}}},
        {"aten::allclose", {{"aten::_local_scalar_dense"}, {}}},
        {"aten::is_nonzero", {{"aten::_local_scalar_dense"}, {}}},
        {"aten::nonzero_numpy", {{"aten::nonzero"}, {}}},
        {"aten::argwhere", {{"aten::nonzero"}, {}}},
        {"aten::ctc_loss", {{"aten::_ctc_loss"}, {"aten::_ctc_loss_backward"}}},
    };
    return parts;
}

// Composite kernels that were tried on meta and refused there.
constexpr std::array<std::string_view, 1> kFailing{"aten::_empty_affine_quantized"};

} // namespace

std::vector<std::string> opsBehind(const std::string& op, Passes passes)
{
    const auto found = partsByName().find(op);
    if (found == partsByName().end())
        return {};
    std::vector<std::string> parts = found->second.forward;
    if (passes == Passes::ForwardAndBackward)
        parts.insert(parts.end(), found->second.backward.begin(), found->second.backward.end());
    return parts;
}

bool failsOnMeta(const std::string& op)
{
    return std::ranges::find(kFailing, op) != kFailing.end();
}

} // namespace headroom::collectors
