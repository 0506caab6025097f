#include "apps/bench/checks.hpp"
#include "passes/fft/forward.hpp"

namespace tuff::bench {

void add_fft_cases(CaseList&) {}

} // namespace tuff::bench
