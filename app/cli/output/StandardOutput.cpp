// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/StandardOutput.h"

#include <poll.h>

#include <csignal>
#include <initializer_list>

namespace headroom::cli {

void outliveFailedWrites()
{
    for (const int signal : {SIGPIPE, SIGXFSZ})
        std::signal(signal, SIG_IGN);
}

bool isReaderGone(int descriptor)
{
    pollfd watched{descriptor, POLLOUT, 0};
    return ::poll(&watched, 1, 0) > 0 && (watched.revents & (POLLERR | POLLHUP)) != 0;
}

} // namespace headroom::cli
