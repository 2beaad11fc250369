// SPDX-License-Identifier: Apache-2.0
//
// A workspace of somebody else: what it says is shown, and nothing of it is run.
#include "tests/app/cli/program/Program.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

namespace headroom::cli::program_foreign_workspace_test {
namespace {

using testing::HasSubstr;

const std::string kRun = "run --model ffn-stack-tiny --device cpu --split-ffn off,2";

class ProgramForeignWorkspaceTest : public Program {
protected:
    // Wherever a workspace has a word of a command, a folder or a host, it is one that leaves a file behind.
    void SetUp() override
    {
        ASSERT_EQ(run(kRun).exitCode, 0);
        m_command = "touch " + path("victim");
        SQLite::Database workspace(path("headroom.db"), SQLite::OPEN_READWRITE);
        set(workspace, "UPDATE experiments SET command_line = ?", m_command);
        set(workspace, "UPDATE experiments SET spec_toml = spec_toml || ?",
            "\n[rehearsal]\ncommand = \"" + m_command + "\"\nenvironment = \"" + path("") + "\"\n");
        set(workspace, "UPDATE environments SET json = json_set(json, '$.host', ?, '$.command', 'touch')",
            "$(" + m_command + ")");
        set(workspace, "UPDATE trials SET label = ? || ordinal", "`" + m_command + "`; " + m_command + " #");
    }

    static void set(SQLite::Database& workspace, const char* sql, const std::string& value)
    {
        SQLite::Statement statement(workspace, sql);
        statement.bind(1, value);
        ASSERT_GT(statement.exec(), 0) << sql;
    }

    std::string m_command;
};

TEST_F(ProgramForeignWorkspaceTest, itsCommandsAreShownAndNotRun)
{
    const std::size_t asked = requests();
    for (const char* command : {"report -o r.md", "report -o r.html", "report -o r.csv", "report -o r.json",
             "compare headroom.db headroom.db", "workspace list", "workspace check", "doctor headroom.db"}) {
        const Ended ended = run(command);
        EXPECT_EQ(ended.exitCode, 0) << command << ": " << ended.err;
        EXPECT_FALSE(exists("victim")) << command;
    }
    EXPECT_THAT(contents("r.md"), HasSubstr(m_command));
    EXPECT_EQ(requests(), asked);
}

TEST_F(ProgramForeignWorkspaceTest, whatIsResumedIsWhatWasTyped)
{
    SQLite::Database(path("headroom.db"), SQLite::OPEN_READWRITE).exec("DELETE FROM repeats WHERE id = 1");
    const std::size_t asked = requests();
    EXPECT_EQ(run(kRun + " --resume").exitCode, 0);
    EXPECT_EQ(requests(), asked + 1);
    EXPECT_FALSE(exists("victim"));
}

} // namespace
} // namespace headroom::cli::program_foreign_workspace_test
