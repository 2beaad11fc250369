// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

// What registerMetaKernels registers, family by family. Each definition is in the file named after it:
// registerNormKernels in NormKernels.cpp. `kernels` are those of LibTorch's Meta dispatch key, `composites` those of
// AutogradMeta.

/// rms_norm in the form of the active rules; _fused_rms_norm and native_layer_norm with their backward passes.
void registerNormKernels(torch::Library& kernels, torch::Library& composites);

/// scaled_dot_product_attention with the backend of the active rules, and the backends' kernels: results with their
/// saved statistics in the layouts of LibTorch's kernels, padding and scratch. Not modelled: cuDNN's workspace, whose
/// size only cuDNN knows, and the flash backward pass's expanded gradients of keys and values that several heads share.
void registerAttentionKernels(torch::Library& kernels, torch::Library& composites);

/// Convolution and its backward, for which LibTorch has no meta kernels without Python. Results are contiguous, and
/// non-contiguous inputs are copied first, as by oneDNN and cuDNN. cuDNN's workspace depends on the algorithm that it
/// chooses on the device and is not part of these rules.
void registerConvolutionKernels(torch::Library& kernels);

/// Dropout: on CUDA one kernel with a mask of one byte per element, on the CPU a product with noise of the input's
/// type.
void registerDropoutKernels(torch::Library& kernels, torch::Library& composites);

/// The kernel behind index_put and the backward pass of index, with the memory that CUDA's kernel takes to accumulate
/// values by index.
void registerIndexKernels(torch::Library& kernels);

/// Rows of an embedding table, one by one or reduced in bags, and the gradient of the table.
void registerEmbeddingKernels(torch::Library& kernels);

/// Batch norm: with cuDNN's kernels where LibTorch would choose them on CUDA, with its own elsewhere.
void registerBatchNormKernels(torch::Library& kernels, torch::Library& composites);

/// Group norm and its backward pass with the factors that CUDA's kernels keep for a moment; weight norm.
void registerGroupNormKernels(torch::Library& kernels);

/// Ops of TensorIterator with one result of the broadcast shape: activations, comparisons, their gradients and the
/// forms that write into a given tensor.
void registerElementwiseKernels(torch::Library& kernels);

/// Reductions that are not structured kernels in LibTorch: moments, products, medians, histograms, distances.
void registerReductionKernels(torch::Library& kernels);

/// Pools, pads, patches as columns and back, sampling on a grid.
void registerPoolingKernels(torch::Library& kernels);

/// Selecting, turning over, searching, drawing.
void registerGatherKernels(torch::Library& kernels);

/// Elements that a mask selects, where results have a known size; random orders.
void registerMaskedKernels(torch::Library& kernels);

/// Sorting along a dimension, with the memory that CUDA's kernels take for positions and between CUB's passes.
void registerSortingKernels(torch::Library& kernels);

void registerLossKernels(torch::Library& kernels);

/// Fourier transforms, with the copies that cuFFT needs; its workspace, which only it knows, is not counted.
void registerFourierKernels(torch::Library& kernels);

/// Matrix products in 8 bits and of groups.
void registerMatrixKernels(torch::Library& kernels);

/// For ops whose sizes or results depend on values: kernels that refuse by name (ValueDependent.h).
void registerRefusals(torch::Library& kernels);

/// where, which LibTorch lacks on meta and which attention from plain ops needs.
void registerSelectKernels(torch::Library& kernels);

/// Kernels over lists of tensors. LibTorch lacks the in-place ones on meta, the fused optimizers, and what float16's
/// loss scale needs: they take no memory, as on a real device. CUDA computes the norms of a list in one kernel; the CPU
/// and LibTorch's meta kernels compute them one by one.
void registerOptimizerKernels(torch::Library& kernels);

} // namespace headroom::collectors
