#pragma once

#include <tuff/plan.hpp>

#include <string>

namespace tuff::cli {

struct PlanJsonOptions {
    std::string title;              ///< what the plan is of, "demo"
    std::string device;             ///< what it was compiled for
    std::string indentation = "  "; ///< empty: all on one line
};

/// The plan for programs: levels with nodes, their accesses and the barriers before them, culled
/// nodes, resources with memory, outputs, statistics. Sizes are in bytes, ranges of levels are
/// inclusive, numbers named "node" and "resource" are indices into the graph. All of it is ASCII.
std::string plan_json(const Plan& plan, const PlanJsonOptions& options = {});

} // namespace tuff::cli
