// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/PlanEstimate.h"

#include <algorithm>
#include <cmath>

namespace headroom::experiments {
namespace {

// How much of what is known about one setting of an axis holds for another one of its kind, and how far that reaches.
constexpr double kWeightOfAxis = 0.7;
constexpr double kReach = 0.6;
constexpr double kNoise = 1e-4;

double likenessOf(const PlanSetting& one, const PlanSetting& other)
{
    if (one.kind != other.kind)
        return 0;
    const double distance = (one.extent - other.extent) / kReach;
    return std::exp(-distance * distance / 2);
}

using Matrix = std::vector<std::vector<double>>;

// Replaces a symmetric positive matrix by its lower triangular factor.
void factorize(Matrix& matrix)
{
    for (std::size_t row = 0; row < matrix.size(); ++row)
        for (std::size_t column = 0; column <= row; ++column) {
            double sum = matrix[row][column];
            for (std::size_t k = 0; k < column; ++k)
                sum -= matrix[row][k] * matrix[column][k];
            matrix[row][column] = row == column ? std::sqrt(std::max(sum, kNoise)) : sum / matrix[column][column];
        }
}

std::vector<double> solved(const Matrix& factor, std::vector<double> values)
{
    const std::size_t size = values.size();
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t k = 0; k < row; ++k)
            values[row] -= factor[row][k] * values[k];
        values[row] /= factor[row][row];
    }
    for (std::size_t row = size; row-- > 0;) {
        for (std::size_t k = row + 1; k < size; ++k)
            values[row] -= factor[k][row] * values[k];
        values[row] /= factor[row][row];
    }
    return values;
}

} // namespace

PlanEstimate::PlanEstimate(const PlanAxes& axes)
{
    for (const PlanAxis& axis : axes.axes) {
        Matrix likeness(axis.settings.size(), std::vector<double>(axis.settings.size()));
        for (std::size_t i = 0; i < axis.settings.size(); ++i)
            for (std::size_t j = 0; j < axis.settings.size(); ++j)
                likeness[i][j] = 1 + kWeightOfAxis * likenessOf(axis.settings[i], axis.settings[j]);
        m_likeness.push_back(std::move(likeness));
    }
}

double PlanEstimate::kernel(const PlanPoint& one, const PlanPoint& other) const
{
    double product = 1;
    for (std::size_t axis = 0; axis < one.size(); ++axis)
        product *= m_likeness[axis][one[axis]][other[axis]];
    return product;
}

void PlanEstimate::learn(const PlanBounds& bounds)
{
    m_points.clear();
    std::vector<double> bytes;
    std::vector<double> seconds;
    for (const auto& [index, figures] : bounds.known()) {
        m_points.push_back(bounds.pointOf(index));
        bytes.push_back(static_cast<double>(figures.bytes));
        seconds.push_back(figures.seconds);
    }
    const auto centre = [](std::vector<double>& values) {
        double mean = 0;
        for (const double value : values)
            mean += value / static_cast<double>(values.size());
        for (double& value : values)
            value -= mean;
        return mean;
    };
    m_meanBytes = centre(bytes);
    m_meanSeconds = centre(seconds);
    Matrix matrix(m_points.size(), std::vector<double>(m_points.size()));
    for (std::size_t i = 0; i < m_points.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
            matrix[i][j] = kernel(m_points[i], m_points[j]) + (i == j ? kNoise : 0);
    factorize(matrix);
    m_bytesWeights = solved(matrix, std::move(bytes));
    m_secondsWeights = solved(matrix, std::move(seconds));
}

PlanFigures PlanEstimate::of(const PlanPoint& point) const
{
    double bytes = m_meanBytes;
    double seconds = m_meanSeconds;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const double likeness = kernel(point, m_points[i]);
        bytes += likeness * m_bytesWeights[i];
        seconds += likeness * m_secondsWeights[i];
    }
    return {static_cast<Bytes>(bytes), 0, seconds};
}

} // namespace headroom::experiments
