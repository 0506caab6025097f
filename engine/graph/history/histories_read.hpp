#pragma once

#include <tuff/plan.hpp>

#include <vector>

namespace tuff {

/// The resource of age 0 of each history that executions read, as they were declared.
std::vector<ResourceId> histories_read(const Plan& plan);

} // namespace tuff
