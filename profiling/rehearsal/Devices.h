// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace headroom::rehearsal {

/// What is the same in all libraries about the devices of this process. Status codes are those of the runtime; where
/// the driver has one of the same meaning it has the same number.

/// How many there are: 0 without a description of a card.
int deviceCount();
/// The current one of this thread.
int currentDevice();
/// 0, or cudaErrorInvalidDevice.
int setCurrentDevice(int device);
/// Takes the bytes of the context, once a process and device. 0, or cudaErrorMemoryAllocation, or cudaErrorNoDevice,
/// or cudaErrorInitializationError in a child of a process that used the card.
int openDevice(int device);
bool isOpen(int device);
/// Whether this thread opened a device, or used an open one, since it last gave its context up: the runtime makes the
/// device's primary context the thread's current one then.
bool& hasThreadOpened();
/// "0000:01:00.0", and the same for all libraries.
void pciBusId(int device, char* text, std::size_t bytes);
/// The device of "0000:01:00.0", also written with eight digits of a domain or none of a function; -1 for none.
int deviceWithPciBusId(const char* text);
/// 16 bytes, the same in each process for the same card.
void deviceUuid(int device, unsigned char* bytes);

} // namespace headroom::rehearsal
