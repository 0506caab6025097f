#pragma once

#include "tests/oracle/findings.hpp"
#include "tests/oracle/versions.hpp"

/// What can be judged of a plan without playing it.
namespace tuff::oracle {

/// The plan is about this graph, its indices and ranges exist, every node runs once or is culled.
/// Where this finds anything nothing else may be asked of the plan.
void check_form(const GraphDesc& graph, const Plan& plan, Findings& findings);
/// No node is culled whose work reaches an output, a history, an import or a side effect.
void check_culling(const Plan& plan, const Settings& settings, const VersionBook& versions,
                   Findings& findings);
/// Transient resources lie in their blocks as the memory model asks.
void check_placement(const Plan& plan, const Settings& settings, Findings& findings);
/// Resources are created for all that is done with them.
void check_usages(const Plan& plan, Findings& findings);

} // namespace tuff::oracle
