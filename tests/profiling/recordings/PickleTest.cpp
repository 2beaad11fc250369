// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/recordings/Pickle.h"

#include "tests/support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <unistd.h>

namespace headroom::recordings {
namespace {

using namespace std::string_literals;

class PickleFileTest : public testing::Test {
protected:
    Pickle read(const std::string& bytes) const { return Pickle::read(m_folder.write("file.pickle", bytes)); }

private:
    TemporaryFolder m_folder;
};

TEST_F(PickleFileTest, readsNumbersOfEveryLength)
{
    EXPECT_EQ(read("\x80\x04K\xff."s).integer(), 255);
    EXPECT_EQ(read("\x80\x04M\x34\x12."s).integer(), 0x1234);
    EXPECT_EQ(read("\x80\x04J\xff\xff\xff\xff."s).integer(), -1);
    EXPECT_EQ(read("\x80\x04\x8a\x06\x00\x00\x00\x00\x34\x12."s).integer(), 0x123400000000);
    EXPECT_EQ(read("\x80\x04\x8a\x02\x00\xff."s).integer(), -256);
}

TEST_F(PickleFileTest, readsContainersThatAreReferredToAgain)
{
    // {"a": x, "b": [x, x]} with x = [7]
    const Pickle dict = read("\x80\x04}\x94(\x8c\x01"s + "a]\x94K\x07"s + "a\x8c\x01"s + "b](h\x01h\x01"s + "eu."s);
    EXPECT_EQ(dict.at("a").list().at(0).integer(), 7);
    EXPECT_EQ(dict.at("b").list().at(1).list().at(0).integer(), 7);
    EXPECT_TRUE(dict.at("c").isNone());
}

TEST_F(PickleFileTest, refusesWhatIsCutOrNoPlainData)
{
    EXPECT_THROW(read("\x80\x04J\xff"s), std::runtime_error);
    EXPECT_THROW(read("\x80\x04\x93."s), std::runtime_error) << "a name of a module";
    EXPECT_THROW(Pickle::read("/nowhere.pickle"), std::runtime_error);
}

} // namespace
} // namespace headroom::recordings
