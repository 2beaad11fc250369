// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/Environment.h"

#include "core/config/Installation.h"
#include "tests/support/UndecidedVariables.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace headroom::experiments {
namespace {

TEST(EnvironmentTest, knowsTheMachine)
{
    const Environment environment = captureEnvironment();
    EXPECT_FALSE(environment.host.empty());
    EXPECT_TRUE(environment.kernel.starts_with("Linux "));
    EXPECT_GE(environment.logicalCpus, 1);
    EXPECT_GT(environment.memoryBytes, 100 * kMiB);
    EXPECT_EQ(environment.headroomVersion, config::version());
}

TEST(EnvironmentTest, keepsOnlyVariablesThatChangeResults)
{
    ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8\xff", 1);
    ::setenv("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True", 1);
    ::setenv("SECRET_TOKEN", "secret", 1);
    const OrderedJson json = toJson(captureEnvironment());
    for (const char* name : {"CUBLAS_WORKSPACE_CONFIG", "PYTORCH_CUDA_ALLOC_CONF", "SECRET_TOKEN"})
        ::unsetenv(name);
    EXPECT_EQ(json["variables"]["CUBLAS_WORKSPACE_CONFIG"], ":4096:8\xEF\xBF\xBD");
    EXPECT_FALSE(json["variables"].contains("PYTORCH_CUDA_ALLOC_CONF")) << "workers do not get it";
    EXPECT_EQ(json.dump().find("secret"), std::string::npos);
}

OrderedJson variablesWith(const char* name, const char* value)
{
    const EnvironmentVariable variable(name, value);
    return toJson(captureEnvironment())["variables"];
}

TEST(EnvironmentTest, saysHowTheWorkersThreadsWaitUnlessTheUserHasDecided)
{
    const UndecidedVariables undecided;
    const OrderedJson own = toJson(captureEnvironment())["variables"];
    EXPECT_EQ(own["OMP_WAIT_POLICY"], "passive");
    EXPECT_EQ(own["GOMP_SPINCOUNT"], "1000");
    const OrderedJson active = variablesWith("OMP_WAIT_POLICY", "active");
    EXPECT_EQ(active["OMP_WAIT_POLICY"], "active");
    EXPECT_FALSE(active.contains("GOMP_SPINCOUNT"));
    const OrderedJson counted = variablesWith("GOMP_SPINCOUNT", "100");
    EXPECT_EQ(counted["GOMP_SPINCOUNT"], "100");
    EXPECT_FALSE(counted.contains("OMP_WAIT_POLICY"));
    EXPECT_EQ(counted["MALLOC_TRIM_THRESHOLD_"], own["MALLOC_TRIM_THRESHOLD_"]);
}

TEST(EnvironmentTest, saysWhatBecomesOfTheWorkersFreedMemoryUnlessTheUserHasDecided)
{
    const UndecidedVariables undecided;
    const OrderedJson own = toJson(captureEnvironment())["variables"];
    EXPECT_EQ(own["MALLOC_TRIM_THRESHOLD_"], "68719476736");
    EXPECT_EQ(own["MALLOC_MMAP_THRESHOLD_"], "33554432");
    for (const char* decided : {"MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_"}) {
        const OrderedJson variables = variablesWith(decided, "131072");
        EXPECT_EQ(variables[decided], "131072");
        EXPECT_EQ(variables.size(), own.size() - 1) << variables;
        EXPECT_EQ(variables["GOMP_SPINCOUNT"], own["GOMP_SPINCOUNT"]);
    }
    EXPECT_FALSE(
        variablesWith("GLIBC_TUNABLES", "glibc.malloc.trim_threshold=131072").contains("MALLOC_TRIM_THRESHOLD_"));
}

TEST(EnvironmentTest, whatIsUnknownIsNull)
{
    const OrderedJson json = toJson(Environment{});
    for (const char* key : {"host", "operating_system", "kernel", "cpu_model", "logical_cpus", "memory_bytes",
             "worker_version", "libtorch_version", "cuda_usable", "cuda_reason"})
        EXPECT_TRUE(json.at(key).is_null()) << key;
}

} // namespace
} // namespace headroom::experiments
