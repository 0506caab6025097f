#pragma once

#include "apps/bench/case.hpp"

namespace tuff::bench {

/// Slices, projections and casts of volumes of as many texels as the case has elements.
void add_volume_view_cases(CaseList& cases);

} // namespace tuff::bench
