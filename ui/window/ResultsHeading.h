// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/ElidedLabel.h"
#include "ui/look/Theme.h"
#include "ui/session/ResultSet.h"
#include "ui/spec/Plan.h"

namespace headroom::ui {

/// A line above the plots that names the experiment whose results they show. It is highlighted if that is not the
/// experiment that is being set up.
class ResultsHeading : public ElidedLabel {
    Q_OBJECT

public:
    /// The relation between the results and the experiment on the left. Own: they include one of its trials. Earlier:
    /// the experiment has changed since. Other: its name or its models differ.
    enum class Kinship { Own, Earlier, Other };

    explicit ResultsHeading(Theme& theme, QWidget* parent = nullptr);

    void setResults(const Results& results);
    void setPlan(const std::shared_ptr<const Plan>& plan);

    Kinship kinship() const { return m_kinship; }

    /// There are results, of another experiment than the one that is being set up.
    bool isOfAnother() const { return m_results && m_kinship == Kinship::Other; }

Q_SIGNALS:
    /// The relation may have changed.
    void refreshed();

private:
    Kinship found() const;
    void refresh();

    Theme& m_theme;
    Results m_results;
    std::shared_ptr<const Plan> m_plan;
    Kinship m_kinship = Kinship::Own;
};

} // namespace headroom::ui
