// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/Columns.h"

#include "profiling/trace/MalformedBlock.h"

namespace headroom::trace {

std::uint64_t ColumnReader::longVarint()
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const std::uint64_t next = byte();
        if (shift == 63 && next > 1)
            break;
        value |= (next & 0x7FU) << shift;
        if ((next & 0x80U) == 0)
            return value;
    }
    throw MalformedBlock("a number in the block is longer than 64 bits");
}

void ColumnReader::failTruncated()
{
    throw MalformedBlock("a column of the block ends too early");
}

} // namespace headroom::trace
