// SPDX-License-Identifier: Apache-2.0
//
// Is loaded into a worker (LD_PRELOAD) and tries there what a worker must not be able to do, as soon as it starts a
// thread: that is before it reads a request. What the kernel answered goes to its log, "intruder read 13 write 13 …":
// an error of each attempt, 0 for success.
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace {

int errorOf(long result)
{
    return result < 0 ? errno : 0;
}

int errorOfOpening(const char* variable, int flags)
{
    const char* const path = std::getenv(variable);
    return path == nullptr ? -1 : errorOf(::open(path, flags, 0600));
}

int errorOfConnecting()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(9);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return socket < 0 ? errno : errorOf(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)));
}

int errorOfStarting()
{
    char program[] = "/bin/true";
    char* const arguments[] = {program, nullptr};
    return errorOf(::execv(program, arguments));
}

void intrude()
{
    const char* const file = std::getenv("INTRUDER_READ");
    const int read = errorOfOpening("INTRUDER_READ", O_RDONLY);
    const int written = errorOfOpening("INTRUDER_WRITE", O_WRONLY | O_CREAT);
    const int spool = errorOfOpening("INTRUDER_SPOOL", O_WRONLY | O_CREAT);
    const int peak = errorOf(::open("/proc/self/clear_refs", O_WRONLY | O_CREAT | O_TRUNC, 0600));
    const int permissions = errorOf(::chmod(file == nullptr ? "" : file, 0777));
    const int connected = errorOfConnecting();
    const int signalled = errorOf(::kill(::getppid(), 0));
    const int started = errorOfStarting(); // the last one: it would be the end of this program
    ::dprintf(STDERR_FILENO,
        "intruder read %d write %d spool %d peak %d permissions %d connect %d signal %d start %d\n", read, written,
        spool, peak, permissions, connected, signalled, started);
}

} // namespace

// NOLINTBEGIN: the C library's name and signature
extern "C" int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument)
{
    intrude();
    static auto* const original = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    return original(thread, attributes, start, argument);
}
// NOLINTEND
