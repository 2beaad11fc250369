// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/spec/SpecSession.h"

#include <QObject>
#include <QString>

#include <functional>

class QWidget;

namespace headroom::ui {

/// Opens and saves experiment files for the menus: asks for file names, and before unsaved changes are lost.
class SpecFiles : public QObject {
    Q_OBJECT

public:
    SpecFiles(SpecSession& spec, QWidget& window);

    void makeNew();
    void choose();
    void open(const QString& file);
    void openPreset(const QString& name);
    /// Asks for the archive of an exported model or for a model's configuration file, and starts an experiment with it.
    void chooseModel();
    /// Starts an experiment with the model of such a file.
    void openModel(const QString& file);
    /// Opens what was dropped onto the window, if it is an experiment or a model.
    bool openDropped(const QString& file);
    void save();
    void saveAs();

    /// Calls `then` at once if there are no unsaved changes, else after the user has saved or discarded them; not at
    /// all if the user cancels.
    void leave(std::function<void()> then);

Q_SIGNALS:
    void modelOpened(const QString& file);

private:
    void askToReplace(const QString& file);

    SpecSession& m_spec;
    QWidget& m_window;
    std::function<void()> m_afterSaving; ///< called when the spec has been saved
};

} // namespace headroom::ui
