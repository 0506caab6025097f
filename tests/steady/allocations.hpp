#pragma once

#include <cstdint>

/// Operators new and delete of our own for the whole program, which count.
namespace tuff::testing_steady {

/// Calls of operator new by this thread since the program began.
std::uint64_t allocations();

/// Blocks that operator new has handed out, on any thread, and operator delete not taken back.
std::int64_t live_blocks();

} // namespace tuff::testing_steady
