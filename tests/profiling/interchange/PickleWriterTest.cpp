// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/PickleWriter.h"

#include "tests/profiling/interchange/ExportTest.h"

#include <functional>
#include <limits>

namespace headroom::interchange {
namespace {

using testing::HasSubstr;

class PickleWriterTest : public store::StoreTest {
protected:
    /// What Python reads, as it prints it; the first line is how pickletools ended.
    std::string readBack(const std::function<void(PickleWriter&)>& write) const
    {
        ReplacedFile out(file("value.pickle"));
        PickleWriter pickle(out);
        write(pickle);
        pickle.finish();
        out.commit();
        const Printed printed = python("read_pickle.py", {file("value.pickle").string()});
        EXPECT_EQ(printed.exitCode, 0) << printed.out;
        return printed.out;
    }
};

TEST_F(PickleWriterTest, integersOfAnySizeComeBack)
{
    std::string expected = "[";
    const std::string read = readBack([&](PickleWriter& pickle) {
        pickle.beginList();
        const auto put = [&](std::int64_t value) {
            pickle.integer(value);
            expected += std::to_string(value) + ", ";
        };
        for (int bit = 0; bit < 63; ++bit)
            for (const std::int64_t near : {-1, 0, 1})
                for (const std::int64_t sign : {-1, 1})
                    put(sign * ((std::int64_t{1} << bit) + near));
        put(std::numeric_limits<std::int64_t>::min());
        put(std::numeric_limits<std::int64_t>::max());
        pickle.unsignedInteger(std::numeric_limits<std::uint64_t>::max());
        pickle.endList();
    });
    EXPECT_EQ(read, expected + "18446744073709551615]\n");
}

TEST_F(PickleWriterTest, containersNestAndAreShared)
{
    const std::string read = readBack([](PickleWriter& pickle) {
        pickle.beginDict();
        pickle.word("a");
        const auto list = pickle.beginSharedList();
        pickle.none();
        pickle.boolean(true);
        pickle.boolean(false);
        pickle.pair(-1, 70'000);
        pickle.beginDict();
        pickle.endDict();
        pickle.endList();
        pickle.word("b");
        pickle.recall(list);
        pickle.text("c");
        pickle.word("a");
        pickle.endDict();
    });
    EXPECT_EQ(
        read, "{'a': [None, True, False, (-1, 70000), {}], 'b': [None, True, False, (-1, 70000), {}], 'c': 'a'}\n");
}

TEST_F(PickleWriterTest, moreWordsAndItemsThanOneByteCounts)
{
    std::string expected = "[";
    const std::string read = readBack([&](PickleWriter& pickle) {
        pickle.beginList();
        for (int round = 0; round < 2; ++round)
            for (int i = 0; i < 3'000; ++i) {
                pickle.word("word" + std::to_string(i));
                expected += "'word" + std::to_string(i) + "', ";
            }
        pickle.endList();
    });
    EXPECT_EQ(read, expected.substr(0, expected.size() - 2) + "]\n");
}

TEST_F(PickleWriterTest, bytesThatAreNoTextAreReplaced)
{
    EXPECT_EQ(readBack([](PickleWriter& pickle) { pickle.text("a\xFF\xE2\x82z\xED\xA0\x80\xC3\xA9\xF4\x90\x80\x80"); }),
        "'a\\ufffd\\ufffdz\\ufffd\\ufffd\\ufffd\\xe9\\ufffd\\ufffd\\ufffd\\ufffd'\n");
}

} // namespace
} // namespace headroom::interchange
