// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"

namespace headroom::collectors {

// What registerMetaKernels registers, family by family. Each definition is in the file of its name: that of
// registerNormKernels in NormKernels.cpp. `kernels` are those of LibTorch's Meta, `composites` those of its
// AutogradMeta.

/// rms_norm in the form of the active rules; _fused_rms_norm and native_layer_norm with their backward passes.
void registerNormKernels(torch::Library& kernels, torch::Library& composites);

/// scaled_dot_product_attention by the backend of the active rules, and the backends' kernels: results with their saved
/// statistics in the layouts of LibTorch's kernels, padding and scratch. Not modelled: cuDNN's workspace, whose size
/// only cuDNN knows, and the flash backward pass's expanded gradients of keys and values that several heads share.
void registerAttentionKernels(torch::Library& kernels, torch::Library& composites);

/// Convolution and its backward, which LibTorch has no meta kernels for without Python. Results are contiguous, and
/// inputs that are not are copied first, as by oneDNN and cuDNN. What cuDNN takes as workspace depends on the algorithm
/// that it chooses on the device: it is no part of these rules.
void registerConvolutionKernels(torch::Library& kernels);

/// Dropout: one kernel with a mask of one byte an element on CUDA, a product with noise of the input's type on the CPU.
void registerDropoutKernels(torch::Library& kernels, torch::Library& composites);

/// What picks by index: rows of a table and the gradient of the table, which LibTorch lacks on meta; the kernel behind
/// index_put and the backward pass of index, with what CUDA's takes to add values up by their index.
void registerIndexKernels(torch::Library& kernels);

/// where, which LibTorch lacks on meta and attention by plain ops needs.
void registerSelectKernels(torch::Library& kernels);

/// Kernels over lists of tensors. Those that change them in place LibTorch lacks on meta, the fused optimizers and what
/// float16's loss scale needs: they take no memory, as on a real device. The norms of a list are formed in one go on
/// CUDA, one by one on the CPU and on LibTorch's meta.
void registerOptimizerKernels(torch::Library& kernels);

} // namespace headroom::collectors
