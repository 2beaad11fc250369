// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// What cuSOLVER's factorisations need beside their matrices, in elements. The library publishes no formulas: where
/// somebody has published a measurement it is met; elsewhere the answer is what LAPACK's blocked routines take with
/// blocks of 64 columns, and the range up to a few copies of the matrix is noted as not counted.
namespace headroom::rehearsal::solver {

struct WorkSize {
    double counted = 0;
    double most = 0; ///< at least `counted`
};

WorkSize geqrf(double m, double n);
/// m x n, as measured: at 58,720,256 rows 36 columns took about 8 GB, and 37 went beyond 2^31 elements (pytorch
/// 134326).
WorkSize orgqr(double m, double n);
WorkSize ormqr(double m, double n);
WorkSize getrf(double m, double n);
WorkSize potrf(double n);
WorkSize sytrf(double n);
WorkSize gesvd(double m, double n);
WorkSize gesvdj(double m, double n);
WorkSize syevd(double n);
WorkSize syevj(double n);
WorkSize geev(double n);
/// In bytes: batches of 16,384 symmetric 3 x 3 matrices took 4,452 MB (mujocolab/mjlab 754, CUDA 12.8, single
/// precision).
WorkSize syevBatchedBytes(double n, double batch, double elementBytes);

} // namespace headroom::rehearsal::solver
