#pragma once

#include "passes/filter/problem.hpp"

/// The ways to convolve, each in a file of its own name. All take the numbers of `source` and the
/// kernels of `kernel` (f32, as `problem` has them) and return the results, f32. `problem` was
/// checked: sizes are odd and no product overflows.
namespace tuff::passes {

// --- one number or a block of them at a time ----------------------------------------------------
/// One invocation a number, straight from memory. `unrolled`: sizes fixed when it is compiled.
Buffer convolve_plain(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                      bool unrolled);
/// The same through a sampled image, two- or three-dimensional (C1 and C4 of the text).
Buffer convolve_texture(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                        bool unrolled);
/// Blocks of results in registers, tiles of the source in shared memory (C2, C3, C5): the fastest
/// direct form.
Buffer convolve_tiled(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem);
/// One-dimensional passes, where every kernel is a product of such. Precondition: it is.
Buffer convolve_separable(Graph& graph, Buffer source, const FilterProblem& problem);

// --- the text's and the thesis' other forms -----------------------------------------------------
/// One dispatch for each two-dimensional slice of the kernel, which adds to the result (C6 to C8).
Buffer convolve_accumulated(Graph& graph, Buffer source, Buffer kernel,
                            const FilterProblem& problem);
/// Weights and numbers in groups of four, by dot products (the thesis' second way).
Buffer convolve_vectors(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem);
/// Four numbers of 8 bits to a word (the thesis' third way): numbers are cut off at 0 and 1 and
/// rounded to multiples of 1/255, those of 8 bits stay what they are. Rounding changes a result by
/// no more than sum |weight| / 510.
Buffer convolve_packed(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem);
/// Several passes of `taps` weights each, then a sum, of eight parts at a time (the thesis' fourth
/// way). Reports filter/too-many-passes.
Buffer convolve_multipass(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                          std::uint32_t taps);

// --- by transforms and matrices -----------------------------------------------------------------
/// Products of spectra (C9): one transform of the source, one back for each filter. A number that
/// is not finite makes all results of its array so. Reports filter/too-large.
Buffer convolve_fft(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem);
/// Overlap-save: tiles of x and y that a group transforms in shared memory; along z and w the
/// products of slices are added. A number that is not finite makes all results of its tile so, and
/// of another one of its array. Reports filter/kernel-size beyond 33 weights along x or y.
bool suits_tiles_fft(const FilterProblem& problem); ///< by the sides of its kernels
Buffer convolve_tiles_fft(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem);
/// Taps times filters. By cooperative matrices where the device has them: numbers and weights are
/// rounded to 16 bits then, to 2e-3 of the sum of |number * weight|; numbers are at most 65504.
Buffer convolve_matrix(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem);

} // namespace tuff::passes
