// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::techniques {

/// Largest finite number of a floating type: 448 for e4m3, 57344 for e5m2, 65504 for float16.
double largestNumber(c10::ScalarType type);

/// A tensor in a smaller type.
struct StoredCopy {
    at::Tensor tensor; ///< contiguous
    std::int64_t clipped = 0; ///< values beyond the type's range, which became its largest number; 0 on meta
};

/// Casts a floating tensor, saturating: what a type's own conversion makes of a value beyond its range depends on the
/// device and on LibTorch's version. NaN stays NaN. Takes memory for the result; for temporaries only where something
/// has to be clipped, and then 64 Ki values at a time.
StoredCopy storedCopy(const at::Tensor& source, c10::ScalarType storage);

} // namespace headroom::techniques
