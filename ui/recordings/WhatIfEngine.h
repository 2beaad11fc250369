// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/recordings/WhatIf.h"
#include "profiling/recordings/Recording.h"
#include "ui/jobs/JobThread.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace headroom::ui {

/// The traced trial whose requests are served again.
struct WhatIfSubject {
    std::string workspace; ///< the file
    std::int64_t experiment = 0; ///< its number
    std::string trialId;
    std::int64_t repeat = 0; ///< store::RepeatRow::id
    std::string title;

    bool operator==(const WhatIfSubject&) const = default;
};

/// What is asked. Everything else is as in the recording.
struct WhatIfTerms {
    std::string allocator; ///< as PYTORCH_ALLOC_CONF has it; empty: PyTorch's own settings
    std::optional<Bytes> capacityBytes; ///< what segments may take; nothing: what the recording tells
    bool emptiesCache = true;

    bool operator==(const WhatIfTerms&) const = default;
};

/// A GPU whose memory can be asked for.
struct WhatIfCard {
    QString name;
    QString title;
    Bytes capacityBytes = 0; ///< for segments
};

/// What is known of a trial before anything is asked of it.
struct WhatIfStart {
    WhatIfSubject subject;
    std::shared_ptr<const recordings::Recording> recording;
    QString missing; ///< why nothing can be asked, in a sentence; empty if it can
    std::optional<Bytes> toldCapacity; ///< what the recording tells of the memory that it had
    std::vector<WhatIfCard> cards; ///< the smallest first
};

/// Answers on threads of its own, as `headroom trace replay` does: one for what is asked, where the newest question
/// counts, and one for the settings worth trying, a row at a time.
class WhatIfEngine : public QObject {
    Q_OBJECT

public:
    explicit WhatIfEngine(QObject* parent = nullptr);
    ~WhatIfEngine() override;

    /// Reads the trial's requests; ends with `begun` or `failed`.
    void begin(const WhatIfSubject& subject);
    /// Nothing is asked any more: answers that are still on their way are dropped.
    void end();
    /// The recorded settings and those asked for. Ends with `answered` or `failed`.
    void ask(const WhatIfTerms& terms);
    /// The settings worth trying, with this memory. Gives `tried` for each, then `suggested`.
    void suggest(const WhatIfTerms& terms);
    bool isIdle() const { return m_asking.isIdle() && m_trying.isIdle(); }

Q_SIGNALS:
    void begun(const headroom::ui::WhatIfStart& start);
    void answered(const headroom::ui::WhatIfTerms& terms, const headroom::experiments::WhatIfAnswer& answer);
    void tried(const headroom::experiments::WhatIfRow& row);
    /// nullopt: none of them helps.
    void suggested(const std::optional<headroom::experiments::SettingSuggestion>& suggestion);
    void failed(const QString& message);

private:
    using RecordingPtr = std::shared_ptr<const recordings::Recording>;

    void tryNext(const WhatIfTerms& terms, std::vector<std::string> left, std::vector<experiments::WhatIfRow> rows);

    RecordingPtr m_recording; ///< null before one has been read
    std::optional<Bytes> m_toldCapacity;
    int m_trial = 0; ///< counts the questions about settings: rows of an earlier one are dropped
    JobThread m_asking;
    JobThread m_trying;
};

} // namespace headroom::ui
