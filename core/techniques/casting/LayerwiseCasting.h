// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/casting/UnitUpcast.h"
#include "core/tensor/Torch.h"

#include <memory>

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

/// What was put into the storage type.
struct StoredWeights {
    std::int64_t layers = 0; ///< modules
    std::int64_t tensors = 0;
    Bytes bytes = 0; ///< as they are stored
    std::int64_t clipped = 0;

    StoredWeights& operator+=(const StoredWeights& other);
};

/// Gives the tensors data in the storage type, one after the other; those that have it already stay as they are. There
/// is no way back: digits are gone.
StoredWeights store(const CastModule& module, c10::ScalarType storage);
StoredWeights store(const std::vector<CastUnit>& units, c10::ScalarType storage);

/// Whether the next unit's copies are made while one runs.
enum class UpcastAhead { No, Yes };

struct UpcastOptions {
    BackwardCopies backward = BackwardCopies::Kept;
    UpcastAhead ahead = UpcastAhead::No;
};

/// Upcasts the weights of each unit while it runs, on any module whose layers run within ModuleScopes of theirs.
///
/// The stored tensors stay what they are: a parameter's data are a copy of them in the compute type during the forward,
/// and the stored ones again afterwards; nothing is cast back. Inputs and outputs are never touched. Where a module of
/// a unit runs by itself (a repetition for the backward pass), its own tensors are upcast.
///
/// Memory: without gradients, or where the backward pass casts again, copies lie in one buffer of the largest unit's
/// size, from the first unit until the root's forward ends or `release`; with gradients each has its own, as autograd
/// keeps it. Copies are labelled as upcast_copies of the technique "casting".
///
/// Made and destroyed between steps. Weights stay stored when it goes.
class LayerwiseCasting {
public:
    /// The units' tensors have been stored. `root`: the module whose forward is the whole one; borrowed.
    LayerwiseCasting(torch::nn::Module& root, const std::vector<CastUnit>& units, const CastRules& rules,
        const UpcastOptions& options, std::shared_ptr<CastCount> count);
    ~LayerwiseCasting();
    LayerwiseCasting(const LayerwiseCasting&) = delete;
    LayerwiseCasting& operator=(const LayerwiseCasting&) = delete;

    /// Gives the buffers' memory back, between steps or after a backward pass.
    void release();

    std::size_t units() const { return m_units.size(); }

private:
    class Root;

    void registerHooks(torch::nn::Module& root);

    Upcaster m_upcaster;
    std::optional<CastPrefetch> m_prefetch;
    std::vector<std::unique_ptr<UnitUpcast>> m_units;
    std::unique_ptr<Root> m_root;
    std::vector<tensor::ModuleHookRegistration> m_registrations; ///< last: they refer to the others
};

} // namespace headroom::techniques
