// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/ThreadWithoutFiles.h"

#include "tests/profiling/store/StoreTest.h"

#include <gmock/gmock.h>

#include <thread>

namespace headroom::store {
namespace {

using testing::HasSubstr;

class ThreadWithoutFilesTest : public StoreTest {
protected:
    static std::string refusalOf(const std::function<void()>& body)
    {
        try {
            body();
        } catch (const FileError&) {
            return "a file error, which some answer by trying again";
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    }
};

TEST_F(ThreadWithoutFilesTest, itOpensNoFile)
{
    create();
    const ThreadWithoutFiles here;
    for (const Access access : {Access::ReadOnly, Access::ReadWrite, Access::Create})
        EXPECT_THAT(refusalOf([&] { Workspace::open(workspacePath(), access); }),
            testing::AllOf(HasSubstr("this thread"), HasSubstr(workspacePath().string())));
    EXPECT_THAT(refusalOf([&] { SpoolWriter(file("spool")); }), HasSubstr("this thread"));
    EXPECT_FALSE(std::filesystem::exists(file("spool")));
}

TEST_F(ThreadWithoutFilesTest, itRunsNoStatementOnAFileThatIsOpen)
{
    Workspace workspace = create();
    const std::int64_t trial = addTrial(workspace);
    const ThreadWithoutFiles here;
    EXPECT_THAT(refusalOf([&] { workspace.experiments(); }), HasSubstr("this thread"));
    EXPECT_THAT(refusalOf([&] { workspace.trace().tracks(1); }), HasSubstr("this thread"));
    EXPECT_THAT(refusalOf([&] { workspace.dataVersion(); }), HasSubstr("this thread"));
    EXPECT_THAT(refusalOf([&] { workspace.setTrialStatus(trial, TrialStatus::Done); }), HasSubstr("this thread"));
    EXPECT_THAT(refusalOf([&] { workspace.importRepeat(repeatOf(trial, 0)); }), HasSubstr("this thread"));
}

TEST_F(ThreadWithoutFilesTest, otherThreadsDoAsBefore)
{
    const ThreadWithoutFiles here;
    std::string elsewhere;
    std::thread([&] { elsewhere = refusalOf([&] { create(); }); }).join();
    EXPECT_EQ(elsewhere, "no error");
}

TEST_F(ThreadWithoutFilesTest, theThreadIsFreeAgainAfterTheLastOne)
{
    {
        const ThreadWithoutFiles outer;
        const ThreadWithoutFiles inner;
    }
    EXPECT_EQ(refusalOf([&] { create(); }), "no error");
}

} // namespace
} // namespace headroom::store
