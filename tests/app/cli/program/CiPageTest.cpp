// SPDX-License-Identifier: Apache-2.0
//
// Checks docs/ci.md by running the files and commands on the page.
#include "core/config/catalogue/Catalogue.h"
#include "tests/app/cli/program/Program.h"
#include "tests/app/cli/run/JUnitFile.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>

namespace headroom::cli::ci_page_test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

struct Block {
    std::string language;
    std::vector<std::string> lines;

    std::string text() const
    {
        std::string text;
        for (const std::string& line : lines)
            text += line + "\n";
        return text;
    }
};

std::string page()
{
    return contentOf(checkout("docs/ci.md"));
}

std::vector<Block> blocksOf(const std::string& language)
{
    std::vector<Block> blocks;
    bool isInside = false;
    for (const std::string& line : linesOf(page())) {
        if (line.starts_with("```")) {
            isInside = !isInside;
            if (isInside)
                blocks.push_back({line.substr(3), {}});
        } else if (isInside) {
            blocks.back().lines.push_back(line);
        }
    }
    std::erase_if(blocks, [&](const Block& block) { return block.language != language; });
    return blocks;
}

std::size_t indentOf(const std::string& line)
{
    return std::min(line.find_first_not_of(' '), line.size());
}

// A line without its indentation and, for a list element, without its dash.
std::string bare(const std::string& line)
{
    return std::regex_replace(line, std::regex("^ *(- )?"), "");
}

// The commands of a shell or YAML block, each joined into one line from its continuations after a backslash or below a
// list element.
std::vector<std::string> commandsOf(const Block& block)
{
    std::vector<std::string> commands;
    bool goesOn = false;
    for (const std::string& line : block.lines) {
        const std::string text = bare(line);
        if (text.starts_with("headroom "))
            commands.push_back(text);
        else if (!commands.empty() && (goesOn || text.starts_with("--")))
            commands.back() += " " + text;
        goesOn = line.ends_with("\\");
        if (!commands.empty() && commands.back().ends_with("\\"))
            commands.back().pop_back();
    }
    return commands;
}

// Ids are hashes over all settings, so a new technique changes every id.
std::string withoutIds(const std::string& text)
{
    return std::regex_replace(text, std::regex("\\b[0-9a-f]{8}\\b"), "ID");
}

class CiPageTest : public Program {
protected:
    void SetUp() override
    {
        for (const Block& block : blocksOf("toml"))
            write(block.lines.front().substr(2), block.text()); // the first line is "# NAME"
    }

    // Runs a command as the shell of a CI system would, in this test's folder.
    Ended shell(const std::string& command) const
    {
        const std::string folder = path("");
        const std::string program = std::filesystem::path(HEADROOM_PROGRAM).parent_path().string();
        const std::string environment = "cd '" + folder + "' && export PATH='" + program
            + "':\"$PATH\" HEADROOM_RESOURCES='" HEADROOM_SOURCE_DIR "/resources' GITHUB_STEP_SUMMARY='" + folder
            + "step-summary.md' CI_NODE_INDEX=2 CI_NODE_TOTAL=2 && ";
        const int status = std::system((environment + command + " >standard-output 2>standard-error").c_str());
        return {WEXITSTATUS(status), contents("standard-output"), contents("standard-error")};
    }
};

#ifdef REAL_WORKER
TEST_F(CiPageTest, itsCommandsSucceed)
{
    std::size_t count = 0;
    for (const char* language : {"sh", "yaml"})
        for (const Block& block : blocksOf(language))
            for (const std::string& written : commandsOf(block)) {
                const std::string command =
                    std::regex_replace(written, std::regex(R"(\$\{\{ matrix\.shard \}\})"), "1");
                const Ended ended = shell(command);
                EXPECT_EQ(ended.exitCode, 0) << command << "\n" << ended.err;
                ++count;
            }
    EXPECT_EQ(count, 10u);
    EXPECT_THAT(contents("step-summary.md"), HasSubstr("`ffn-split`, shard 1/2: passed"));
    EXPECT_THAT(contents("summary.md"), HasSubstr("`ffn-split`: passed"));
    EXPECT_EQ(readJUnit(path("junit.xml")).at("properties").at("shard"), "2/2");
    EXPECT_TRUE(exists("results.db"));
}

TEST_F(CiPageTest, whatItShowsIsWhatIsPrinted)
{
    const std::string command = commandsOf(blocksOf("sh").front()).front();
    const std::vector<Block> shown = blocksOf("");
    ASSERT_THAT(shown, SizeIs(2));
    const Ended held = shell(command);
    for (const std::string& line : shown.at(0).lines)
        if (line.starts_with("budget ")) {
            EXPECT_THAT(held.err, HasSubstr(line + "\n"));
        }
    write("budgets.toml",
        std::regex_replace(contents("budgets.toml"), std::regex("max_peak_gib = 10"), "max_peak_gib = 6"));
    const Ended exceeded = shell(command);
    EXPECT_EQ(exceeded.exitCode, 1);
    for (const std::string& line : shown.at(1).lines)
        if (line != "  ...") {
            EXPECT_THAT(withoutIds(exceeded.err), HasSubstr(withoutIds(line) + "\n"));
        }
}
#endif

// Checks enough of YAML's rules to notice a slip; only each CI system knows how it interprets the file.
TEST_F(CiPageTest, itsYamlIsWellFormed)
{
    const std::vector<Block> files = blocksOf("yaml");
    ASSERT_THAT(files, SizeIs(2));
    const std::regex entry(R"( *(- )?([A-Za-z_.-]+:( .*)?|- .+|[^:]+)$)");
    for (const Block& file : files) {
        std::size_t scalar = 0; // deeper lines belong to a block scalar or continue the previous line
        for (const std::string& line : file.lines) {
            EXPECT_THAT(line, Not(HasSubstr("\t")));
            EXPECT_EQ(indentOf(line) % 2, 0u) << line;
            if (scalar > 0 && indentOf(line) > scalar)
                continue;
            scalar = 0;
            EXPECT_TRUE(line.starts_with("#") || std::regex_match(line, entry)) << line;
            if (line.ends_with(": |") || bare(line).starts_with("headroom "))
                scalar = indentOf(line);
        }
    }
    EXPECT_THAT(files.at(0).text(), ContainsRegex("\njobs:\n  [a-z]+:\n    runs-on: "));
    EXPECT_THAT(files.at(1).text(), ContainsRegex("\n  script:\n    - headroom run "));
}

TEST_F(CiPageTest, namesNoHost)
{
    EXPECT_THAT(page(), Not(HasSubstr("://")));
}

TEST_F(CiPageTest, hasEveryKeyOfABudget)
{
    write("budgets.toml", "[[budget]]\nno_such_key = 1\n");
    const std::string message = run("run demo --dry-run --budgets budgets.toml").err;
    const auto begin = message.find("(valid: ") + 8;
    std::size_t count = 0;
    std::istringstream keys(message.substr(begin, message.rfind(')') - begin));
    const auto techniques = config::techniqueKeys(); // the page says that each of them is a key
    for (std::string key; std::getline(keys >> std::ws, key, ','); ++count) {
        if (std::find(techniques.begin(), techniques.end(), key) == techniques.end()) {
            EXPECT_THAT(page(), HasSubstr("`" + key + "`"));
        }
    }
    EXPECT_GE(count, 14u);
}

} // namespace
} // namespace headroom::cli::ci_page_test
