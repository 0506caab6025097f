#include "apps/bench/case.hpp"

namespace tuff::bench {

void add_mapping_cases(CaseList&) {}

} // namespace tuff::bench
