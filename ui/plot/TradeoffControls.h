// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/TradeoffPanel.h"
#include "ui/plot/BudgetField.h"
#include "ui/plot/ChoiceField.h"

#include <QCheckBox>
#include <QVariantMap>
#include <QWidget>

#include <optional>

class QToolButton;

namespace headroom::ui {

/// In place of a technique's key: what suits the results is taken: the experiment or the case if there are several, and
/// the axes of the sweep.
inline constexpr const char* kAutomaticLook = "auto";

/// What a trade-off offers to choose from.
struct TradeoffOffers {
    std::vector<std::string> panels; ///< titles
    std::vector<figures::MemoryKind> memories;
    std::optional<figures::MemoryKind> automatic; ///< of these, where none is chosen
    std::vector<SpeedUnit> speeds; ///< known of any trial
    std::vector<std::string> techniques; ///< keys of those that differ, the most telling first
    bool isOfSeveral = false; ///< trials of several experiments, which can be told apart by colour and shape, too
    std::string colourBy; ///< what the automatic look is: a key, report::kByExperiment, empty for the case
    std::string shapeBy;
};

/// The fields above a trade-off plot: what it shows, and by what it tells trials apart.
class TradeoffControls : public QWidget {
    Q_OBJECT

public:
    explicit TradeoffControls(QWidget* parent = nullptr);

    void offer(const TradeoffOffers& offers);
    /// In the plot's unit, as it is drawn.
    void showBudget(const std::optional<Bytes>& budget, const SizeUnit& unit);
    /// As if it had been typed.
    void setBudget(const std::optional<Bytes>& budget);
    void setPanel(std::size_t panel);

    std::size_t panel() const;
    report::TradeoffChoice choice() const;
    /// A person wants no budget, so that the usual one does not count either.
    bool wantsNoBudget() const { return m_budgetChosen && !m_budgetWish; }

    QVariantMap state() const;
    void restore(const QVariantMap& state);

Q_SIGNALS:
    void edited();

private:
    void add(const QString& title, QWidget* field, const QString& name, const QString& tip);
    void addMore();
    void showParts();

    ChoiceField* m_panel;
    ChoiceField* m_memory;
    ChoiceField* m_speed;
    ChoiceField* m_colour;
    ChoiceField* m_shape;
    QCheckBox* m_front;
    BudgetField* m_budget;
    QToolButton* m_more; ///< unfolds what a low window has no line for
    bool m_hasLooks = false; ///< trials can be told apart by colour and shape
    bool m_budgetChosen = false;
    std::optional<Bytes> m_budgetWish;
};

} // namespace headroom::ui
