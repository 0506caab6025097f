#pragma once

#include "core/text_table.hpp"

#include <tuff/executor.hpp>

#include <string>

namespace tuff::cli {

/// Milliseconds and share of each node, slowest first, and the whole.
std::string timing_table(const ExecutionTimings& timings, const TextStyle& style);

} // namespace tuff::cli
