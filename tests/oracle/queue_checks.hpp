#pragma once

#include "tests/oracle/findings.hpp"

#include <vector>

/// What can be judged of submissions and queues without playing a plan.
namespace tuff::oracle {

/// Levels, submissions and waits fit together, and the last submission comes after all others.
void check_submissions(const Plan& plan, Findings& findings);
/// Nodes run where they may, and barriers name stages that their queue has.
void check_queues(const Plan& plan, Findings& findings);

/// All that precedes the end of each submission: those it waits for, those before it on its queue,
/// and so on; itself included. The plan passes `check_submissions`.
std::vector<std::vector<bool>> submissions_before(const Plan& plan);

std::string_view name_of(Queue queue);

} // namespace tuff::oracle
