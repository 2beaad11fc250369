// SPDX-License-Identifier: Apache-2.0

#include "profiling/collectors/cupti/CuptiStatus.h"

#include <gmock/gmock.h>

#include <map>
#include <sstream>

namespace headroom::collectors::cupti {
namespace {

using testing::HasSubstr;

std::string clientWith(const std::map<std::string, std::string>& variables, const std::string& maps = "")
{
    std::istringstream stream(maps);
    return otherClient(
        [&](const char* name) {
            const auto it = variables.find(name);
            return it == variables.end() ? std::string() : it->second;
        },
        stream);
}

TEST(OtherClientsTest, isNobodyInAPlainProcess)
{
    EXPECT_EQ(clientWith({},
                  "7f00-7f01 r-xp 00000000 08:01 12 /opt/a b/libcupti.so.13\n7f01-7f02 rw-p 0 00:00 0\n"
                  "7f02-7f03 r--p 00001000 08:01 12 /opt/a b/libcupti.so.13\n7f04-7f05 rw-p 0 00:00 0 [heap]\n"),
        "");
    EXPECT_EQ(otherClient(), ""); // this one
}

TEST(OtherClientsTest, areSeenByTheirVariables)
{
    for (const char* name : {"KINETO_USE_DAEMON", "CUDA_INJECTION64_PATH", "NSYS_PROFILING_SESSION_ID"})
        EXPECT_THAT(clientWith({{name, "1"}}), HasSubstr(name));
}

TEST(OtherClientsTest, twoCopiesOfTheLibraryAreTwoClients)
{
    const std::string reason =
        clientWith({}, "1-2 r-xp 0 08:01 12 /a/libcupti.so.13\n2-3 r-xp 0 08:01 13 /b/libcupti-1234.so.13\n");
    EXPECT_THAT(reason, HasSubstr("/a/libcupti.so.13"));
    EXPECT_THAT(reason, HasSubstr("/b/libcupti-1234.so.13"));
}

TEST(CuptiStatusTest, theCodesOfSomebodyElseSaySo)
{
    for (const CUptiResult result :
        {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, CUPTI_ERROR_MAX_LIMIT_REACHED, CUPTI_ERROR_DISABLED})
        EXPECT_THAT(explain(result, "Nsight Systems"), HasSubstr("another tool uses CUPTI in this process (Nsight"));
    EXPECT_THAT(explain(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES), HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
    EXPECT_EQ(explain(CUPTI_ERROR_UNKNOWN), "CUPTI_ERROR_UNKNOWN");
    EXPECT_EQ(explain(CUPTI_SUCCESS), "");
}

TEST(CuptiStatusTest, theLinkedLibraryIsAsNewAsItsHeaders)
{
    EXPECT_EQ(libraryProblem(), "");
}

} // namespace
} // namespace headroom::collectors::cupti
