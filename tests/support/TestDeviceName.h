// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

namespace headroom {

/// The device that tests run on, as trials name it: HEADROOM_TEST_DEVICE, or else cpu.
inline std::string testDeviceName()
{
    const char* const name = std::getenv("HEADROOM_TEST_DEVICE");
    return name == nullptr || *name == '\0' ? "cpu" : name;
}

/// The simulated device that the test device is compared with: HEADROOM_TEST_AGAINST, or else `sim:cpu` for the CPU and
/// `sim:h200` for a GPU.
inline std::string simulatedDeviceName()
{
    const char* const name = std::getenv("HEADROOM_TEST_AGAINST");
    if (name != nullptr && *name != '\0')
        return name;
    return testDeviceName() == "cpu" ? "sim:cpu" : "sim:h200";
}

} // namespace headroom
