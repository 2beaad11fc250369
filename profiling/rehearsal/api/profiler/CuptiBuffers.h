// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/Lock.h"

#include <cupti.h>

#include <cstddef>
#include <cstdint>

namespace headroom::rehearsal::cupti {

/// The client's buffers: asked for when there is a record and none is open, given back when they are full or flushed.
/// Records that find no buffer are counted. From any thread.
class Buffers {
public:
    void use(CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete);
    bool isUsed();

    template <typename Record> void add(const Record& record) { addBytes(&record, sizeof(record)); }
    /// Gives back what is open; with `isForced` also where it has no record.
    void flush(bool isForced);
    /// Since the last query.
    std::size_t takeDropped();

private:
    void addBytes(const void* record, std::size_t bytes);
    bool open(std::size_t bytes);
    void close();

    Lock m_lock;
    CUpti_BuffersCallbackRequestFunc m_request = nullptr;
    CUpti_BuffersCallbackCompleteFunc m_complete = nullptr;
    std::uint8_t* m_buffer = nullptr;
    std::size_t m_capacity = 0;
    std::size_t m_used = 0;
    std::size_t m_mostRecords = 0; ///< 0: as many as fit
    std::size_t m_records = 0;
    std::size_t m_dropped = 0;
};

/// How large a record of this kind is; 0 for kinds that this library does not write.
std::size_t recordBytes(CUpti_ActivityKind kind);

} // namespace headroom::rehearsal::cupti
