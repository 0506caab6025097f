#pragma once

#include "apps/bench/case.hpp"

namespace tuff::bench {

/// Slices, projections and casts of volumes of as many texels as the case has elements.
void add_seen_volume_cases(CaseList& cases);

} // namespace tuff::bench
