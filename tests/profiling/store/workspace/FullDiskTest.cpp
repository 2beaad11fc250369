// SPDX-License-Identifier: Apache-2.0
//
// A workspace on a disk of its own that is full, where the system lets a test have one.
#include "tests/profiling/store/StoreTest.h"

#include "tests/support/ChildProcess.h"

#include <fcntl.h>
#include <functional>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

namespace headroom::store::full_disk_test {
namespace {

constexpr int kNoDisk = 77; ///< exit code of a child that may not mount one
constexpr int kRepeats = 40;

class FullDiskTest : public StoreTest {
protected:
    // Over the test's folder, for the calling process alone.
    void mountDisk() const
    {
        const int spaces = CLONE_NEWNS | (::geteuid() == 0 ? 0 : CLONE_NEWUSER);
        if (::unshare(spaces) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
            || ::mount("tmpfs", m_folder.path().c_str(), "tmpfs", 0, "size=64m") != 0)
            ::_exit(kNoDisk);
    }

    // Takes all room of the disk but for so much.
    void leaveFree(off_t bytes) const
    {
        const int filler = ::open(file("filler").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        const std::string block(4096, 'x');
        off_t written = 0;
        for (ssize_t count = 0; (count = ::write(filler, block.data(), block.size())) > 0;)
            written += count;
        EXPECT_EQ(::ftruncate(filler, written - bytes), 0);
        ::close(filler);
    }

    std::int64_t fill() const
    {
        Workspace workspace = create();
        const std::int64_t trial = addTrial(workspace, kRepeats);
        for (int repeat = 0; repeat < kRepeats; ++repeat) {
            RepeatImport source = repeatOf(trial, repeat);
            source.tracks.push_back({"device", trace::randomTrace(20'000), {}});
            workspace.importRepeat(source);
        }
        return workspace.findTrial(trial)->experiment;
    }

    void onAFullDisk(const std::function<void()>& body)
    {
        const int code = exitCodeOfChild([&] {
            mountDisk();
            body();
        });
        if (code == kNoDisk)
            GTEST_SKIP() << "this system does not let a test mount a disk";
        EXPECT_EQ(code, 0);
    }
};

TEST_F(FullDiskTest, tracesAreDroppedWhereLittleIsFree)
{
    onAFullDisk([&] {
        const std::int64_t experiment = fill();
        leaveFree(160 * kKiB);
        Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
        EXPECT_EQ(workspace.dropExperimentTraces(experiment).repeats, kRepeats);
        EXPECT_TRUE(workspace.traceBytes().empty());
    });
}

TEST_F(FullDiskTest, whatIsLeftAfterDroppingIsCompactedInItsOwnRoom)
{
    onAFullDisk([&] {
        const std::int64_t experiment = fill();
        leaveFree(1 * kMiB);
        Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
        EXPECT_THROW(workspace.compact(), FileError) << "as much as is there does not fit";
        workspace.dropExperimentTraces(experiment);
        const CompactResult result = workspace.compact();
        EXPECT_LT(result.bytesAfter, result.bytesBefore / 4);
        EXPECT_EQ(integrity(workspacePath()), "ok");
    });
}

TEST_F(FullDiskTest, withoutAFreeBlockNothingChanges)
{
    onAFullDisk([&] {
        const std::int64_t experiment = fill();
        leaveFree(0);
        refusal<FileError>([&] {
            Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
            workspace.dropExperimentTraces(experiment);
        });
        std::filesystem::remove(file("filler"));
        EXPECT_EQ(integrity(workspacePath()), "ok");
        Workspace workspace = Workspace::open(workspacePath(), Access::ReadWrite);
        EXPECT_EQ(workspace.dropExperimentTraces(experiment).repeats, kRepeats);
    });
}

} // namespace
} // namespace headroom::store::full_disk_test
