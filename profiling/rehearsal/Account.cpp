// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Account.h"

#include "profiling/rehearsal/AccountFile.h"
#include "profiling/rehearsal/Card.h"
#include "profiling/rehearsal/Ending.h"
#include "profiling/rehearsal/Lock.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace headroom::rehearsal {

namespace {

/// Descriptors below are closed by programs that go into the background, and a record lock with them.
constexpr int kLowestDescriptor = 512;

/// The account: a page that every process maps, or one of this process alone.
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
    void noteMost(int what);
    bool lock(std::size_t at, int how) const;
    bool isLocked(int slot) const;

    int m_file = -1;
    int m_slots = 1;
    int m_mine = 0;
    bool m_hasTaken = false; ///< of a card
    AccountPage* m_page = nullptr;
};

class Account::Writing {
public:
    explicit Writing(const Account& account)
        : m_account(account)
    {
        m_account.lock(offsetof(AccountPage, most), F_WRLCK);
    }
    ~Writing() { m_account.lock(offsetof(AccountPage, most), F_UNLCK); }
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
        m_page = new AccountPage{};
    m_page->slots[m_mine].pid = ::getpid();
}

void Account::openFile(const char* path)
{
    const int file = ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    m_file = file < 0 ? -1 : ::fcntl(file, F_DUPFD_CLOEXEC, kLowestDescriptor);
    if (m_file < 0)
        m_file = file;
    else
        ::close(file);
    void* page = MAP_FAILED;
    if (m_file >= 0 && ::ftruncate(m_file, sizeof(AccountPage)) == 0)
        page = ::mmap(nullptr, sizeof(AccountPage), PROT_READ | PROT_WRITE, MAP_SHARED, m_file, 0);
    if (page == MAP_FAILED)
        endProcess("the card's account HEADROOM_CARD_ACCOUNT=%s cannot be opened (%s)", path, std::strerror(errno));
    m_page = static_cast<AccountPage*>(page);
    m_slots = kMostProcesses;
    claimSlot(path);
}

void Account::claimSlot(const char* path)
{
    const Writing writing(*this);
    for (m_mine = 0; m_mine < m_slots; ++m_mine) {
        if (!isLocked(m_mine) && lock(sizeof(AccountSlot) * static_cast<std::size_t>(m_mine), F_WRLCK)) {
            m_page->slots[m_mine] = {::getpid(), {}};
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
    request.l_start = static_cast<off_t>(sizeof(AccountSlot)) * slot;
    request.l_len = 1;
    return ::fcntl(m_file, F_GETLK, &request) == 0 && request.l_type != F_UNLCK;
}

void Account::forgetDead()
{
    for (int i = 0; i < m_slots; ++i) {
        if (i != m_mine && m_page->slots[i].pid != 0 && !isLocked(i))
            m_page->slots[i] = AccountSlot{};
    }
}

std::size_t Account::sum(int what) const
{
    std::size_t bytes = 0;
    for (int i = 0; i < m_slots; ++i)
        bytes += m_page->slots[i].bytes[what];
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
    m_page->slots[m_mine].bytes[what] += bytes;
    noteMost(what);
    return true;
}

// What an ended process had is given back before a new high mark is believed.
void Account::noteMost(int what)
{
    if (what != kHostPlace && !std::exchange(m_hasTaken, true))
        ++m_page->processes;
    if (sum(what) <= m_page->most[what])
        return;
    forgetDead();
    m_page->most[what] = std::max(m_page->most[what], sum(what));
}

void Account::give(int what, std::size_t bytes)
{
    const Writing writing(*this);
    m_page->slots[m_mine].bytes[what] -= bytes;
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
        if (m_page->slots[i].bytes[what] != 0)
            found.push_back({static_cast<int>(m_page->slots[i].pid), m_page->slots[i].bytes[what]});
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
    return withAccount([&](Account& account) { return account.take(kHostPlace, bytes, most); });
}

void giveHostBytes(std::size_t bytes)
{
    withAccount([&](Account& account) { account.give(kHostPlace, bytes); });
}

} // namespace headroom::rehearsal
