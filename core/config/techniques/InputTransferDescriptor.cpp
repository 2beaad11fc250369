// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/InputTransferDescriptor.h"

#include "core/base/Error.h"

namespace headroom::config {

BatchOrigin parseInputTransfer(const std::string& notation, const std::string& where)
{
    if (notation == "resident")
        return BatchOrigin::Resident;
    if (notation == "pageable")
        return BatchOrigin::Pageable;
    if (notation == "pinned")
        return BatchOrigin::Pinned;
    throw UsageError("found \"" + notation + "\"", where, "resident, pageable, pinned");
}

TechniqueDescriptor inputTransferDescriptor()
{
    TechniqueDescriptor descriptor;
    descriptor.key = "input_transfer";
    descriptor.title = "Input transfer";
    descriptor.summary =
        "Where the batch lies before each micro-step. From pageable memory the host waits for every copy; from pinned "
        "memory copies go on beside what the host does.";
    descriptor.forms = {{"resident", "on the device already: no copy"},
        {"pageable", "in ordinary host memory: a copy that the host waits for, each micro-step"},
        {"pinned", "in pinned host memory: a copy that the host does not wait for, each micro-step"}};
    descriptor.off = "resident";
    descriptor.counters = {{"bytes_to_device", "bytes of the batch copied to the device in one step"}};
    descriptor.relieves = {MemoryCategory::Inputs};
    descriptor.normalise = [](const std::string& notation, const std::string& where) {
        parseInputTransfer(notation, where);
        return notation;
    };
    descriptor.problems = [](const TechniqueSetting&, const ModelContext&) { return std::vector<std::string>(); };
    descriptor.candidates = [](const ModelContext&) { return std::vector<Candidate>(); };
    return descriptor;
}

} // namespace headroom::config
