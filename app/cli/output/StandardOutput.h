// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace headroom::cli {

/// From here on a reader of standard output that goes away (`| head -1`, a terminal that was closed) does not end the
/// program: what is written for it is lost, and the rest is done; a file that may not grow (`ulimit -f`) does not end
/// it either: it is a disk that is full. Workers ask for the same by themselves.
void outliveFailedWrites();

/// Whether nobody reads any more what is written there: the other end of a pipe or socket is closed, or the terminal.
bool isReaderGone(int descriptor);

} // namespace headroom::cli
