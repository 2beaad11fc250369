// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Error.h"

namespace headroom::trace {

/// Encoded trace data that is truncated, altered or of another format. Nothing in the block can be used.
class MalformedBlock : public FileError {
public:
    using FileError::FileError;
};

} // namespace headroom::trace
