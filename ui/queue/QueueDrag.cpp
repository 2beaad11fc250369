// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/QueueDrag.h"

#include <QByteArrayList>
#include <QMimeData>

namespace headroom::ui {

QStringList QueueDrag::mimeTypes()
{
    return {QStringLiteral("application/x-headroom-queue-rows")};
}

std::unique_ptr<QMimeData> QueueDrag::toMime() const
{
    QByteArrayList words{QByteArray::number(run)};
    for (const std::size_t trial : trials)
        words += QByteArray::number(static_cast<qulonglong>(trial));
    auto data = std::make_unique<QMimeData>();
    data->setData(mimeTypes().first(), words.join(' '));
    return data;
}

std::optional<QueueDrag> QueueDrag::fromMime(const QMimeData& data)
{
    if (!data.hasFormat(mimeTypes().first()))
        return std::nullopt;
    const QByteArrayList words = data.data(mimeTypes().first()).split(' ');
    QueueDrag drag{.run = words.first().toInt(), .trials = {}};
    for (const QByteArray& word : words.mid(1))
        drag.trials.push_back(word.toULongLong());
    return drag;
}

} // namespace headroom::ui
