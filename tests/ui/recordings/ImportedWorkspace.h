// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/recordings/RecordingImport.h"
#include "profiling/recordings/RecordingFile.h"
#include "tests/ui/recordings/DyingRun.h"

#include <QString>
#include <QTemporaryDir>

#include <fstream>
#include <string>

namespace headroom::ui {

/// A workspace with one imported recording: a small run that dies of memory.
class ImportedWorkspace {
public:
    ImportedWorkspace()
    {
        std::ofstream(file(), std::ios::binary) << dyingRunSnapshot(kSmallDyingRun);
        const recordings::Recording recording = recordings::readRecording(file());
        m_imported = experiments::importRecording(
            recording, {.file = file(), .workspace = path(), .name = "run", .commandLine = {}, .progress = {}});
    }

    std::string file() const { return m_folder.filePath(QStringLiteral("oom.json")).toStdString(); }
    std::string path() const { return m_folder.filePath(QStringLiteral("w.db")).toStdString(); }
    const experiments::ImportedExperiment& imported() const { return m_imported; }

private:
    QTemporaryDir m_folder;
    experiments::ImportedExperiment m_imported;
};

} // namespace headroom::ui
