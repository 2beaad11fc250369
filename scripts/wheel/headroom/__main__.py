# SPDX-License-Identifier: Apache-2.0
from headroom.launch import main

main()
