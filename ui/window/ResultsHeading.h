// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/ElidedLabel.h"
#include "ui/look/Theme.h"
#include "ui/session/ResultSet.h"
#include "ui/spec/Plan.h"

#include <optional>
#include <string>

namespace headroom::ui {

/// A line above the plots that names the experiment whose results they show. It is highlighted once another experiment
/// is being set up.
class ResultsHeading : public ElidedLabel {
    Q_OBJECT

public:
    /// The relation between the results and the experiment on the left. Own: they include one of its trials. Earlier:
    /// the experiment has changed since. Other: its name or its models differ, or another one was begun.
    enum class Kinship { Own, Earlier, Other };

    explicit ResultsHeading(Theme& theme, QWidget* parent = nullptr);

    void setResults(const Results& results);
    /// `document` is a different number for each experiment, and the same for what edits make of one.
    void setPlan(const std::shared_ptr<const Plan>& plan, int document);

    Kinship kinship() const { return m_kinship; }

    /// What is shown are results of another experiment than the one on the left, or a recording of another program.
    bool isOfAnother() const { return m_results && (m_kinship == Kinship::Other || isOfRecordings()); }
    /// There are results, and since they were opened another experiment has begun on the left.
    bool isOutdated() const;

Q_SIGNALS:
    /// The relation may have changed.
    void refreshed();

private:
    Kinship found() const;
    bool isOfRecordings() const;
    void rememberPlan();
    void refresh();

    Theme& m_theme;
    Results m_results;
    std::shared_ptr<const Plan> m_plan;
    std::optional<std::string> m_textAtOpening; ///< of the spec on the left
    std::optional<int> m_owner; ///< the document whose own the results were last
    int m_document = 0; ///< that of the plan
    Kinship m_kinship = Kinship::Own;
};

} // namespace headroom::ui
