#pragma once

#include "passes/filter/window.hpp"

#include <optional>

/// How filter/tiled and filter/folded divide a problem among groups and invocations.
namespace tuff::passes {

/// What one group makes, in the words of the kernels.
struct TileShape {
    std::uint32_t columns = 1; ///< invocations along x
    std::uint32_t lines = 1;   ///< and along y
    std::uint32_t results = 4; ///< numbers of a row that an invocation makes: 4 or 8
    std::uint32_t rows = 1;    ///< rows that it makes
    std::uint32_t slices = 1;  ///< slices along z
    std::uint32_t filters = 1; ///< kernels that share what it reads
    std::uint32_t tiles = 1;   ///< of the source that the group has at a time
    bool unrolls_rows = false;
};

/// The shape for a device; nothing where no tile with its halo is small enough.
std::optional<TileShape> tile_shape(const DeviceCaps& target, const FilterProblem& problem,
                                    const FilterWindow& window);
/// The shape of filter/folded for so many filters.
std::optional<TileShape> folded_shape(const DeviceCaps& target, const FilterProblem& problem,
                                      const FilterWindow& window, std::uint32_t filters);

/// The groups that make a window of all arrays, by all filters.
std::uint64_t tile_groups(const TileShape& shape, const FilterProblem& problem,
                          const FilterWindow& window);

/// Sets the constants of tile.glsl.
void specialize_tile(ComputeNodeBuilder& node, const FilterProblem& problem,
                     const TileShape& shape);

/// Bytes of the weights as filter/tiled reads them, of all filters.
std::uint64_t tile_weight_bytes(const TileShape& shape, const FilterProblem& problem);

/// The weights as filter/tiled reads them, followed by zeros up to so many bytes: a constant where
/// the problem has them, else made by a kernel.
Buffer tile_weights(Graph& graph, Buffer kernel, const FilterProblem& problem,
                    const TileShape& shape, std::uint64_t bytes);

/// Whether `convolve_folded` takes a problem and is worthwhile: each kernel is even or odd, and
/// there are several of a kind.
bool is_folded(const DeviceCaps& target, const FilterProblem& problem, const FilterWindow& window);

/// Convolution by kernels that are even or odd, with half the products. Precondition: `is_folded`.
Buffer convolve_folded(Graph& graph, Buffer source, const FilterProblem& problem,
                       const FilterWindow& window);

} // namespace tuff::passes
