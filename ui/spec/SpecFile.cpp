// SPDX-License-Identifier: Apache-2.0
#include "ui/spec/SpecFile.h"

#include "core/base/Error.h"
#include "core/base/Utf8.h"
#include "experiments/spec/InputText.h"
#include "profiling/store/OpenFiles.h"

#include <QSaveFile>

namespace headroom::ui {

std::string readSpecFile(const QString& path)
{
    const std::string text = experiments::readInput(path.toStdString(), "the spec", "a TOML file");
    if (validUtf8(text) != text)
        throw FileError("this is no text in UTF-8", path.toStdString(), "a TOML file");
    return text;
}

void writeSpecFile(const QString& path, const std::string& text)
{
    store::requireNotOpenHere(path.toStdString());
    QSaveFile file(path);
    const bool isWritten = file.open(QIODevice::WriteOnly)
        && file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size())
        && file.commit();
    if (!isWritten)
        throw FileError("the spec cannot be saved: " + file.errorString().toStdString(), path.toStdString(),
            "a folder that can be written to");
}

} // namespace headroom::ui
