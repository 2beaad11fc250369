// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/LibraryVersions.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <link.h>

#include <cstring>

namespace headroom::rehearsal {
namespace {

struct Package {
    Library library;
    const char* file; // up to the number behind ".so."
    const char* propertyFunction; // null: NCCL's ncclGetVersion
    LibraryVersion version;
};

#if CUDART_VERSION >= 13000
constexpr Package kPackages[] = {{Library::Cublas, "libcublas.so.", "cublasGetProperty", {13, 1, 0}},
    {Library::CublasLt, "libcublasLt.so.", "cublasLtGetProperty", {13, 1, 0}},
    {Library::Cudnn, "libcudnn.so.", "cudnnGetProperty", {9, 19, 0}},
    {Library::Cusolver, "libcusolver.so.", "cusolverGetProperty", {12, 0, 4}},
    {Library::Cusparse, "libcusparse.so.", "cusparseGetProperty", {12, 6, 3}},
    {Library::CusparseLt, "libcusparseLt.so.", "cusparseLtGetProperty", {0, 8, 0}},
    {Library::Cufft, "libcufft.so.", "cufftGetProperty", {12, 0, 0}},
    {Library::Curand, "libcurand.so.", "curandGetProperty", {10, 4, 0}},
    {Library::Nccl, "libnccl.so.", nullptr, {2, 28, 9}}};
#else
constexpr Package kPackages[] = {{Library::Cublas, "libcublas.so.", "cublasGetProperty", {12, 4, 5}},
    {Library::CublasLt, "libcublasLt.so.", "cublasLtGetProperty", {12, 4, 5}},
    {Library::Cudnn, "libcudnn.so.", "cudnnGetProperty", {9, 1, 0}},
    {Library::Cusolver, "libcusolver.so.", "cusolverGetProperty", {11, 6, 1}},
    {Library::Cusparse, "libcusparse.so.", "cusparseGetProperty", {12, 3, 1}},
    {Library::CusparseLt, "libcusparseLt.so.", "cusparseLtGetProperty", {0, 6, 2}},
    {Library::Cufft, "libcufft.so.", "cufftGetProperty", {11, 2, 1}},
    {Library::Curand, "libcurand.so.", "curandGetProperty", {10, 3, 5}},
    {Library::Nccl, "libnccl.so.", nullptr, {2, 21, 5}}};
#endif

struct Search {
    const char* file;
    const char* path;
};

int compareName(dl_phdr_info* info, std::size_t, void* data)
{
    auto* search = static_cast<Search*>(data);
    const char* slash = std::strrchr(info->dlpi_name, '/');
    const char* name = slash == nullptr ? info->dlpi_name : slash + 1;
    if (std::strncmp(name, search->file, std::strlen(search->file)) != 0)
        return 0;
    search->path = info->dlpi_name;
    return 1;
}

LibraryVersion ncclVersion(LibraryVersion packaged)
{
    const auto read = reinterpret_cast<int (*)(int*)>(realFunction("libnccl.so.", "ncclGetVersion"));
    int number = 0;
    if (read == nullptr || read(&number) != 0)
        return packaged;
    const int unit = number >= 10000 ? 10000 : 1000; // before 2.9 the major version was counted in thousands
    return {number / unit, number % unit / 100, number % 100};
}

LibraryVersion loadedVersion(const Package& package)
{
    if (package.propertyFunction == nullptr)
        return ncclVersion(package.version);
    const auto read = reinterpret_cast<int (*)(int, int*)>(realFunction(package.file, package.propertyFunction));
    LibraryVersion version;
    if (read == nullptr || read(0, &version.major) != 0 || read(1, &version.minor) != 0 || read(2, &version.patch) != 0)
        return package.version;
    return version;
}

} // namespace

void* realFunction(const char* libraryName, const char* function)
{
    Search search{libraryName, nullptr};
    if (dl_iterate_phdr(compareName, &search) == 0)
        return nullptr;
    void* library = ::dlopen(search.path, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr)
        return nullptr;
    void* found = ::dlsym(library, function);
    ::dlclose(library); // it was loaded before and stays
    return found;
}

LibraryVersion versionOf(Library library)
{
    for (const Package& package : kPackages)
        if (package.library == library)
            return loadedVersion(package);
    return {};
}

bool readProperty(Library library, int property, int* value)
{
    if (value == nullptr || property < 0 || property > 2)
        return false;
    const LibraryVersion version = versionOf(library);
    const int parts[] = {version.major, version.minor, version.patch};
    *value = parts[property];
    return true;
}

} // namespace headroom::rehearsal
