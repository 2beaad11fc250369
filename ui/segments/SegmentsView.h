// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/plot/ChoiceField.h"
#include "ui/segments/SegmentSource.h"

#include <QAction>
#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QSlider;
class QSortFilterProxyModel;
class QSplitter;
class QStackedWidget;
class QTableView;
class QToolBar;

namespace headroom::ui {

class BlockTableModel;
class ElidedLabel;
class SegmentLegend;
class SegmentMap;
class SegmentTableModel;

/// The segments of a trial's allocator at a moment of its trace: what is stuck between blocks, and whose block keeps a
/// segment alive. The moment is chosen by its slider or by the timeline's cursor. Reads nothing while it is not seen.
class SegmentsView : public QWidget {
    Q_OBJECT

public:
    explicit SegmentsView(Theme& theme, QWidget* parent = nullptr);
    ~SegmentsView() override;

    /// nullopt shows nothing.
    void setSubject(const std::optional<SegmentSubject>& subject);
    /// Since the start of the trace.
    void showTime(std::int64_t timeNs);
    void showEvents(std::uint64_t events) { chooseEvents(events); }

    /// Null before something has been read.
    const SegmentMomentPtr& moment() const { return m_moment; }
    SegmentMap& map() { return *m_map; }
    SegmentSource& source() { return m_source; }
    QString sentence() const;
    const QList<QAction*>& actions() const { return m_actions; }

Q_SIGNALS:
    /// By the user, here.
    void timeChosen(qint64 timeNs);
    void shown();

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeActions();
    QToolBar* makeBar();
    QWidget* makeSide();
    QTableView* makeTable(const char* name, const QString& words, QAbstractItemModel* model);
    void connectSource();
    void open();
    void takeTrace(const SegmentTracePtr& trace);
    void takeMoment(const SegmentMomentPtr& moment);
    void say(const QString& message);
    void chooseEvents(std::uint64_t events);
    void stepEvents(int by);
    void stepFailure();
    void fitSide();
    void describeChosen();
    void chooseRow();
    std::uint64_t firstMoment() const;

    std::optional<SegmentSubject> m_subject;
    SegmentTracePtr m_trace; ///< null before it has been read
    SegmentMomentPtr m_moment;
    std::optional<std::int64_t> m_wantedTime; ///< to be shown once the trace has been read
    std::optional<std::int64_t> m_told; ///< the time that was told to others last
    std::optional<std::int64_t> m_cursor; ///< of the timeline
    bool m_isBehind = false; ///< the cursor has moved where nobody looked
    bool m_isTelling = false; ///< others hear of a time
    QSize m_draggedAt; ///< the view's size when the user chose the splitter's last
    bool m_isOwnChoice = false; ///< the moment that is being read was chosen here
    SegmentSource m_source;
    QTimer m_look;
    QList<QAction*> m_actions;
    QAction* m_peak = nullptr;
    QAction* m_failure = nullptr;
    QAction* m_asTable = nullptr;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QLabel* m_sums;
    QSlider* m_slider;
    ElidedLabel* m_when;
    ChoiceField* m_order;
    SegmentLegend* m_legend;
    QStackedWidget* m_pictures;
    SegmentMap* m_map;
    SegmentTableModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
    QLabel* m_chosen;
    BlockTableModel* m_blockModel;
    QTableView* m_blocks;
    QSplitter* m_splitter;
};

} // namespace headroom::ui
