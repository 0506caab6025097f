#pragma once

#include "apps/bench/checks.hpp"

/// The benchmark cases of filter, a file for each part of the module; the build finds them.
namespace tuff::bench {

void add_filter_convolve_cases(CaseList& cases);
void add_filter_way_cases(CaseList& cases);
void add_filter_kernel_cases(CaseList& cases);
void add_filter_bilateral_cases(CaseList& cases);

} // namespace tuff::bench
