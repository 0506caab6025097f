#pragma once

#include <cstdint>

namespace tuff::testing_steady {

/// Bytes of this process that are in memory.
std::int64_t resident_bytes();

/// Files, sockets and the like that this process has open.
std::int64_t open_files();

} // namespace tuff::testing_steady
