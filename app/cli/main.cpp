// SPDX-License-Identifier: Apache-2.0
#include "app/cli/CommandLine.h"
#include "app/cli/output/StandardOutput.h"

int main(int argc, char** argv)
{
    headroom::cli::outliveFailedWrites();
    return headroom::cli::runCommandLine(argc, argv);
}
