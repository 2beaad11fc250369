// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Account.h"

#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Ending.h"
#include "profiling/rehearsal/Lock.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace headroom::rehearsal {

namespace {

constexpr int kMostProcesses = 1024;
constexpr int kHost = kMostDevices;
/// Descriptors below are closed by programs that go into the background, and a record lock with them.
constexpr int kLowestDescriptor = 512;

/// One process: what it has of each card and of the host.
struct Slot {
    std::int64_t pid = 0;
    std::size_t bytes[kMostDevices + 1] = {};
};

/// The account: a file that every process maps. A slot's owner holds a lock on its first byte, which the system
/// releases when the process ends, however it ends; whoever writes holds a lock on the byte behind the last slot.
class Account {
public:
    Account();

    bool take(int what, std::size_t bytes, std::size_t most);
    void give(int what, std::size_t bytes);
    std::size_t taken(int what);
    std::vector<ProcessBytes> processes(int what);

private:
    class Writing;

    void openFile(const char* path);
    void claimSlot(const char* path);
    void forgetDead();
    std::size_t sum(int what) const;
    bool lock(std::size_t at, int how) const;
    bool isLocked(int slot) const;

    int m_file = -1;
    int m_slots = 1;
    int m_mine = 0;
    Slot* m_table = nullptr;
};

class Account::Writing {
public:
    explicit Writing(const Account& account)
        : m_account(account)
    {
        m_account.lock(sizeof(Slot) * kMostProcesses, F_WRLCK);
    }
    ~Writing() { m_account.lock(sizeof(Slot) * kMostProcesses, F_UNLCK); }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

private:
    const Account& m_account;
};

Account::Account()
{
    const char* path = std::getenv("HEADROOM_CARD_ACCOUNT");
    if (path != nullptr && *path != '\0')
        openFile(path);
    else
        m_table = new Slot{::getpid(), {}};
}

void Account::openFile(const char* path)
{
    const int file = ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    m_file = file < 0 ? -1 : ::fcntl(file, F_DUPFD_CLOEXEC, kLowestDescriptor);
    if (m_file < 0)
        m_file = file;
    else
        ::close(file);
    constexpr std::size_t kBytes = sizeof(Slot) * kMostProcesses;
    void* table = MAP_FAILED;
    if (m_file >= 0 && ::ftruncate(m_file, kBytes) == 0)
        table = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file, 0);
    if (table == MAP_FAILED)
        endProcess("the card's account HEADROOM_CARD_ACCOUNT=%s cannot be opened (%s)", path, std::strerror(errno));
    m_table = static_cast<Slot*>(table);
    m_slots = kMostProcesses;
    claimSlot(path);
}

void Account::claimSlot(const char* path)
{
    const Writing writing(*this);
    for (m_mine = 0; m_mine < m_slots; ++m_mine) {
        if (!isLocked(m_mine) && lock(sizeof(Slot) * static_cast<std::size_t>(m_mine), F_WRLCK)) {
            m_table[m_mine] = {::getpid(), {}};
            return;
        }
    }
    endProcess("the card's account %s has no room for another process: it has %d, or its file system has no locks",
        path, kMostProcesses);
}

bool Account::lock(std::size_t at, int how) const
{
    if (m_file < 0)
        return true;
    struct flock request{};
    request.l_type = static_cast<short>(how);
    request.l_whence = SEEK_SET;
    request.l_start = static_cast<off_t>(at);
    request.l_len = 1;
    int status = 0;
    do
        status = ::fcntl(m_file, F_SETLKW, &request);
    while (status != 0 && errno == EINTR);
    return status == 0;
}

/// By another process.
bool Account::isLocked(int slot) const
{
    struct flock request{};
    request.l_type = F_WRLCK;
    request.l_whence = SEEK_SET;
    request.l_start = static_cast<off_t>(sizeof(Slot)) * slot;
    request.l_len = 1;
    return ::fcntl(m_file, F_GETLK, &request) == 0 && request.l_type != F_UNLCK;
}

void Account::forgetDead()
{
    for (int i = 0; i < m_slots; ++i) {
        if (i != m_mine && m_table[i].pid != 0 && !isLocked(i))
            m_table[i] = Slot{};
    }
}

std::size_t Account::sum(int what) const
{
    std::size_t bytes = 0;
    for (int i = 0; i < m_slots; ++i)
        bytes += m_table[i].bytes[what];
    return bytes;
}

bool Account::take(int what, std::size_t bytes, std::size_t most)
{
    const Writing writing(*this);
    if (bytes > most)
        return false;
    if (sum(what) > most - bytes)
        forgetDead();
    if (sum(what) > most - bytes)
        return false;
    m_table[m_mine].bytes[what] += bytes;
    return true;
}

void Account::give(int what, std::size_t bytes)
{
    const Writing writing(*this);
    m_table[m_mine].bytes[what] -= bytes;
}

std::size_t Account::taken(int what)
{
    const Writing writing(*this);
    forgetDead();
    return sum(what);
}

std::vector<ProcessBytes> Account::processes(int what)
{
    const Writing writing(*this);
    forgetDead();
    std::vector<ProcessBytes> found;
    for (int i = 0; i < m_slots; ++i) {
        if (m_table[i].bytes[what] != 0)
            found.push_back({static_cast<int>(m_table[i].pid), m_table[i].bytes[what]});
    }
    return found;
}

constinit Lock accountLock;

Account& account()
{
    static Account& only = *new Account;
    return only;
}

template <typename Work> auto withAccount(Work work)
{
    const LockScope scope(accountLock);
    return work(account());
}

} // namespace

bool takeDeviceBytes(int device, std::size_t bytes)
{
    return withAccount([&](Account& account) { return account.take(device, bytes, card().totalBytes); });
}

void giveDeviceBytes(int device, std::size_t bytes)
{
    withAccount([&](Account& account) { account.give(device, bytes); });
}

std::size_t takenDeviceBytes(int device)
{
    return withAccount([&](Account& account) { return account.taken(device); });
}

std::vector<ProcessBytes> deviceProcesses(int device)
{
    return withAccount([&](Account& account) { return account.processes(device); });
}

bool takeHostBytes(std::size_t bytes)
{
    const std::size_t most = card().hostBytes == 0 ? SIZE_MAX : card().hostBytes;
    return withAccount([&](Account& account) { return account.take(kHost, bytes, most); });
}

void giveHostBytes(std::size_t bytes)
{
    withAccount([&](Account& account) { account.give(kHost, bytes); });
}

} // namespace headroom::rehearsal
