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

} // namespace
} // namespace headroom::cli
