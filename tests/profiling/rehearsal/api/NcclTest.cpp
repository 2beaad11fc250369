// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/rehearsal/api/SubstituteLibrary.h"

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace headroom::rehearsal::tests::nccl_test {
namespace {

struct UniqueId {
    char bytes[128];
};

constexpr int kInvalidArgument = 4;
constexpr int kInt32 = 2;
constexpr int kHalf = 6;
constexpr int kFloat = 7;
constexpr int kSum = 0;
constexpr int kMaximum = 2;
constexpr int kAverage = 4;
constexpr int kRanks = 4;
constexpr int kRank = 1;

using Collective = int(const void*, void*, std::size_t, int, int, void*, void*);

class Nccl : public testing::Test {
protected:
    void SetUp() override
    {
        UniqueId id{};
        ASSERT_EQ(call<int(UniqueId*)>("ncclGetUniqueId", &id), 0);
        ASSERT_EQ((call<int(void**, int, UniqueId, int)>("ncclCommInitRank", &m_communicator, kRanks, id, kRank)), 0);
    }
    void TearDown() override { call<int(void*)>("ncclCommDestroy", m_communicator); }

    template <typename Value> std::vector<Value> reduced(const std::vector<Value>& values, int dataType, int reduction)
    {
        DeviceBytes memory(values.size() * sizeof(Value));
        copyIn(memory.address(), values.data(), values.size() * sizeof(Value));
        EXPECT_EQ(call<Collective>("ncclAllReduce", memory.address(), memory.address(), values.size(), dataType,
                      reduction, m_communicator, nullptr),
            0);
        std::vector<Value> result(values.size());
        copyOut(result.data(), memory.address(), values.size() * sizeof(Value));
        return result;
    }

    void* m_communicator = nullptr;
};

TEST_F(Nccl, communicatorsSayWhoTheyAre)
{
    int count = 0;
    int rank = 0;
    EXPECT_EQ((call<int(void*, int*)>("ncclCommCount", m_communicator, &count)), 0);
    EXPECT_EQ((call<int(void*, int*)>("ncclCommUserRank", m_communicator, &rank)), 0);
    EXPECT_EQ(count, kRanks);
    EXPECT_EQ(rank, kRank);
    UniqueId id{};
    void* other = nullptr;
    EXPECT_EQ((call<int(void**, int, UniqueId, int)>("ncclCommInitRank", &other, 4, id, 4)), kInvalidArgument);
}

TEST_F(Nccl, aSumIsWhatEqualRanksGive)
{
    EXPECT_EQ(reduced(std::vector<float>{1.5F, -2}, kFloat, kSum), (std::vector<float>{6, -8}));
    EXPECT_EQ(reduced(std::vector<std::int32_t>{3, -5}, kInt32, kSum), (std::vector<std::int32_t>{12, -20}));
    EXPECT_EQ(reduced(std::vector<std::uint16_t>{0x3C00, 0xC000}, kHalf, kSum),
        (std::vector<std::uint16_t>{0x4400, 0xC800})); // 1 and -2 become 4 and -8
    EXPECT_EQ(reduced(std::vector<float>{1.5F}, kFloat, kAverage), std::vector<float>{1.5F});
    EXPECT_EQ(reduced(std::vector<float>{1.5F}, kFloat, kMaximum), std::vector<float>{1.5F});
}

TEST_F(Nccl, gatheringFillsEverySlotEvenInPlace)
{
    DeviceBytes slots(kRanks * sizeof(std::int32_t));
    const std::int32_t own = 77;
    copyIn(slots.at(kRank * sizeof(own)), &own, sizeof(own));
    EXPECT_EQ((call<int(const void*, void*, std::size_t, int, void*, void*)>("ncclAllGather",
                  slots.at(kRank * sizeof(own)), slots.address(), std::size_t(1), kInt32, m_communicator, nullptr)),
        0);
    std::array<std::int32_t, kRanks> read{};
    copyOut(read.data(), slots.address(), sizeof(read));
    for (const std::int32_t value : read)
        EXPECT_EQ(value, own);
}

TEST_F(Nccl, scatteringGivesThisRanksSlice)
{
    std::array<float, kRanks * 2> all{};
    std::iota(all.begin(), all.end(), 1.F);
    DeviceBytes from(sizeof(all));
    DeviceBytes to(2 * sizeof(float));
    copyIn(from.address(), all.data(), sizeof(all));
    EXPECT_EQ(call<Collective>("ncclReduceScatter", from.address(), to.address(), std::size_t(2), kFloat, kSum,
                  m_communicator, nullptr),
        0);
    std::array<float, 2> read{};
    copyOut(read.data(), to.address(), sizeof(read));
    EXPECT_EQ(read[0], kRanks * all[2 * kRank]);
    EXPECT_EQ(read[1], kRanks * all[2 * kRank + 1]);
}

TEST_F(Nccl, ownReductionsScaleFirst)
{
    int reduction = 0;
    float factor = 0.25F;
    EXPECT_EQ((call<int(int*, void*, int, int, void*)>(
                  "ncclRedOpCreatePreMulSum", &reduction, &factor, kFloat, 1, m_communicator)),
        0);
    EXPECT_EQ(reduced(std::vector<float>{3}, kFloat, reduction), std::vector<float>{3});
    EXPECT_EQ((call<int(int, void*)>("ncclRedOpDestroy", reduction, m_communicator)), 0);
    EXPECT_EQ((call<int(int, void*)>("ncclRedOpDestroy", 99, m_communicator)), kInvalidArgument);
}

TEST_F(Nccl, noPartIsJoinedWithoutAColour)
{
    void* part = &part;
    EXPECT_EQ((call<int(void*, int, int, void**, void*)>("ncclCommSplit", m_communicator, -1, 0, &part, nullptr)), 0);
    EXPECT_EQ(part, nullptr);
    EXPECT_EQ((call<int(void*, int, int, void**, void*)>("ncclCommSplit", m_communicator, 3, 1, &part, nullptr)), 0);
    int rank = 0;
    EXPECT_EQ((call<int(void*, int*)>("ncclCommUserRank", part, &rank)), 0);
    EXPECT_EQ(rank, 1);
    EXPECT_EQ(call<int(void*)>("ncclCommDestroy", part), 0);
}

using Exchange = int(void*, std::size_t, int, int, void*, void*);

TEST_F(Nccl, aRingPassesOnWhatThisRankSends)
{
    DeviceBytes sent(8);
    DeviceBytes received(8);
    const std::array<std::int32_t, 2> values{5, 7};
    copyIn(sent.address(), values.data(), 8);
    call<int()>("ncclGroupStart");
    EXPECT_EQ(call<Exchange>("ncclSend", sent.address(), 2, kInt32, 2, m_communicator, nullptr), 0);
    EXPECT_EQ(call<Exchange>("ncclRecv", received.address(), 2, kInt32, 0, m_communicator, nullptr), 0);
    EXPECT_EQ(call<int()>("ncclGroupEnd"), 0);
    std::array<std::int32_t, 2> found{};
    copyOut(found.data(), received.address(), 8);
    EXPECT_EQ(found, values);
    EXPECT_NE(call<int()>("ncclGroupEnd"), 0) << "no group was begun";
}

TEST_F(Nccl, anExchangeAmongAllBringsWhatThisRankKeepsForItself)
{
    DeviceBytes sent(4 * kRanks);
    DeviceBytes received(4 * kRanks);
    const std::array<std::int32_t, kRanks> values{10, 11, 12, 13};
    copyIn(sent.address(), values.data(), 4 * kRanks);
    call<int()>("ncclGroupStart");
    for (int peer = 0; peer < kRanks; ++peer) {
        auto* const from = static_cast<char*>(sent.address()) + 4 * peer;
        auto* const to = static_cast<char*>(received.address()) + 4 * peer;
        EXPECT_EQ(call<Exchange>("ncclSend", from, 1, kInt32, peer, m_communicator, nullptr), 0);
        EXPECT_EQ(call<Exchange>("ncclRecv", to, 1, kInt32, peer, m_communicator, nullptr), 0);
    }
    call<int()>("ncclGroupEnd");
    std::array<std::int32_t, kRanks> found{};
    copyOut(found.data(), received.address(), 4 * kRanks);
    EXPECT_EQ(found, (std::array<std::int32_t, kRanks>{11, 11, 11, 11}));
}

} // namespace
} // namespace headroom::rehearsal::tests::nccl_test
