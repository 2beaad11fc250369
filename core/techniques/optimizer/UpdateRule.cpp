// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/optimizer/UpdateRule.h"

namespace headroom::techniques {

using Form = config::OptimizerNotation::Form;

UpdateRule::UpdateRule(Form form, const config::OptimizerOptions& options)
    : m_form(form)
    , m_options(options)
{
}

void UpdateRule::update(const UpdateBatch& batch) const
{
    switch (m_form) {
    case Form::Loop:
        return updateEach(batch);
    case Form::Foreach:
        return updateLists(batch);
    case Form::Fused:
        return updateFused(batch);
    }
}

} // namespace headroom::techniques
