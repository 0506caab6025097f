#include "apps/bench/case.hpp"

namespace tuff::bench {

void add_hair_step_cases(CaseList&) {}

} // namespace tuff::bench
