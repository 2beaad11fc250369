// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

class QMimeData;

namespace headroom::ui {

/// Rows of the queue that are being dragged: an experiment, or trials of one experiment.
struct QueueDrag {
    int run = 0;
    std::vector<std::size_t> trials; ///< empty: the experiment itself

    static QStringList mimeTypes();
    std::unique_ptr<QMimeData> toMime() const;
    /// nullopt if the data is of another type.
    static std::optional<QueueDrag> fromMime(const QMimeData& data);
};

} // namespace headroom::ui
