// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "experiments/cost/PriceList.h"
#include "ui/jobs/JobThread.h"
#include "ui/plan/CostTableModel.h"

#include <QDialog>

#include <functional>
#include <string>
#include <vector>

class QLabel;
class QSpinBox;
class QTableView;

namespace headroom::ui {

/// What a run of a combination takes on each simulated card, as `headroom cost` says it: hours, and money where the
/// person has written down prices. Cards appear as they are predicted; closing the dialog ends that.
class CostDialog : public QDialog {
    Q_OBJECT

public:
    explicit CostDialog(const config::Trial& trial, QWidget* parent = nullptr);
    ~CostDialog() override;

    const CostTableModel& model() const { return *m_model; }
    /// All cards are there.
    bool isComplete() const { return m_isComplete; }

private:
    /// What is known after each card.
    struct Found {
        std::vector<experiments::CardCost> costs;
        experiments::PriceList prices;
        std::size_t cards = 0; ///< that were predicted
        std::size_t ofCards = 0;
    };
    using Watch = std::function<void(const Found&)>;

    void build(const config::Trial& trial);
    static void predictAll(const config::Trial& trial, const Watch& watch, const std::stop_token& stop);
    void take(const Found& found);

    std::string m_card; ///< of the trial
    QSpinBox* m_steps;
    CostTableModel* m_model;
    QTableView* m_table;
    QLabel* m_message;
    bool m_isComplete = false;
    JobThread m_jobs; ///< last: its job ends before what it reports to
};

} // namespace headroom::ui
