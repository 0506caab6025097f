#include "passes/filter/bench_cases.hpp"

namespace tuff::bench {

void add_filter_bilateral_cases(CaseList&) {}

} // namespace tuff::bench
