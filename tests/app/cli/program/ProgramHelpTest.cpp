// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Catalogue.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

namespace headroom::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

using ProgramHelpTest = Program;

const std::vector<std::string> kCommands{"run", "fit", "plan", "fill", "effects", "settings", "cost", "validate",
    "calibrate", "ghost", "models", "parity", "techniques", "devices", "presets", "env", "doctor"};

TEST_F(ProgramHelpTest, theProgramListsItsCommandsWithExamples)
{
    const Ended ended = run("--help");
    EXPECT_EQ(ended.exitCode, 0);
    EXPECT_THAT(ended.err, IsEmpty());
    for (const std::string& command : kCommands)
        EXPECT_THAT(ended.out, HasSubstr("\n  " + command + " "));
    EXPECT_THAT(ended.out, HasSubstr("Examples:"));
}

TEST_F(ProgramHelpTest, everyCommandSaysWhatItDoes)
{
    for (const std::string& command : kCommands)
        for (const char* flag : {" --help", " -h"}) {
            const Ended ended = run(command + flag);
            EXPECT_EQ(ended.exitCode, 0) << command;
            EXPECT_THAT(ended.err, IsEmpty()) << command;
            EXPECT_THAT(ended.out, HasSubstr("Usage: headroom " + command)) << command;
            EXPECT_THAT(ended.out, HasSubstr("--format F")) << command;
        }
    EXPECT_TRUE(files().empty());
}

TEST_F(ProgramHelpTest, runHasAFlagForEveryTechniqueWithItsNotation)
{
    const Ended ended = run("run --help");
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        std::string flag = "--" + technique.key;
        std::replace(flag.begin(), flag.end(), '_', '-');
        EXPECT_THAT(ended.out, HasSubstr(flag + " NOTATION"));
        EXPECT_THAT(ended.out, HasSubstr(technique.validForms()));
    }
}

TEST_F(ProgramHelpTest, theVersionHasThreeNumbers)
{
    const Ended ended = run("--version");
    EXPECT_EQ(ended.exitCode, 0);
    EXPECT_THAT(ended.out, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(ProgramHelpTest, withoutACommandItSaysThatOneIsMissing)
{
    const Ended ended = run("");
    EXPECT_EQ(ended.exitCode, 2);
    EXPECT_EQ(ended.err, "headroom: error: a command is missing (headroom --help lists them)\n");
    EXPECT_THAT(ended.out, IsEmpty());
}

} // namespace
} // namespace headroom::cli
