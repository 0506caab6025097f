#include "apps/bench/checks.hpp"

namespace tuff::bench {

void add_filter_kernel_cases(CaseList&) {}

} // namespace tuff::bench
