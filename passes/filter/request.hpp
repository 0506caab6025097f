#pragma once

#include "passes/filter/convolve.hpp"

#include <optional>

/// What filter/convolve is asked for, checked.
namespace tuff::passes {

struct FilterRequest {
    FilterProblem problem;
    Buffer kernel; ///< the weights, wherever they come from
};

/// Reports what is wrong, and returns nothing then.
std::optional<FilterRequest> checked_request(Graph& graph, const FilterConvolve& pass);

} // namespace tuff::passes
