// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/SimulatedGraph.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"

#include <set>

namespace headroom::models {
namespace {

// Its sizes are those of values, which a simulated device does not have.
bool dependsOnValues(const c10::OperatorHandle& op)
{
    static const std::set<std::string> kOps{"aten::nonzero", "aten::masked_select", "aten::item",
        "aten::_local_scalar_dense", "aten::unique_consecutive", "aten::_unique2", "aten::unique_dim",
        "aten::repeat_interleave.Tensor", "aten::bincount", "aten::equal", "aten::allclose"};
    const auto& name = op.operator_name();
    return kOps.contains(name.overload_name.empty() ? name.name : name.name + "." + name.overload_name)
        || kOps.contains(name.name);
}

bool runsOnMeta(const c10::OperatorHandle& op)
{
    return op.hasKernelForDispatchKey(c10::DispatchKey::Meta)
        || op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)
        || op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd)
        || op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutogradNonFunctional);
}

std::string firstOf(const std::set<std::string>& places)
{
    constexpr std::size_t kListed = 8;
    std::vector<std::string> listed;
    for (const std::string& place : places)
        if (listed.size() < kListed)
            listed.push_back(place);
    return joined(listed)
        + (places.size() > kListed ? ", and " + std::to_string(places.size() - kListed) + " more" : "");
}

} // namespace

void requireSimulated(const GraphProgram& program, const std::string& file)
{
    std::set<std::string> byValue;
    std::set<std::string> missing;
    for (const ProgramNode& node : program.nodes) {
        if (node.kind != ProgramNode::Kind::Operator)
            continue;
        if (dependsOnValues(*node.op))
            byValue.insert(node.source->target + " in " + placeOf(*node.source));
        else if (!runsOnMeta(*node.op))
            missing.insert(node.source->target + " in " + placeOf(*node.source));
    }
    constexpr const char* kMeasured = "a measured device: cpu, cuda:N";
    if (!byValue.empty())
        throw TrialError("cannot be simulated, since sizes depend on values: " + firstOf(byValue), file, kMeasured);
    if (!missing.empty())
        throw TrialError("cannot be simulated, since these operators have no kernel without data: " + firstOf(missing),
            file, kMeasured);
}

} // namespace headroom::models
