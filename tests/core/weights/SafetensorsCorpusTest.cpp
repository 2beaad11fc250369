// SPDX-License-Identifier: Apache-2.0
//
// What the fuzzer starts from, in a plain build too; and whether each of these files still is what its name says.
#include "core/base/Error.h"
#include "core/weights/SafetensorsFile.h"
#include "tests/support/Checkout.h"
#include "tests/support/TextFiles.h"

#include <gtest/gtest.h>

#include <set>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace headroom::tensor {
namespace {

const std::filesystem::path kCorpus = checkout("tests/fuzz/corpus/safetensors");

TEST(SafetensorsCorpusTest, everyFileIsReadOrRefused)
{
    int files = 0;
    for (const auto& file : std::filesystem::directory_iterator(kCorpus)) {
        const std::string bytes = contentOf(file.path());
        EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), 0);
        ++files;
    }
    EXPECT_GT(files, 25);
}

TEST(SafetensorsCorpusTest, onlySoundFilesAreRead)
{
    const std::set<std::string> sound{"two", "dtypes", "empty", "zero_sized", "escaped", "padded"};
    for (const auto& file : std::filesystem::directory_iterator(kCorpus)) {
        if (sound.contains(file.path().stem().string())) {
            EXPECT_NO_THROW(SafetensorsFile(file.path())) << file.path();
        } else {
            EXPECT_THROW(SafetensorsFile(file.path()), FileError) << file.path();
        }
    }
}

} // namespace
} // namespace headroom::tensor
