#pragma once

#include "tests/oracle/findings.hpp"

namespace tuff::oracle {

/// That a plan falls into a setup and executions as it should: every node that runs is in one of
/// them, the setup needs nothing that changes, executions read what it leaves and never write it,
/// nobody shares its memory, and the two hand it to each other in one state. The setup is judged
/// as a plan of its own, too.
void check_kept(const Plan& plan, const Settings& settings, Findings& findings);

/// The executions of a plan with a setup, as a plan in which what is kept is constant.
Plan executions_of(const Plan& plan);

} // namespace tuff::oracle
