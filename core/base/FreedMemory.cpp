// SPDX-License-Identifier: Apache-2.0
#include "core/base/FreedMemory.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace headroom {

void returnFreedMemory([[maybe_unused]] Bytes mostKept)
{
#ifdef __GLIBC__
    if (static_cast<Bytes>(::mallinfo2().fordblks) > mostKept)
        ::malloc_trim(0);
#endif
}

} // namespace headroom
