// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// What the driver's management library says of the card: its memory from the account, its names from the description.
/// What it would have to measure (temperature, power, utilisation) is not supported.
namespace headroom::rehearsal::nvml {

// nvmlReturn_t.
enum Status : int {
    Success = 0,
    Uninitialised = 1,
    InvalidArgument = 2,
    NotSupported = 3,
    NotFound = 6,
    InsufficientSize = 7,
    DriverNotLoaded = 9,
    VersionMismatch = 25,
};

/// Success between a first nvmlInit and the last nvmlShutdown.
int usable();
/// Checks a handle and the place for a result, and tells the number of the device.
int forDevice(const void* handle, const void* result, int* index);
/// The handle of a device.
int handleAt(int index, void** handle);
/// Writes a text where there is room for it.
int give(const std::string& text, char* place, unsigned length);
std::string uuidOf(int index);

struct PciPlace {
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned device = 0;

    bool operator==(const PciPlace&) const = default;
};

PciPlace placeOfDevice(int index);

} // namespace headroom::rehearsal::nvml
