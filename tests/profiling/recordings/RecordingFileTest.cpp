// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/RecordingFile.h"

#include "core/base/Error.h"
#include "tests/support/Checkout.h"
#include "tests/support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace headroom::recordings::recording_file_test {
namespace {

bool isRecordingWith(const std::string& content)
{
    const TemporaryFolder folder;
    std::ofstream(folder.file("file"), std::ios::binary) << content;
    return looksLikeRecording(folder.file("file"));
}

TEST(RecordingFileTest, everyFormOfARecordingIsTold)
{
    for (const char* const name : {"protocol_2.pickle", "protocol_4.pickle", "protocol_5.pickle", "gzip.pickle.gz",
             "page.html", "snapshot.json", "middle.pickle"})
        EXPECT_TRUE(looksLikeRecording(checkout(std::string("tests/fuzz/corpus/recording/") + name))) << name;
    EXPECT_TRUE(isRecordingWith("{\"schemaVersion\": 1, \"deviceProperties\": [], \"traceEvents\": []}"));
    EXPECT_TRUE(isRecordingWith("  [{\"ph\": \"X\"}]"));
}

TEST(RecordingFileTest, whatIsSomethingElseIsNot)
{
    EXPECT_FALSE(isRecordingWith("{\"architectures\": [\"LlamaForCausalLM\"], \"hidden_size\": 4096}"));
    EXPECT_FALSE(isRecordingWith("[model]\nname = \"llama-3-8b\"\n"));
    EXPECT_FALSE(isRecordingWith("PK\x03\x04"));
    EXPECT_FALSE(isRecordingWith(""));
    EXPECT_THROW(looksLikeRecording("/nowhere/at.all"), FileError);
}

} // namespace
} // namespace headroom::recordings::recording_file_test
