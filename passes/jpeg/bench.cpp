#include "apps/bench/checks.hpp"

namespace tuff::bench {

void add_jpeg_cases(CaseList&) {}

} // namespace tuff::bench
