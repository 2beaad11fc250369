// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/jobs/JobThread.h"
#include "ui/window/Preferences.h"

#include <QObject>
#include <QString>

#include <functional>

namespace headroom::ui {

/// Keeps the preferences in a file, on a thread of its own. A file that cannot be read counts as none; one that cannot
/// be written is said and the program goes on.
class PreferencesStore : public QObject {
    Q_OBJECT

public:
    /// An INI file; its folder is made when there is something to write.
    explicit PreferencesStore(QString file, QObject* parent = nullptr);

    void load(QObject* receiver, std::function<void(const Preferences&)> deliver);
    /// Of several in a row only the last one is written; the end of the program waits for it.
    void save(const Preferences& preferences);

    /// Where the program of this user keeps them.
    static QString usualFile();

Q_SIGNALS:
    void failed(const QString& message);

private:
    QString m_file;
    JobThread m_jobs;
};

} // namespace headroom::ui
