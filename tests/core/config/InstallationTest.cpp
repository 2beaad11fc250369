// SPDX-License-Identifier: Apache-2.0
#include "core/config/Installation.h"

#include "tests/support/Checkout.h"
#include "tests/support/EnvironmentVariable.h"
#include "tests/support/Refusal.h"

#include <cstdio>
#include <filesystem>

namespace headroom::config {
namespace {

namespace fs = std::filesystem;

TEST(InstallationTest, knowsTheRunningProgramsFolder)
{
    EXPECT_TRUE(fs::exists(programDirectory() / "test-core-config"));
}

TEST(InstallationTest, theVariablesNameOtherPlaces)
{
    const std::string folder = fs::temp_directory_path().string();
    const EnvironmentVariable resources("HEADROOM_RESOURCES", folder);
    const EnvironmentVariable worker("HEADROOM_WORKER", "/bin/sh");
    EXPECT_EQ(resourceDirectory(), folder);
    EXPECT_EQ(workerProgram(), "/bin/sh");
}

TEST(InstallationTest, saysWhatIsMissingAndWhichVariableHelps)
{
    const EnvironmentVariable resources("HEADROOM_RESOURCES", "/no/such/folder");
    const EnvironmentVariable worker("HEADROOM_WORKER", "/no/such/worker");
    EXPECT_EQ(refusal<FileError>([] { resourceDirectory(); }),
        "/no/such/folder: resource folder not found (valid: an existing path in HEADROOM_RESOURCES)");
    EXPECT_EQ(refusal<FileError>([] { workerProgram(); }),
        "/no/such/worker: headroom-worker not found (valid: an existing path in HEADROOM_WORKER)");
}

// What a packed folder relies on, which holds resources and what tests read, and lies anywhere.
TEST(InstallationTest, testsFindWhatTheyReadElsewhere)
{
    EXPECT_TRUE(fs::exists(shippedResources() / "devices"));
    const EnvironmentVariable sources("HEADROOM_SOURCE_DIR", "/elsewhere");
    EXPECT_EQ(shippedResources(), "/elsewhere/resources");
}

TEST(InstallationTest, theVersionHasThreeNumbers)
{
    int major = -1;
    int minor = -1;
    int patch = -1;
    char rest = 0;
    EXPECT_EQ(std::sscanf(version().c_str(), "%d.%d.%d%c", &major, &minor, &patch, &rest), 3) << version();
}

} // namespace
} // namespace headroom::config
