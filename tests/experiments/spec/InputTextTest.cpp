// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/InputText.h"

#include "experiments/spec/BudgetReader.h"
#include "experiments/spec/SpecLoader.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

namespace headroom::experiments::input_text_test {
namespace {

class InputTextTest : public testing::Test {
protected:
    std::string path(const std::string& name) const { return (m_folder.path() / name).string(); }

    std::string pipe() const
    {
        EXPECT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
        return path("pipe");
    }

    static std::string read(const std::string& file) { return readInput(file, "spec", "a file"); }
    static std::string refused(const std::string& file)
    {
        return refusal<FileError>([&] { read(file); });
    }

    TemporaryFolder m_folder;
};

TEST_F(InputTextTest, aFileIsReadToItsEnd)
{
    const std::string text(300'000, 'x');
    m_folder.write("a", text);
    m_folder.write("empty", "");
    EXPECT_EQ(read(path("a")), text);
    EXPECT_EQ(read(path("empty")), "");
}

TEST_F(InputTextTest, aPipeIsReadUntilItsWriterHasGone)
{
    const std::string file = pipe();
    const std::string text(300'000, 'x'); // more than a pipe holds
    std::jthread writer([&] { std::ofstream(file) << text; });
    EXPECT_EQ(read(file), text);
}

// As `<(command)` that thinks before it writes.
TEST_F(InputTextTest, aWriterThatTakesItsTimeIsWaitedFor)
{
    const std::string file = pipe();
    std::jthread writer([&] {
        std::ofstream stream(file);
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        stream << "late";
    });
    EXPECT_EQ(read(file), "late");
}

TEST_F(InputTextTest, aPipeThatNobodyWritesToIsRefused)
{
    const std::string file = pipe();
    EXPECT_EQ(refused(file), file + ": spec cannot be read: nobody writes to this pipe (valid: a file)");
    EXPECT_THROW(loadSpecFile(file, {}), FileError);
    EXPECT_THROW(loadBudgetFile(file), FileError);
}

TEST_F(InputTextTest, aWriterThatSaysNothingMoreIsNotWaitedForWithoutEnd)
{
    const std::string file = pipe();
    const int writer = ::open(file.c_str(), O_RDWR | O_CLOEXEC); // does not wait for a reader
    ASSERT_EQ(::write(writer, "name", 4), 4);
    // Ends the waiting of a version that would go on with it.
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::seconds(3));
        ::close(writer);
    });
    EXPECT_EQ(refusal<FileError>([&] { readInput(file, "spec", "a file", std::chrono::milliseconds(200)); }),
        file + ": spec cannot be read: its writer says nothing (waited 0.2 s) (valid: a file)");
}

TEST_F(InputTextTest, devicesAndFoldersAreRefused)
{
    for (const char* device : {"/dev/zero", "/dev/null", "/dev/full"})
        EXPECT_EQ(
            refused(device), std::string(device) + ": spec cannot be read: it is no regular file (valid: a file)");
    EXPECT_EQ(refused(path("")), path("") + ": spec cannot be read (valid: a file)");
    EXPECT_EQ(refused(path("none")), path("none") + ": spec cannot be read (valid: a file)");
}

TEST_F(InputTextTest, whatHasNoEndIsRefusedAtTheLimit)
{
    m_folder.write("large", "");
    std::filesystem::resize_file(path("large"), kLargestInput + 1);
    EXPECT_EQ(refused(path("large")), path("large") + ": spec cannot be read: it has more than 64 MiB (valid: a file)");
    const std::string file = pipe();
    std::jthread writer([&] {
        const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
        const std::string block(1 << 16, '#');
        std::signal(SIGPIPE, SIG_IGN);
        while (::write(descriptor, block.data(), block.size()) > 0) { }
        ::close(descriptor);
    });
    EXPECT_THAT(refused(file), testing::HasSubstr("more than 64 MiB"));
}

} // namespace
} // namespace headroom::experiments::input_text_test
