// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/profiles/MathType.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom::simulator {

/// Kinds of ops that take their time from a measurement of their own. The first six are counted in operations, the
/// others in bytes that are read and written.
enum class Work {
    Product,
    BatchedProduct,
    Attention,
    AttentionBackward,
    Convolution,
    ConvolutionBackward,
    Copy, ///< of what lies contiguously, into the same type
    Rearrangement, ///< a copy of what does not
    Cast,
    Float8Cast, ///< from or to eight bits
    Fill,
    Random,
    Elementwise, ///< what is in no other class counts as this
    Transcendental,
    Gelu,
    GeluBackward,
    Reduction,
    Softmax,
    SoftmaxBackward,
    Normalisation,
    NormalisationBackward,
    Lookup,
    Optimizer ///< fused steps
};

/// "product", "batched_product", ... in the order of the enumeration.
const std::vector<std::string>& workNames();
const std::string& nameOf(Work work);
bool isArithmetic(Work work);

/// How fast one op of a size was.
struct RatePoint {
    double size = 0; ///< operations or bytes of one call
    double perSecond = 0; ///< of the whole call, its overhead included
    double spread = 0; ///< interquartile range of the repetitions, relative to their median
};

/// The rates of one kind of op in one type, over sizes.
struct RateTable {
    Work work = Work::Elementwise;
    MathType type = MathType::Float32;
    /// Of products: the smallest of the three dimensions; 0: not distinguished.
    std::int64_t smallestDimension = 0;
    std::vector<RatePoint> points; ///< sizes ascend; at least one
    std::string source;

    /// Per second in a call of this size. Between two points it follows a power of the size; beyond them it is theirs.
    double rate(double size) const;
    /// Seconds of the smallest call.
    double shortestSeconds() const;
    /// Seconds of one call; one that is smaller than all points takes as long as the smallest.
    double seconds(double size) const;
};

/// What one op asks of a device.
struct WorkAmount {
    Work work = Work::Elementwise;
    MathType type = MathType::Float32;
    double size = 0;
    std::int64_t smallestDimension = 0;
};

/// All tables of a device.
class MeasuredRates {
public:
    void add(RateTable table);
    const std::vector<RateTable>& tables() const { return m_tables; }
    bool isEmpty() const { return m_tables.empty(); }

    /// Seconds of one call; between two tables of the smallest dimension, the rate follows a power of that dimension,
    /// and no call is shorter than the shortest of all tables. A type of sixteen bits that was not measured counts as
    /// the other one, and bytes of a type that was not measured as bytes of float32; bytes of a class that was not
    /// measured as elementwise. Nullopt where nothing applies.
    std::optional<double> seconds(const WorkAmount& amount) const;

private:
    using Places = std::vector<std::size_t>;

    /// Null where nothing applies.
    const Places* closestTables(Work work, MathType type) const;
    /// Per second, on the power law between the tables around the amount's smallest dimension.
    double rateBetween(const Places& places, const WorkAmount& amount) const;

    std::vector<RateTable> m_tables;
    std::map<std::pair<Work, MathType>, Places> m_places; ///< in m_tables, by the smallest dimension
};

} // namespace headroom::simulator
