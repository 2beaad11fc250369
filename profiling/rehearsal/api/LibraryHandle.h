// SPDX-License-Identifier: Apache-2.0
#pragma once

struct CUstream_st;

namespace headroom::rehearsal {

enum class Library : unsigned {
    Cublas = 0x626c6173,
    CublasLt = 0x626c4c74,
    Cudnn = 0x63646e6e,
    Cusolver = 0x73766572,
    Cusparse = 0x73707273,
    CusparseLt = 0x73704c74,
    Cufft = 0x66667400,
    Curand = 0x72616e64,
    Nccl = 0x6e63636c,
};

/// What the handle of each library begins with, so that a call of which only its name is known still reaches its
/// stream.
struct LibraryHandle {
    explicit LibraryHandle(Library of)
        : library(of)
    {
    }

    Library library;
    CUstream_st* stream = nullptr;
};

/// True for a handle that `library` made and has not destroyed.
bool isHandleOf(const void* handle, Library library);

/// A kernel of a library, by the name of the function that launched it. A status of the runtime.
int launchNamed(const char* name, CUstream_st* stream);

} // namespace headroom::rehearsal
