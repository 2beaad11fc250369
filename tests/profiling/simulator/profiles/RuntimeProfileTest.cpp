// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/profiles/RuntimeProfile.h"

#include "core/base/Error.h"
#include "tests/profiling/simulator/profiles/ProfileFolder.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::simulator::runtime_profile_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RuntimeProfile shipped(const std::string& name)
{
    return RuntimeProfile::load(shippedResources() / "runtimes" / (name + ".toml"));
}

TEST(RuntimeProfileTest, theCublasWorkspaceIs32MiBOnHopperOnly)
{
    for (const char* name : {"torch-2.11", "torch-2.5"}) {
        const RuntimeProfile runtime = shipped(name);
        EXPECT_EQ(runtime.cublasWorkspaceBytes({8, 0}), 8519680);
        EXPECT_EQ(runtime.cublasWorkspaceBytes({8, 9}), 8519680);
        EXPECT_EQ(runtime.cublasWorkspaceBytes({9, 0}), 32 * kMiB);
        EXPECT_EQ(runtime.cublasWorkspaceBytes({10, 0}), 8519680);
        EXPECT_EQ(runtime.cublasWorkspaceBytes({12, 0}), 8519680);
    }
}

TEST(RuntimeProfileTest, theTwoRuntimesDifferInRmsNormAndCublasLt)
{
    const RuntimeProfile current = shipped("torch-2.11");
    const RuntimeProfile older = shipped("torch-2.5");
    EXPECT_EQ(current.kernel(KernelOp::RmsNorm), KernelForm::Fused);
    EXPECT_EQ(older.kernel(KernelOp::RmsNorm), KernelForm::Module);
    EXPECT_EQ(current.cublasLt.value, CublasLtWorkspace::Kept);
    EXPECT_EQ(older.cublasLt.value, CublasLtWorkspace::Separate);
    EXPECT_EQ(older.cublasLtBytes->value, kMiB);
    EXPECT_EQ(current.cublasLtBytes->value, kMiB);
}

TEST(RuntimeProfileTest, cudnnAttentionComesFirstOnlyWhereTheProfileSaysSo)
{
    using enum AttentionBackend;
    EXPECT_THAT(shipped("torch-2.11").attentionOrder({9, 0}), ElementsAre(Cudnn, Flash, Efficient, Math));
    EXPECT_THAT(shipped("torch-2.11").attentionOrder({8, 0}), ElementsAre(Flash, Efficient, Math, Cudnn));
    EXPECT_THAT(shipped("torch-2.5").attentionOrder({9, 0}), ElementsAre(Flash, Efficient, Math, Cudnn));
}

TEST(RuntimeProfileTest, givesTheAllocatorsSettings)
{
    EXPECT_EQ(shipped("torch-2.11").allocatorSettings(), AllocatorSettings{});
}

class RuntimeProfileFileTest : public ProfileFolder {
protected:
    UsageError errorWith(const std::string& from, const std::string& to) const
    {
        const std::string text = contentOf(shippedResources() / "runtimes" / "torch-2.5.toml");
        SCOPED_TRACE(to);
        return errorOf([&] {
            RuntimeProfile::load(write("torch-2.5.toml", replaced(text, from, to)));
        }).value_or(UsageError(""));
    }
};

TEST_F(RuntimeProfileFileTest, refusesUnknownKeysAndValues)
{
    EXPECT_THAT(errorWith("rms_norm =", "rms_nrom =").problem(), HasSubstr("'kernels.rms_norm' is missing"));
    EXPECT_THAT(errorWith("value = \"module\"", "value = \"split\"").valid(), HasSubstr("composite, fused"));
    EXPECT_THAT(errorWith("\"efficient\"", "\"fast\"").problem(), HasSubstr("'attention.priority.value' is 'fast'"));
    EXPECT_THAT(errorWith("bytes = 33554432", "bytes = 33554432\nmore = 1").problem(),
        HasSubstr("'cublas.exception.more' is unknown, found 1 (integer)"));
    EXPECT_THAT(
        errorWith("bytes_per_call", "bytes_per_calls").problem(), HasSubstr("'cublaslt.bytes_per_call' is missing"));
    EXPECT_THAT(errorWith("from_capability = \"9.0\"", "from_capability = 9").problem(),
        HasSubstr("'cublas.exception.from_capability' is 9 (integer)"));
    EXPECT_THAT(errorWith("[allocator]", "[extra]\n[allocator]").problem(), HasSubstr("'extra' is unknown"));
}

} // namespace
} // namespace headroom::simulator::runtime_profile_test
