// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/store/StoreTest.h"
#include "tests/support/Checkout.h"

#include <fmt/format.h>

namespace headroom::store {
namespace {

class DocumentedQueriesTest : public StoreTest {
protected:
    // A workspace in which every table has rows.
    void fill() const
    {
        Workspace workspace = create();
        const std::int64_t trial = addTrial(workspace, 2);
        RepeatImport source = repeatOf(trial, 0);
        source.repeat.startedAt = Timestamp(std::chrono::seconds(1'700'000'000));
        source.repeat.finishedAt = Timestamp(std::chrono::seconds(1'700'000'009));
        source.repeat.peakAllocatedBytes = 5 * kGiB;
        source.repeat.resultJson = R"({"outcome":"completed","memory":{"fits":true}})";
        source.repeat.environment = workspace.addEnvironment(R"({"cpu":"x"})");
        source.samples = {{0, 0.5}, {1, 0.25}, {2, 0.75}};
        source.phases = {{"forward", 0, 0, 500'000}};
        source.diagnostics.emplace_back().kind = "dropped_events";
        source.tracks.push_back({"device", trace::randomTrace(20'000), {}});
        workspace.importRepeat(source);
        workspace.importRepeat(repeatOf(trial, 1, Outcome::OutOfMemory));
    }

    std::vector<std::string> examples() const
    {
        std::vector<std::string> queries;
        for (std::size_t begin = 0; (begin = m_page.find("```sql\n", begin)) != std::string::npos;) {
            begin += 7;
            queries.push_back(m_page.substr(begin, m_page.find("```", begin) - begin));
        }
        return queries;
    }

    const std::string m_page = contentOf(checkout("docs/database.md"));
};

TEST_F(DocumentedQueriesTest, everyExampleRunsAndFindsSomething)
{
    fill();
    SQLite::Database database(workspacePath().string(), SQLite::OPEN_READONLY);
    EXPECT_GE(examples().size(), 5U);
    for (const std::string& sql : examples()) {
        SQLite::Statement statement(database, sql);
        EXPECT_TRUE(statement.executeStep()) << sql;
    }
}

TEST_F(DocumentedQueriesTest, everyTableAndColumnIsDescribed)
{
    fill();
    SpoolWriter(file("spool")).finish();
    for (const auto& path : {workspacePath(), file("spool")}) {
        SQLite::Database database(path.string(), SQLite::OPEN_READONLY);
        SQLite::Statement columns(database,
            "SELECT t.name, c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c "
            "WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'");
        while (columns.executeStep()) {
            const std::string table = columns.getColumn(0).getString();
            const std::size_t section = m_page.find(fmt::format("### `{}`", table));
            ASSERT_NE(section, std::string::npos) << table;
            const std::string text = m_page.substr(section, m_page.find("\n##", section + 5) - section);
            EXPECT_NE(text.find(fmt::format("`{}`", columns.getColumn(1).getString())), std::string::npos)
                << table << '.' << columns.getColumn(1).getString();
        }
    }
}

} // namespace
} // namespace headroom::store
