// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

inline constexpr const char* kTrainableKey = "trainable";
/// The technique's option: the adapters' number format.
inline constexpr const char* kAdapterDtype = "dtype";

/// Adapters of the rank that training scripts usually start with.
inline constexpr const char* kUsualAdapters = "lora:16";

/// Which parameters are trained.
struct TrainableNotation {
    enum class Kind { All, Lora, None };
    Kind kind = Kind::All;
    std::int64_t rank = 0; ///< of Lora

    bool operator==(const TrainableNotation&) const = default;
};

/// Parses `all`, `lora:R`, `none`; throws UsageError at `where`.
TrainableNotation parseTrainable(const std::string& notation, const std::string& where);
std::string toText(const TrainableNotation& trainable);

/// The Linears that get adapters, as suffixes of dotted paths: the option's, or else the family's.
std::vector<std::string> adapterTargets(const TechniqueSetting& setting, const ModelFamily& family);

/// Whether adapters have their own number format, which is then that of what is trained.
bool hasOwnDtype(const TechniqueSetting& setting);
Dtype trainedDtype(const TechniqueSetting& setting, const Workload& workload);

/// PEFT's rule: a path matches a target if it equals it or ends with a dot followed by it.
bool isTargeted(const std::string& path, const std::string& target);

/// Which parameters are trained: all, low-rank adapters beside a frozen base, or none.
TechniqueDescriptor trainableDescriptor();

} // namespace headroom::config
