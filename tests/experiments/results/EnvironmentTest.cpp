// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/Environment.h"

#include "core/config/Installation.h"

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

TEST(EnvironmentTest, saysHowTheWorkersThreadsWaitUnlessTheUserHasDecided)
{
    EXPECT_EQ(toJson(captureEnvironment())["variables"]["OMP_WAIT_POLICY"], "passive");
    ::setenv("OMP_WAIT_POLICY", "active", 1);
    EXPECT_EQ(toJson(captureEnvironment())["variables"]["OMP_WAIT_POLICY"], "active");
    ::unsetenv("OMP_WAIT_POLICY");
    ::setenv("GOMP_SPINCOUNT", "100", 1);
    const OrderedJson variables = toJson(captureEnvironment())["variables"];
    ::unsetenv("GOMP_SPINCOUNT");
    EXPECT_EQ(variables["GOMP_SPINCOUNT"], "100");
    EXPECT_FALSE(variables.contains("OMP_WAIT_POLICY"));
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
