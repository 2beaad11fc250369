// SPDX-License-Identifier: Apache-2.0
#pragma once

// What many files of the desktop program use, compiled once (cmake/HeadroomQt.cmake). Files include what they use all
// the same, so that each can be read by itself. All of QtWidgets, or QCustomPlot, which few files use, would make this
// header twice as large, and each unit loads it.

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QList>
#include <QObject>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>

#include <nlohmann/json.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
