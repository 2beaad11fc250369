// SPDX-License-Identifier: Apache-2.0
#include "ui/window/PreferencesDialog.h"

#include "ui/look/DecimalField.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

constexpr double kUsualTimeoutSeconds = 600;
constexpr double kLongestTimeoutSeconds = 7 * 24 * 3600;

} // namespace

PreferencesDialog::PreferencesDialog(const Preferences& preferences, QWidget* parent)
    : QDialog(parent)
    , m_given(preferences)
    , m_scheme(new QComboBox(this))
    , m_tracing(new QCheckBox(QStringLiteral("Record every allocation of one untimed step"), this))
    , m_hasTimeout(new QCheckBox(QStringLiteral("Stop a repeat after"), this))
    , m_timeout(new DecimalField(this))
{
    setObjectName(QStringLiteral("preferencesDialog"));
    setWindowTitle(QStringLiteral("Preferences"));
    m_scheme->setObjectName(QStringLiteral("scheme"));
    m_scheme->addItems({QStringLiteral("As the system"), QStringLiteral("Light"), QStringLiteral("Dark")});
    m_scheme->setCurrentIndex(static_cast<int>(preferences.scheme));
    m_tracing->setObjectName(QStringLiteral("tracing"));
    m_tracing->setChecked(preferences.tracing == TraceHabit::Record);
    m_tracing->setToolTip(QStringLiteral("Needed for the timeline. What is timed is never traced."));
    m_hasTimeout->setObjectName(QStringLiteral("hasTimeout"));
    m_hasTimeout->setChecked(preferences.timeoutSeconds.has_value());
    m_timeout->setObjectName(QStringLiteral("timeout"));
    m_timeout->setAccessibleName(QStringLiteral("Longest time of a repeat in seconds"));
    m_timeout->setRange(1, kLongestTimeoutSeconds);
    m_timeout->setDecimals(1);
    m_timeout->setSuffix(QStringLiteral(" s"));
    m_timeout->setValue(preferences.timeoutSeconds.value_or(kUsualTimeoutSeconds));
    m_timeout->setEnabled(m_hasTimeout->isChecked());
    connect(m_hasTimeout, &QCheckBox::toggled, m_timeout, &QWidget::setEnabled);

    auto* timeout = new QHBoxLayout;
    timeout->addWidget(m_hasTimeout);
    timeout->addWidget(m_timeout);
    timeout->addStretch();
    auto* form = new QFormLayout;
    form->addRow(QStringLiteral("&Colours:"), m_scheme);
    form->addRow(QStringLiteral("Timeline:"), m_tracing);
    form->addRow(QStringLiteral("Hanging trials:"), timeout);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(buttons);
}

Preferences PreferencesDialog::preferences() const
{
    Preferences chosen = m_given;
    chosen.scheme = static_cast<ColourScheme>(m_scheme->currentIndex());
    chosen.tracing = m_tracing->isChecked() ? TraceHabit::Record : TraceHabit::Leave;
    chosen.timeoutSeconds.reset();
    if (m_hasTimeout->isChecked())
        chosen.timeoutSeconds = m_timeout->value();
    return chosen;
}

} // namespace headroom::ui
