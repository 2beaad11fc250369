// SPDX-License-Identifier: Apache-2.0
//
// The device on which tests make their tensors: HEADROOM_TEST_DEVICE, which is
//   cpu     (the default)
//   cuda:N  every number is computed there; the program skips its tests, with the reason, where there is no GPU
//   meta    nothing is computed: what remains is that no tensor was left on another device, shapes, counters and
//           texts; tests that read numbers skip
// What a test says of the CPU's allocator or of LibTorch's meta device it says on any of them.
#pragma once

#include "core/base/Error.h"
#include "core/tensor/SavedTensorHooks.h"
#include "core/tensor/Torch.h"
#include "tests/support/TestDeviceName.h"

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cstdlib>
#include <string>

namespace headroom {

/// Throws UsageError for a name that is none.
inline c10::Device testDevice()
{
    const std::string name = testDeviceName();
    if (name == "cpu" || name == "meta")
        return c10::Device(name);
    const std::string index = name.starts_with("cuda:") ? name.substr(5) : "";
    if (index.empty() || index.size() > 2 || index.find_first_not_of("0123456789") != std::string::npos)
        throw UsageError("unknown device \"" + name + "\"", "HEADROOM_TEST_DEVICE", "cpu, meta, cuda:N");
    return {c10::kCUDA, static_cast<c10::DeviceIndex>(std::stoi(index))};
}

/// The same options on the test device, unless they name another one.
inline at::TensorOptions onTestDevice(const at::TensorOptions& options = {})
{
    return options.has_device() ? options : options.device(testDevice());
}

/// Whether the GPU is one that is not there (run-rehearsed): everything runs, and nothing is computed.
inline bool isRehearsed()
{
    const char* const card = std::getenv("HEADROOM_CARD");
    return card != nullptr && *card != '\0';
}

/// Ends the test as skipped, from whatever it calls.
[[noreturn]] inline void skipTest(const std::string& reason)
{
    [&] { GTEST_SKIP() << reason; }();
    throw testing::AssertionException(testing::TestPartResult(testing::TestPartResult::kSkip, "", 0, reason.c_str()));
}

/// For tests that read numbers.
inline void requireValues()
{
    if (testDevice().is_meta())
        skipTest("tensors on meta have no values");
    if (isRehearsed())
        skipTest("compares values, and a card that is not there computes none");
}

/// For tests of what only the CPU has: its allocator, its kernels, its random numbers.
inline void requireCpu(const std::string& reason)
{
    if (!testDevice().is_cpu())
        skipTest("only on the CPU: " + reason);
}

/// For tests that observe the ops of a backward pass: on CUDA they run on the engine's device thread, where nobody
/// looks.
inline void requireObservableBackward()
{
    if (testDevice().is_cuda())
        skipTest("ops of a backward pass on CUDA are not observed");
}

/// Why tests cannot run on CUDA; empty where they can. Loads LibTorch's CUDA library: nothing may have asked for an
/// accelerator before, as LibTorch remembers for good that it found none.
inline std::string openCudaForTests(c10::Device device)
{
    if (dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) == nullptr)
        return std::string("LibTorch's CUDA library cannot be loaded: ") + dlerror();
    const auto count = at::globalContext().hasCUDA() ? c10::impl::VirtualGuardImpl(c10::kCUDA).deviceCount() : 0;
    if (device.index() >= count)
        return "this machine has " + std::to_string(count) + " GPU(s) that CUDA can use";
    at::globalContext().lazyInitDevice(c10::kCUDA);
    at::globalContext().setAllowTF32CuDNN(false); // as trials compute
    return {};
}

/// Opens the test device before the first test, with the engine that trials have: a second one would have device
/// threads and workspaces of its own.
class OpenedTestDevice final : public testing::Environment {
public:
    void SetUp() override
    {
        try {
            open(testDevice());
        } catch (const Error& error) {
            FAIL() << error.what();
        }
    }

private:
    static void open(c10::Device device)
    {
        if (!device.is_cuda())
            return;
        if (const std::string reason = openCudaForTests(device); !reason.empty())
            GTEST_SKIP() << device.str() << ": " << reason;
        tensor::prepareSavedTensorHooks();
        c10::impl::VirtualGuardImpl(c10::kCUDA).setDevice(device);
    }
};

inline testing::Environment* const kOpenedTestDevice = testing::AddGlobalTestEnvironment(new OpenedTestDevice);

} // namespace headroom
