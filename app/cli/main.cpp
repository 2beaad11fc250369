// SPDX-License-Identifier: Apache-2.0
#include "app/cli/CommandLine.h"

int main(int argc, char** argv)
{
    return headroom::cli::runCommandLine(argc, argv);
}
