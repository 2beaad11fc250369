// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/AllocatorVariables.h"

#include "core/base/Error.h"
#include "tests/support/EnvironmentVariable.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::HasSubstr;

// A machine on which one of them is set must not decide these cases.
class AllocatorVariablesTest : public testing::Test {
protected:
    AllocatorVariablesTest()
    {
        for (const char* name : kAllocatorVariables)
            ::unsetenv(name);
    }

private:
    EnvironmentVariable m_cuda{kAllocatorVariables[0], ""};
    EnvironmentVariable m_hip{kAllocatorVariables[1], ""};
    EnvironmentVariable m_any{kAllocatorVariables[2], ""};
};

using Variable = std::pair<std::string, std::string>;

TEST_F(AllocatorVariablesTest, theFirstThatIsSetDecides)
{
    EXPECT_EQ(allocatorVariable(), std::nullopt);
    const EnvironmentVariable any("PYTORCH_ALLOC_CONF", "max_split_size_mb:64");
    EXPECT_EQ(allocatorVariable(), (Variable{"PYTORCH_ALLOC_CONF", "max_split_size_mb:64"}));
    EnvironmentVariable cuda("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True");
    EXPECT_EQ(allocatorVariable(), (Variable{"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"}));
    cuda.set(" ");
    EXPECT_EQ(allocatorVariable(), std::nullopt) << "LibTorch reads it, and finds no setting in it";
}

TEST_F(AllocatorVariablesTest, aProcessMeasuresOnlyWhatItWasStartedFor)
{
    EXPECT_NO_THROW(requireStartedWith(""));
    EXPECT_EQ(refusal<TrialError>([] { requireStartedWith("expandable_segments:True"); }),
        "device.allocator: this worker was started without allocator settings, which LibTorch reads only once "
        "(valid: a fresh worker with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True)");
    const EnvironmentVariable any("PYTORCH_ALLOC_CONF", "max_split_size_mb:64, expandable_segments:True");
    EXPECT_NO_THROW(requireStartedWith("max_split_size_mb:64,expandable_segments:True"));
    const std::string message = refusal<TrialError>([] { requireStartedWith(""); });
    EXPECT_THAT(message, HasSubstr("with PYTORCH_ALLOC_CONF=max_split_size_mb:64, expandable_segments:True"));
    EXPECT_THAT(message, HasSubstr("a fresh worker without this variable"));
}

} // namespace
} // namespace headroom::experiments
