#include "apps/bench/checks.hpp"

namespace tuff::bench {

void add_octree_cases(CaseList&) {}

} // namespace tuff::bench
