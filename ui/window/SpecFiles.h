// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/spec/SpecSession.h"

#include <QObject>
#include <QString>

#include <functional>

class QWidget;

namespace headroom::ui {

/// Opens and saves experiment files as menus do: asks for names, and about changes before they are lost.
class SpecFiles : public QObject {
    Q_OBJECT

public:
    SpecFiles(SpecSession& spec, QWidget& window);

    void makeNew();
    void choose();
    void open(const QString& file);
    void openPreset(const QString& name);
    /// Asks for the configuration file of a model and begins an experiment with it.
    void chooseModel();
    void save();
    void saveAs();

    /// Does it at once, or after the user has saved or given up the changes; not at all where neither happens.
    void leave(std::function<void()> then);

private:
    void startWith(const QString& modelFile);

    SpecSession& m_spec;
    QWidget& m_window;
    std::function<void()> m_afterSaving; ///< what waits for the spec to be in its file
};

} // namespace headroom::ui
