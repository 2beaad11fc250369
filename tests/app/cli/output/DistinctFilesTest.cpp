// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/DistinctFiles.h"

#include "core/base/Error.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>
#include <unistd.h>

namespace headroom::cli::distinct_files_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class DistinctFilesTest : public testing::Test {
protected:
    fs::path path(const std::string& name) const { return m_folder.path() / name; }

    static std::string refused(DistinctFiles& files, const fs::path& path)
    {
        return refusal([&] { files.write("--junit", path); });
    }

    TemporaryFolder m_folder;
};

TEST_F(DistinctFilesTest, linksAndSpellingsLeadToTheSameFile)
{
    m_folder.write("a", "x");
    m_folder.write("folder/b", "x");
    fs::create_hard_link(path("a"), path("hard"));
    fs::create_symlink("a", path("soft"));
    fs::create_symlink("folder", path("way"));
    for (const fs::path& other : {path("a"), path("hard"), path("soft"), path("folder/../a"), path("way/../a")})
        EXPECT_TRUE(isSameFile(path("a"), other)) << other;
    EXPECT_TRUE(isSameFile(path("way/b"), path("folder/b")));
    EXPECT_FALSE(isSameFile(path("a"), path("folder/b")));
}

TEST_F(DistinctFilesTest, soDoThePathsOfAFileThatIsNotThereYet)
{
    fs::create_directory(path("folder"));
    fs::create_symlink("folder", path("way"));
    fs::create_symlink("new", path("soft"));
    fs::create_symlink(path("soft"), path("softer"));
    for (const fs::path& other : {path("./new"), path("folder/../new"), path("soft"), path("softer")})
        EXPECT_TRUE(isSameFile(path("new"), other)) << other;
    EXPECT_TRUE(isSameFile(path("way/new"), path("folder/new")));
    EXPECT_FALSE(isSameFile(path("new"), path("newer")));
}

TEST_F(DistinctFilesTest, devicesAreNotReplaced)
{
    DistinctFiles files;
    files.write("--events", "/dev/null");
    EXPECT_NO_THROW(files.write("--junit", "/dev/null"));
}

TEST_F(DistinctFilesTest, aMessageSaysWhichFileItIs)
{
    DistinctFiles files;
    files.keep(path("spec.toml"), "the spec");
    files.write("--events", path("out"));
    EXPECT_EQ(refused(files, path("spec.toml")),
        "--junit: \"" + path("spec.toml").string() + "\" is the spec (valid: a file of its own)");
    EXPECT_EQ(refused(files, path("./out")),
        "--junit: \"" + path("./out").string() + "\" is the file of --events too (valid: a file of its own)");
}

TEST_F(DistinctFilesTest, aWorkspaceIsAllThatLiesBesideIt)
{
    fs::create_symlink("w.db", path("link.db"));
    for (const char* name : {"w.db", "link.db"}) {
        DistinctFiles files;
        files.keepWorkspace(path(name));
        for (const char* part :
            {"w.db", "w.db-wal", "w.db-shm", "w.db-journal", "w.db.1-0.spool", "w.db.1-0.spool-wal", "w.db.1.run"})
            EXPECT_THAT(refused(files, path(part)), HasSubstr("the workspace itself")) << part;
        for (const char* other : {"w.dbx", "w.db.html", "w.db-notes", "v.db-wal"})
            EXPECT_NO_THROW(files.write("--events", path(other))) << other;
    }
}

TEST_F(DistinctFilesTest, weightsAreAllFilesOfThem)
{
    for (const char* name : {"m/config.json", "m/a.safetensors", "i/x.index.json", "i/b.safetensors", "i/report.xml"})
        m_folder.write(name, "x");
    DistinctFiles files;
    files.keepWeights(path("m"));
    files.keepWeights(path("i/x.index.json"));
    for (const char* name : {"m/config.json", "m/a.safetensors", "i/x.index.json", "i/b.safetensors"})
        EXPECT_THAT(refused(files, path(name)), HasSubstr("a file of the model's weights")) << name;
    EXPECT_NO_THROW(files.write("--junit", path("i/report.xml")));
}

} // namespace
} // namespace headroom::cli::distinct_files_test
