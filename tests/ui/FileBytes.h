// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/TextFiles.h"

#include <QByteArray>
#include <QString>

namespace headroom::ui {

/// Every byte of a file; empty where there is none that can be read.
inline QByteArray bytesOf(const QString& path)
{
    return QByteArray::fromStdString(contentOf(path.toStdString()));
}

} // namespace headroom::ui
