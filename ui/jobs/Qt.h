// SPDX-License-Identifier: Apache-2.0
#pragma once

// What nearly every file of the desktop program uses, compiled once (cmake/HeadroomQt.cmake). Files include what they
// use all the same, so that each can be read by itself.

#include <QtCore>
#include <QtGui>
#include <QtWidgets>
#include <qcustomplot.h>

#include <nlohmann/json.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
