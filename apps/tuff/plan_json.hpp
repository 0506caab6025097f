#pragma once

#include <tuff/plan.hpp>

#include <string>

namespace tuff::cli {

/// The plan for programs: levels with nodes and barriers, resources with memory, outputs,
/// statistics. Sizes are in bytes, ranges of levels are inclusive.
std::string plan_json(const Plan& plan);

} // namespace tuff::cli
