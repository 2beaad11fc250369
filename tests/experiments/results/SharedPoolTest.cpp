// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/SharedPool.h"

#include <gtest/gtest.h>

#include <string>

namespace headroom::experiments {
namespace {

TEST(SharedPoolTest, equalValuesShareTheirRoom)
{
    SharedPool<std::string> pool;
    const Shared<std::string> first = pool.shared(std::string("a"));
    EXPECT_TRUE(first.sharesWith(pool.shared(std::string("a"))));
    EXPECT_FALSE(first.sharesWith(pool.shared(std::string("b"))));
    EXPECT_EQ(*first, "a");
}

TEST(SharedPoolTest, itLooksAtTheLastDistinctValuesAlone)
{
    SharedPool<std::string> pool(2);
    const Shared<std::string> first = pool.shared(std::string("a"));
    pool.shared(std::string("b"));
    EXPECT_TRUE(first.sharesWith(pool.shared(std::string("a"))));
    pool.shared(std::string("c")); // takes the place of the oldest
    EXPECT_FALSE(first.sharesWith(pool.shared(std::string("a"))));
}

TEST(SharedPoolTest, whoChangesAValueHasOneOfHisOwn)
{
    Shared<std::string> one(std::string("a"));
    const Shared<std::string> other = one;
    one.edit() += "b";
    EXPECT_EQ(*one, "ab");
    EXPECT_EQ(*other, "a");
    Shared<std::string> untouched;
    untouched.edit() = "c";
    EXPECT_EQ(*Shared<std::string>(), "");
}

} // namespace
} // namespace headroom::experiments
