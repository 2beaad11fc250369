// SPDX-License-Identifier: Apache-2.0
#pragma once

struct CUstream_st;

namespace headroom::rehearsal {

/// What a library's product of matrices computes: C[m x n] += op(A)[m x k] op(B)[k x n], `batch` times. The types are
/// those of cudaDataType, `compute` one of cublasComputeType_t; both are numbers that CUDA documents.
struct Product {
    long long m = 0;
    long long n = 0;
    long long k = 0;
    long long batch = 1;
    int typeA = 0;
    int typeB = 0;
    int typeC = 0;
    int compute = 0;
    char transposeA = 'N'; ///< N, T or C (conjugated)
    char transposeB = 'N';
};

/// "bf16", "f32", "e4m3", "c64": how kernels' names say a cudaDataType; "type 99" where it is none.
const char* dataTypeName(int dataType);
/// Of one element, in bits (there are types of 4 and 6); 0 where the number is no type.
int dataTypeBits(int dataType);

/// Launches a product on `stream` under a name made of `operation`, types and shape.
void launchProduct(const char* operation, const Product& product, CUstream_st* stream);

} // namespace headroom::rehearsal
