#pragma once

#include "passes/filter/problem.hpp"

#include <glm/vec4.hpp>

#include <cstdint>

/// What the ways to convolve have in common on the host.
namespace tuff::passes {

glm::uvec4 as_vector(const FilterSize& size);

/// Half the kernel's size along each axis.
FilterSize filter_half(const FilterProblem& problem);

/// Results of all arrays and kernels.
std::uint64_t filter_results(const FilterProblem& problem);

/// A transient array of floats.
Buffer filter_floats(Graph& graph, std::string_view name, std::uint64_t count);

/// Sets what shaders/filter/window_taps.glsl declares, and the parameters "size", "result_size",
/// "before" and "filters".
void set_window(ComputeNodeBuilder& node, const FilterProblem& problem);

/// Does the same, and has the node write all results: an invocation for each. The kernel's parameter
/// "count" says how many there are.
Buffer write_each_result(Graph& graph, ComputeNodeBuilder& node, const FilterProblem& problem);

/// The weights of each kernel in the order of the numbers that they meet, in whole groups of four.
Buffer weight_vectors(Graph& graph, Buffer kernel, const FilterProblem& problem);

} // namespace tuff::passes
