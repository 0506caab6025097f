#include "passes/filter/bench_cases.hpp"

namespace tuff::bench {

void add_filter_kernel_cases(CaseList&) {}

} // namespace tuff::bench
