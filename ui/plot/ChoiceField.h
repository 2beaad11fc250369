// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>

#include <utility>
#include <vector>

namespace headroom::ui {

/// A choice of one of several named values. What was chosen stays chosen while the values on offer change, as far as
/// they still hold it.
class ChoiceField : public QComboBox {
    Q_OBJECT

public:
    explicit ChoiceField(QWidget* parent = nullptr);

    using Offer = std::pair<QString, QString>; ///< value, and what people read
    /// The first one is what is meant where nothing was chosen.
    void offer(const std::vector<Offer>& offers);
    QString chosen() const { return currentData().toString(); }
    /// What a person chose, on offer now or not; empty for nothing.
    const QString& wish() const { return m_wish; }
    void setWish(const QString& value);

Q_SIGNALS:
    void edited();

private:
    void follow();

    QString m_wish;
};

} // namespace headroom::ui
