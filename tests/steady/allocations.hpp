#pragma once

#include <cstdint>

namespace tuff::testing_steady {

/// Calls of operator new by this thread since the program began.
std::uint64_t allocations();

} // namespace tuff::testing_steady
