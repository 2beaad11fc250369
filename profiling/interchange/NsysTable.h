// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace headroom::interchange {

/// A table of an Nsight Systems export, or an additional one of our own.
struct NsysTable {
    const char* name;
    const char* columns; ///< as in CREATE TABLE; each is written
    const char* newerColumns = ""; ///< of later versions of the schema; always NULL
};

// Names, types and order are those of Nsight Systems' schema 3.16 (docs/interchange.md).
namespace nsys {

extern const NsysTable kStringIds;
extern const NsysTable kExportMetadata;
extern const NsysTable kCaptureMetadata;
extern const NsysTable kSessionStart;
extern const NsysTable kAnalysisDetails;
extern const NsysTable kGpus;
extern const NsysTable kCudaDevices;
extern const NsysTable kSystemEnvironment;
extern const NsysTable kProcesses;
extern const NsysTable kThreadNames;
extern const NsysTable kRuntime;
extern const NsysTable kKernels;
extern const NsysTable kMemcpy;
extern const NsysTable kMemset;
extern const NsysTable kMemoryUsage;
extern const NsysTable kMemoryPools;
extern const NsysTable kNvtx;
extern const NsysTable kOverhead;

extern const NsysTable kHeadroomAbout;
extern const NsysTable kHeadroomTracks;
extern const NsysTable kHeadroomEvents;
extern const NsysTable kHeadroomOwners;
extern const NsysTable kHeadroomCategories;
extern const NsysTable kHeadroomPhases;
extern const NsysTable kHeadroomDeviceSamples;
extern const NsysTable kHeadroomHostSamples;
extern const NsysTable kHeadroomVirtualMemory;
extern const NsysTable kHeadroomClocks;
extern const NsysTable kHeadroomDiagnostics;

} // namespace nsys
} // namespace headroom::interchange
