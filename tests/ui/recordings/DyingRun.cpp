// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/recordings/DyingRun.h"

#include "profiling/simulator/CachingAllocator.h"
#include "profiling/simulator/OutOfMemory.h"

#include <cstdint>
#include <random>
#include <vector>

namespace headroom::ui {
namespace {

constexpr int kMostSteps = 400;

/// A call of the program's, innermost first, as JSON.
std::string stackOf(std::initializer_list<const char*> frames)
{
    std::string json;
    for (const char* frame : frames)
        json += (json.empty() ? "" : ",") + std::string(frame);
    return "[" + json + "]";
}

#define FRAME(file, line, name) "{\"filename\":\"" file "\",\"line\":" #line ",\"name\":\"" name "\"}"

const std::string kWeights = stackOf({FRAME("/env/site-packages/torch/nn/modules/module.py", 1355, "convert"),
    FRAME("/env/site-packages/torch/nn/modules/module.py", 928, "_apply"), FRAME("/srv/train/finetune.py", 31, "load"),
    FRAME("/srv/train/finetune.py", 88, "main")});
const std::string kAttention = stackOf({FRAME("/srv/train/model.py", 64, "attend"),
    FRAME("/env/site-packages/torch/nn/modules/module.py", 1773, "_call_impl"),
    FRAME("/srv/train/model.py", 97, "forward"), FRAME("/srv/train/finetune.py", 52, "training_step"),
    FRAME("/srv/train/finetune.py", 90, "main")});
const std::string kFeedForward = stackOf({FRAME("/srv/train/model.py", 81, "feed_forward"),
    FRAME("/env/site-packages/torch/nn/modules/module.py", 1773, "_call_impl"),
    FRAME("/srv/train/model.py", 98, "forward"), FRAME("/srv/train/finetune.py", 52, "training_step"),
    FRAME("/srv/train/finetune.py", 90, "main")});
const std::string kHidden = stackOf({FRAME("/srv/train/model.py", 99, "forward"),
    FRAME("/env/site-packages/torch/nn/modules/module.py", 1773, "_call_impl"),
    FRAME("/srv/train/finetune.py", 54, "log_hidden_states"), FRAME("/srv/train/finetune.py", 90, "main")});
const std::string kOptimizer = stackOf({FRAME("/env/site-packages/torch/optim/adamw.py", 150, "_init_group"),
    FRAME("/srv/train/finetune.py", 58, "training_step"), FRAME("/srv/train/finetune.py", 90, "main")});

#undef FRAME

class DyingRun {
public:
    explicit DyingRun(const DyingRunSize& size)
        : m_layers(size.layers)
        , m_allocator({.limitBytes = size.forSegments})
    {
        m_allocator.setObserver([this](const trace::AllocatorEvent& event) { write(event); });
    }

    std::string snapshot()
    {
        try {
            load();
            for (int i = 0; i < kMostSteps; ++i)
                step(i);
        } catch (const simulator::OutOfMemory&) {
            // recorded as its last event
        }
        return "{\"segments\":[" + segments() + "],\"device_traces\":[[" + m_events + "]]}";
    }

private:
    void load()
    {
        for (int layer = 0; layer < m_layers; ++layer)
            for (const Bytes bytes : {34 * kMiB, 34 * kMiB, 90 * kMiB, 90 * kMiB, 90 * kMiB})
                take(bytes, kWeights);
    }

    void step(int index)
    {
        const auto tokens = static_cast<Bytes>(700 + m_random() % 1'900);
        std::vector<simulator::Address> saved;
        for (int layer = 0; layer < m_layers; ++layer) {
            for (int part = 0; part < 4; ++part)
                saved.push_back(take(tokens * 8 * kKiB, kAttention));
            for (int part = 0; part < 3; ++part)
                saved.push_back(take(tokens * 22 * kKiB, kFeedForward));
            take(tokens * kKiB, kHidden); // kept by mistake
        }
        while (!saved.empty()) {
            m_timeUs += 40;
            m_allocator.free(saved.back());
            saved.pop_back();
        }
        for (int layer = 0; index == 0 && layer < m_layers; ++layer)
            take(6 * kMiB, kOptimizer);
        m_timeUs += 20'000;
    }

    simulator::Address take(Bytes bytes, const std::string& stack)
    {
        m_stack = &stack;
        m_timeUs += 60;
        return m_allocator.allocate(bytes);
    }

    std::string segments() const
    {
        std::string json;
        for (const simulator::SegmentSnapshot& segment : m_allocator.snapshot().segments) {
            std::string blocks;
            for (const simulator::BlockSnapshot& block : segment.blocks)
                blocks += (blocks.empty() ? "" : ",") + std::string("{\"address\":") + std::to_string(block.address)
                    + ",\"size\":" + std::to_string(block.bytes)
                    + ",\"requested_size\":" + std::to_string(block.requestedBytes) + ",\"state\":\""
                    + (block.state == simulator::BlockState::Inactive ? "inactive" : "active_allocated") + "\"}";
            json += (json.empty() ? "" : ",") + std::string("{\"device\":0,\"stream\":0,\"address\":")
                + std::to_string(segment.address) + ",\"total_size\":" + std::to_string(segment.totalBytes)
                + ",\"segment_type\":\"" + (segment.pool == simulator::PoolKind::Small ? "small" : "large")
                + "\",\"blocks\":[" + blocks + "]}";
        }
        return json;
    }

    void write(const trace::AllocatorEvent& event)
    {
        static constexpr const char* kActions[] = {"alloc", "free_requested", "free_completed", "segment_alloc",
            "segment_free", "segment_map", "segment_unmap", "oom"};
        const bool isOfSegment =
            event.action == trace::Action::SegmentAlloc || event.action == trace::Action::SegmentFree;
        m_events += (m_events.empty() ? "" : ",") + std::string("{\"action\":\"")
            + kActions[static_cast<std::size_t>(event.action)] + "\",\"addr\":" + std::to_string(event.address)
            + ",\"size\":" + std::to_string(isOfSegment ? event.bytes : event.requestedBytes)
            + ",\"stream\":0,\"time_us\":" + std::to_string(m_timeUs) + ",\"frames\":" + *m_stack + "}";
    }

    int m_layers;
    simulator::CachingAllocator m_allocator;
    std::mt19937 m_random{12};
    std::int64_t m_timeUs = 1'764'000'000'000'000;
    const std::string* m_stack = &kWeights;
    std::string m_events;
};

} // namespace

std::string dyingRunSnapshot(const DyingRunSize& size)
{
    return DyingRun(size).snapshot();
}

} // namespace headroom::ui
