// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/RecordDecoder.h"
#include "tests/profiling/collectors/cupti/ActivityBuffer.h"

#include <gmock/gmock.h>

#include <functional>
#include <random>

namespace headroom::collectors::cupti {
namespace {

// Buffers of records of every kind in random order, and the records that they were made from.
class RandomBuffers {
public:
    explicit RandomBuffers(unsigned seed)
        : m_random(seed)
    {
    }

    ActivityBuffer next(std::size_t records)
    {
        ActivityBuffer buffer;
        for (std::size_t index = 0; index < records; ++index)
            (this->*kMakers.at(number(kMakers.size())))(buffer);
        return buffer;
    }

    const trace::DeviceRecords& made() const { return m_made; }
    std::int64_t others() const { return m_others; }

private:
    using Maker = void (RandomBuffers::*)(ActivityBuffer&);

    std::uint32_t number(std::size_t below = 1000) { return static_cast<std::uint32_t>(m_random() % below); }

    void addMemory(ActivityBuffer& buffer)
    {
        auto activity = activityOf<MemoryActivity>(CUPTI_ACTIVITY_KIND_MEMORY2);
        trace::DeviceMemoryRecord record;
        activity.timestamp = static_cast<std::uint64_t>(record.timeNs = number());
        activity.address = record.address = number();
        activity.bytes = static_cast<std::uint64_t>(record.bytes = number());
        activity.deviceId = record.deviceId = number();
        activity.contextId = record.contextId = number();
        activity.streamId = record.streamId = number();
        buffer.add(activity);
        m_made.memory.push_back(record);
    }

    void addPool(ActivityBuffer& buffer)
    {
        auto activity = activityOf<CUpti_ActivityMemoryPool3>(CUPTI_ACTIVITY_KIND_MEMORY_POOL);
        trace::MemoryPoolRecord record;
        activity.size = static_cast<std::uint64_t>(record.bytes = number());
        activity.address = record.address = number();
        buffer.add(activity);
        m_made.pools.push_back(record);
    }

    template <typename Activity, typename Record>
    void addSpan(ActivityBuffer& buffer, CUpti_ActivityKind kind, std::vector<Record>& made, Record record)
    {
        auto activity = activityOf<Activity>(kind);
        activity.start = static_cast<std::uint64_t>(record.beginNs = 1 + number());
        activity.end = static_cast<std::uint64_t>(record.endNs = 1 + number());
        activity.correlationId = record.correlationId = number();
        buffer.add(activity);
        made.push_back(record);
    }

    void addCopy(ActivityBuffer& buffer)
    {
        trace::CopyRecord record;
        record.copyCount = 0;
        addSpan<CopyActivity>(buffer, CUPTI_ACTIVITY_KIND_MEMCPY, m_made.copies, record);
    }

    void addPeerCopy(ActivityBuffer& buffer)
    {
        trace::CopyRecord record;
        record.sourceDeviceId = record.destinationDeviceId = 0;
        addSpan<PeerCopyActivity>(buffer, CUPTI_ACTIVITY_KIND_MEMCPY2, m_made.copies, record);
    }

    void addMemset(ActivityBuffer& buffer)
    {
        addSpan<MemsetActivity>(buffer, CUPTI_ACTIVITY_KIND_MEMSET, m_made.memsets, trace::MemsetRecord{});
    }

    void addKernel(ActivityBuffer& buffer)
    {
        addSpan<CUpti_ActivityKernel10>(
            buffer, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, m_made.kernels, trace::KernelRecord{});
    }

    void addCall(ActivityBuffer& buffer)
    {
        trace::ApiRecord record;
        record.name = "INVALID";
        addSpan<ApiActivity>(buffer, CUPTI_ACTIVITY_KIND_RUNTIME, m_made.calls, record);
    }

    void addOverhead(ActivityBuffer& buffer)
    {
        addSpan<OverheadActivity>(buffer, CUPTI_ACTIVITY_KIND_OVERHEAD, m_made.overheads, trace::OverheadRecord{});
    }

    void addMark(ActivityBuffer& buffer)
    {
        auto activity = activityOf<MarkerActivity>(CUPTI_ACTIVITY_KIND_MARKER);
        activity.flags = CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS;
        trace::MarkerRecord record;
        record.isMark = true;
        activity.timestamp = static_cast<std::uint64_t>(record.beginNs = record.endNs = number());
        activity.id = record.id = number();
        buffer.add(activity);
        m_made.markers.push_back(record);
    }

    void addOther(ActivityBuffer& buffer)
    {
        buffer.add(activityOf<CUpti_ActivityStream>(CUPTI_ACTIVITY_KIND_STREAM));
        ++m_others;
    }

    static constexpr std::array<Maker, 10> kMakers{&RandomBuffers::addMemory, &RandomBuffers::addPool,
        &RandomBuffers::addCopy, &RandomBuffers::addPeerCopy, &RandomBuffers::addMemset, &RandomBuffers::addKernel,
        &RandomBuffers::addCall, &RandomBuffers::addOverhead, &RandomBuffers::addMark, &RandomBuffers::addOther};

    std::mt19937 m_random;
    trace::DeviceRecords m_made;
    std::int64_t m_others = 0;
};

TEST(RandomBuffersTest, giveTheRecordsThatTheyWereMadeFrom)
{
    for (unsigned seed = 0; seed < 50; ++seed) {
        RandomBuffers buffers(seed);
        RecordDecoder decoder(StampAxis(0), RecordSizes::ofLibrary());
        trace::DeviceRecords decoded;
        std::int64_t total = 0;
        for (const std::size_t records : {0, 1, 50, 300}) {
            ActivityBuffer buffer = buffers.next(records);
            decoder.decode(buffer.valid(), decoded);
            total += static_cast<std::int64_t>(records);
        }
        for (trace::ApiRecord& call : decoded.calls)
            call.name = "INVALID"; // of callback 0, whatever the library calls it
        EXPECT_EQ(decoded, buffers.made()) << "seed " << seed;
        EXPECT_EQ(decoder.counts().records, total);
        EXPECT_EQ(decoder.counts().unknownKinds,
            (std::map<std::uint32_t, std::int64_t>{{CUPTI_ACTIVITY_KIND_STREAM, buffers.others()}}));
        EXPECT_EQ(decoder.counts().unreadableBytes, 0);
    }
}

// Wherever a buffer is cut, what is read is a beginning of what was made.
TEST(RandomBuffersTest, cutAnywhereGiveABeginningOfTheirRecords)
{
    RandomBuffers buffers(3);
    ActivityBuffer buffer = buffers.next(20);
    std::int64_t last = -1;
    for (std::size_t bytes = 0; bytes <= buffer.valid().size(); bytes += 4) {
        RecordDecoder decoder(StampAxis(0), RecordSizes::ofLibrary());
        trace::DeviceRecords decoded;
        decoder.decode(buffer.cutTo(bytes), decoded);
        EXPECT_GE(decoder.counts().records, last);
        last = decoder.counts().records;
        for (std::size_t index = 0; index < decoded.memory.size(); ++index)
            EXPECT_EQ(decoded.memory[index], buffers.made().memory[index]);
    }
    EXPECT_EQ(last, 20);
}

} // namespace
} // namespace headroom::collectors::cupti
