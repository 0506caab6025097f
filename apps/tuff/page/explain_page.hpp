#pragma once

#include <tuff/plan.hpp>

#include <string>

namespace tuff::cli {

struct ExplainPageOptions {
    std::string title;  ///< what the plan is of, "demo"
    std::string device; ///< what it was compiled for
};

/// The plan as one HTML page that needs no other file and no network: the graph, a timeline of
/// passes, the memory over time, every barrier with its reason. The fragments `#resource=NAME` and
/// `#pass=NAME` (percent-encoded) light that resource or pass.
std::string explain_page(const Plan& plan, const ExplainPageOptions& options);

} // namespace tuff::cli
