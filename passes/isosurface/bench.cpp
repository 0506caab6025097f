#include "apps/bench/checks.hpp"

namespace tuff::bench {
void add_isosurface_cases(CaseList&) {}
} // namespace tuff::bench
