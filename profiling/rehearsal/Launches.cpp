// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Launches.h"

#include "profiling/rehearsal/Lock.h"

#include <string>
#include <unordered_set>

namespace headroom::rehearsal {

const char* internedName(const char* text)
{
    static Lock lock;
    static auto& names = *new std::unordered_set<std::string>;
    const LockScope scope(lock);
    return names.insert(text).first->c_str();
}

} // namespace headroom::rehearsal
