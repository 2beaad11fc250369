// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Before each function that takes the place of one of CUDA's. The libraries' headers are not needed to build Headroom:
/// handles are pointers, enums are numbers and calls have the documented types of the binary interface.
#define HEADROOM_CARD_API extern "C" __attribute__((visibility("default")))
