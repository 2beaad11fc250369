// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/jobs/JobThread.h"
#include "ui/window/Preferences.h"

#include <QObject>
#include <QString>

#include <functional>

namespace headroom::ui {

/// Keeps the preferences in a file, on its own thread. A file that cannot be read counts as missing. If the file cannot
/// be written, `failed` is emitted and the program goes on.
class PreferencesStore : public QObject {
    Q_OBJECT

public:
    /// An INI file; its folder is created when there is something to write.
    explicit PreferencesStore(QString file, QObject* parent = nullptr);

    void load(QObject* receiver, std::function<void(const Preferences&)> deliver);
    /// Of several calls in a row only the last one is written; the end of the program waits for it.
    void save(const Preferences& preferences);

    /// The default file for this user.
    static QString usualFile();

Q_SIGNALS:
    void failed(const QString& message);

private:
    QString m_file;
    JobThread m_jobs;
};

} // namespace headroom::ui
