#pragma once

#include "passes/filter/problem.hpp"

/// Arrays that transforms of convolutions take.
namespace tuff::passes {

/// Whether so many spectra of this size can be addressed. Reports filter/too-large.
bool spectra_fit(Graph& graph, const FilterSize& size, std::uint64_t arrays);

/// How a kernel lies in an array of `size`: weight `shift` of an axis at its place 0, those before
/// it at the axis' end, all else zero.
struct KernelArray {
    FilterSize size{1, 1, 1, 1};
    FilterSize shift{};
};
/// All kernels so, one behind the other. No axis is shorter than the kernel's.
Buffer place_kernels(Graph& graph, Buffer kernel, const FilterProblem& problem,
                     const KernelArray& array);

} // namespace tuff::passes
