#include "apps/bench/checks.hpp"

namespace tuff::bench {

void add_filter_bilateral_cases(CaseList&) {}

} // namespace tuff::bench
