// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/recordings/FinalBlocks.h"

#include "profiling/recordings/values/Unpickler.h"

#include <algorithm>
#include <ostream>

namespace headroom::recordings {
namespace {

class KeepsAll final : public EntrySink {
public:
    bool take(const Objects&, const std::vector<DictItem>&) override { return false; }
};

} // namespace

std::ostream& operator<<(std::ostream& stream, const FinalBlock& block)
{
    return stream << block.bytes << " bytes for " << block.requestedBytes << " at " << block.address
                  << (block.isAllocated ? "" : ", given back");
}

std::vector<FinalBlock> finalBlocksOfFile(const std::filesystem::path& path, int device)
{
    KeepsAll sink;
    Objects objects(sink);
    ByteInput input(openFile(path), path.string());
    const Value root = readPickle(input, objects);
    std::vector<FinalBlock> blocks;
    for (const Value& segment : objects.list(objects.at(root, "segments"))) {
        if (objects.at(segment, "device").integer() != device)
            continue;
        for (const Value& block : objects.list(objects.at(segment, "blocks"))) {
            const std::string_view state = objects.text(objects.at(block, "state"));
            if (state != "inactive")
                blocks.push_back({objects.at(block, "address").unsignedInteger(), objects.at(block, "size").integer(),
                    objects.at(block, "requested_size").integer(), state == "active_allocated"});
        }
    }
    std::ranges::sort(blocks, {}, &FinalBlock::address);
    return blocks;
}

std::vector<FinalBlock> finalBlocksOf(const simulator::AllocatorSnapshot& snapshot)
{
    std::vector<FinalBlock> blocks;
    for (const simulator::SegmentSnapshot& segment : snapshot.segments)
        for (const simulator::BlockSnapshot& block : segment.blocks)
            if (block.state != simulator::BlockState::Inactive)
                blocks.push_back({block.address, block.bytes, block.requestedBytes,
                    block.state == simulator::BlockState::ActiveAllocated});
    return blocks;
}

} // namespace headroom::recordings
