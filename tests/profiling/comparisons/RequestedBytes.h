// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/simulated/SimulatedInstruments.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <iterator>
#include <vector>

namespace headroom::collectors {

/// The bytes that a program asks a simulated device's allocator for, in order. `program` gets the options of a float32
/// tensor there.
template <typename Program> std::vector<Bytes> requestedBytes(const std::string& device, Program program)
{
    SimulatedInstruments instruments(profiles().parseSimulatedDevice(device), std::nullopt);
    const auto options = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);
    std::vector<Bytes> requested;
    bool isRunning = false;
    instruments.observeAllocations([&](const trace::AllocatorEvent& event) {
        if (isRunning && event.action == trace::Action::Alloc)
            requested.push_back(event.requestedBytes);
    });
    isRunning = true;
    program(options);
    instruments.observeAllocations(nullptr);
    return requested;
}

/// Of a call whose arguments are there before: `arguments` makes them, `call` uses them.
template <typename Arguments, typename Call>
std::vector<Bytes> requestedByCall(const std::string& device, Arguments arguments, Call call)
{
    const std::vector<Bytes> before =
        requestedBytes(device, [&](const at::TensorOptions& options) { static_cast<void>(arguments(options)); });
    std::vector<Bytes> requested =
        requestedBytes(device, [&](const at::TensorOptions& options) { call(arguments(options)); });
    requested.erase(requested.begin(), requested.begin() + std::ssize(before));
    return requested;
}

} // namespace headroom::collectors
