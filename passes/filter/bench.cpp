#include "passes/filter/bench_cases.hpp"

namespace tuff::bench {

void add_filter_cases(CaseList& cases) {
    add_filter_convolve_cases(cases);
    add_filter_way_cases(cases);
    add_filter_kernel_cases(cases);
    add_filter_bilateral_cases(cases);
}

} // namespace tuff::bench
