// SPDX-License-Identifier: Apache-2.0
#include "core/confinement/CallFilter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

namespace headroom::confinement {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t kFirstForeignCall = 0x40000000; // those of x32
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t kFirstForeignCall = 0xffffffff;
#else
constexpr std::uint32_t kArchitecture = 0;
constexpr std::uint32_t kFirstForeignCall = 0;
#endif

constexpr std::uint32_t kIoUringSetup = 425;
constexpr std::uint32_t kFchmodat2 = 452;
constexpr std::uint32_t kSetxattrat = 463;
constexpr std::uint32_t kRemovexattrat = 466;

// What Landlock does not know, or in newer kernels only. io_uring makes calls that no filter sees.
constexpr auto kRefused = std::to_array<std::uint32_t>({
    SYS_execve,
    SYS_execveat,
    kIoUringSetup, // programs
    SYS_fchmod,
    SYS_fchmodat,
    kFchmodat2,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat, // what is known of a file
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    kSetxattrat,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    kRemovexattrat,
    SYS_truncate, //
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_setns,
    SYS_unshare, // other processes
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_open_by_handle_at, // places of files
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd, // the kernel
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_syslog,
    SYS_acct,
    SYS_quotactl,
#if defined(__x86_64__)
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_iopl,
    SYS_ioperm,
    SYS_kexec_file_load,
#endif
});

class FilterProgram {
public:
    void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
    void allow() { add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW); }
    void refuse(std::uint32_t error) { add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error); }

    // What was loaded last decides whether the next line runs.
    FilterProgram& ifEqual(std::uint32_t value) { return test(BPF_JEQ, value, 0, 1); }
    FilterProgram& unlessEqual(std::uint32_t value) { return test(BPF_JEQ, value, 1, 0); }
    FilterProgram& ifAtLeast(std::uint32_t value) { return test(BPF_JGE, value, 0, 1); }

    std::vector<sock_filter>& lines() { return m_lines; }

private:
    void add(int code, std::uint32_t value) { m_lines.push_back({static_cast<std::uint16_t>(code), 0, 0, value}); }

    FilterProgram& test(int test, std::uint32_t value, std::uint8_t skippedIfTrue, std::uint8_t skippedIfFalse)
    {
        const auto code = static_cast<std::uint16_t>(BPF_JMP | test | BPF_K);
        m_lines.push_back({code, skippedIfTrue, skippedIfFalse, value});
        return *this;
    }

    std::vector<sock_filter> m_lines;
};

// The number of the call is loaded in the end.
FilterProgram programForThisMachine()
{
    FilterProgram program;
    program.load(offsetof(seccomp_data, arch));
    program.unlessEqual(kArchitecture).refuse(EPERM);
    program.load(offsetof(seccomp_data, nr));
    program.ifAtLeast(kFirstForeignCall).refuse(EPERM);
    return program;
}

FilterProgram programFor(Sockets sockets)
{
    FilterProgram program = programForThisMachine();
    for (const std::uint32_t call : kRefused)
        program.ifEqual(call).refuse(EPERM);
    program.unlessEqual(SYS_socket).allow();
    program.load(offsetof(seccomp_data, args)); // the lower half of the first argument: both are little-endian
    if (sockets == Sockets::Local)
        program.ifEqual(AF_UNIX).allow();
    program.refuse(EACCES);
    return program;
}

} // namespace

// Without SPEC_ALLOW kernels before 5.16 slow down the whole process, which would be measured.
std::string restrictCalls(Sockets sockets)
{
    if (kArchitecture == 0)
        return "the calls of this processor are not known";
    FilterProgram program = programFor(sockets);
    const sock_fprog filter{static_cast<unsigned short>(program.lines().size()), program.lines().data()};
    constexpr unsigned kFlags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        && ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, kFlags, &filter) == 0)
        return {};
    return "seccomp cannot be used: " + std::generic_category().message(errno);
}

SocketFilter::SocketFilter()
{
    FilterProgram program = programForThisMachine();
    program.ifEqual(kIoUringSetup).refuse(ENOSYS);
    program.unlessEqual(SYS_socket).allow();
    program.load(offsetof(seccomp_data, args));
    for (const std::uint32_t family : {AF_UNIX, AF_NETLINK})
        program.ifEqual(family).allow();
    program.refuse(EACCES);
    m_lines = std::move(program.lines());
}

bool SocketFilter::enter() const noexcept
{
    // The kernel reads the lines only.
    const sock_fprog filter{static_cast<unsigned short>(m_lines.size()), const_cast<sock_filter*>(m_lines.data())};
    if (kArchitecture == 0)
        errno = ENOSYS;
    return kArchitecture != 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        && ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) == 0;
}

} // namespace headroom::confinement
