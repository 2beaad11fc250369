// SPDX-License-Identifier: Apache-2.0
//
// headroom-worker itself gets lines that the program would never write: it answers each, and none ends it.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

namespace headroom::cli {
namespace {

// What the worker prints for these input lines.
std::string answersTo(const std::string& lines)
{
#ifdef REAL_WORKER
    const std::string command = "printf '%s\\n' '" + lines + "' | " + REAL_WORKER + " 2>/dev/null; echo exit $?";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::string text;
    std::array<char, 4096> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr)
        text += buffer.data();
    ::pclose(pipe);
    return text;
#else
    return lines;
#endif
}

TEST(WorkerLinesTest, malformedOnesAreAnsweredAndTheNextIsServed)
{
#ifndef REAL_WORKER
    GTEST_SKIP() << "headroom-worker is not part of this build";
#endif
    const std::string describe = R"({"protocol_version":1,"request":"describe","id":7})";
    for (const char* line : {R"({"request":5})", R"({"request":"cancel","id":"x"})", "[]", "nonsense",
             R"({"protocol_version":9,"request":"describe","id":1})",
             R"({"protocol_version":1,"request":"run","id":1})"}) {
        const std::string answers = answersTo(std::string(line) + "\n" + describe);
        EXPECT_NE(answers.find("\"outcome\":\"failed\""), std::string::npos) << line << "\n" << answers;
        EXPECT_NE(answers.find("\"event\":\"description\",\"id\":7"), std::string::npos) << line << "\n" << answers;
        EXPECT_NE(answers.find("exit 0"), std::string::npos) << line << "\n" << answers;
    }
}

#ifdef REAL_WORKER
constexpr bool kHasWorker = true;
#else
constexpr bool kHasWorker = false;
#endif

// LibTorch settles once in a process whether it has CUDA: where there is a GPU, the run must say that it needs a fresh
// worker, where there is none, why.
TEST(WorkerLinesTest, aRunOnCudaAfterASimulationSaysWhyItCannotBe)
{
    if (!kHasWorker)
        GTEST_SKIP() << "headroom-worker is not part of this build";
    const std::string trial = R"("trial":{"model":{"name":"ffn-stack-tiny"},"workload":{"step":"forward_backward"},)"
                              R"("device":{"name":")";
    const std::string answers = answersTo(R"({"protocol_version":1,"request":"describe","id":1})"
                                          "\n"
                                          R"({"protocol_version":1,"request":"simulate","id":2,)"
        + trial + "sim:t4\"}}}"
        + "\n"
          R"({"protocol_version":1,"request":"run","id":3,)"
        + trial + "cuda:0\"}}}");
    const bool hasGpu = answers.find("\"cuda_usable\":true") != std::string::npos;
    EXPECT_NE(answers.find("\"outcome\":\"completed\""), std::string::npos) << answers;
    EXPECT_NE(answers.find("\"outcome\":\"failed\""), std::string::npos) << answers;
    EXPECT_EQ(answers.find("a fresh worker for each trial on cuda:N") != std::string::npos, hasGpu) << answers;
    EXPECT_NE(answers.find("exit 0"), std::string::npos) << answers;
}

TEST(WorkerLinesTest, aRunWithOtherAllocatorSettingsThanTheWorkersIsRefused)
{
    if (!kHasWorker)
        GTEST_SKIP() << "headroom-worker is not part of this build";
    const std::string answers = answersTo(R"({"protocol_version":1,"request":"run","id":1,"trial":{"model":)"
                                          R"({"name":"ffn-stack-tiny"},"device":{"name":"cuda:0","allocator":)"
                                          R"("expandable_segments:True"}}})");
    EXPECT_NE(answers.find("a fresh worker with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"), std::string::npos)
        << answers;
}

} // namespace
} // namespace headroom::cli
