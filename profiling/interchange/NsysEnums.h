// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/interchange/NsysDatabase.h"

#include <cstdint>

namespace headroom::interchange {

/// Fills the ENUM_ tables: the meaning of the numbers in the other tables, under the names that scripts query.
void writeNsysEnums(NsysDatabase& database);

// Numbers of Nsight Systems; some differ from CUPTI's.
namespace nsys {

inline constexpr std::int64_t kMemoryPageable = 0;
inline constexpr std::int64_t kMemoryDevice = 2;
inline constexpr std::int64_t kMemoryUnknown = 7;
inline constexpr std::int64_t kAllocation = 0;
inline constexpr std::int64_t kDeallocation = 1;
inline constexpr std::int64_t kNvtxMark = 34;
inline constexpr std::int64_t kNvtxPushPop = 59;
inline constexpr std::int64_t kNvtxStartEnd = 60;
inline constexpr std::int64_t kRuntimeCall = 0;
inline constexpr std::int64_t kDriverCall = 1;

/// From CUpti_ActivityMemoryKind: one less, and 7 for kinds that CUPTI does not have.
std::int64_t memoryKind(std::uint32_t cuptiKind);
/// From CUpti_ActivityMemoryOperationType: one less.
std::int64_t memoryOperation(std::uint32_t cuptiOperation);

} // namespace nsys
} // namespace headroom::interchange
