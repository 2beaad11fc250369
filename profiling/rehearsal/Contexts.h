// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace headroom::rehearsal {

/// A context of the driver: each device's primary one, which the runtime uses, and those that a program makes. All of a
/// device share its memory and streams; the bytes of a context are counted once a device.
struct Context;

int usePrimaryContext(int device);
Context* primaryContext(int device);
int makeContext(int device, unsigned flags, Context** context);
int destroyContext(Context* context);
bool isContext(const Context* context);
int deviceOfContext(const Context* context);
unsigned flagsOfContext(const Context* context);

/// Of this thread; null where it has none.
Context* currentContext();
/// The thread's device follows.
int setCurrentContext(Context* context);
int pushContext(Context* context);
int popContext(Context** context);

} // namespace headroom::rehearsal
