#pragma once

#include "passes/filter/window.hpp"

#include <optional>

/// How filter/tiled divides a problem among groups and invocations.
namespace tuff::passes {

/// What one group makes, in the words of the kernel.
struct TileShape {
    std::uint32_t columns = 1; ///< invocations along x
    std::uint32_t lines = 1;   ///< and along y
    std::uint32_t results = 4; ///< numbers of a row that an invocation makes: 4 or 8
    std::uint32_t rows = 1;    ///< rows that it makes
    std::uint32_t slices = 1;  ///< slices along z
    std::uint32_t filters = 1; ///< kernels that share what it reads
    bool unrolls_rows = false;
};

/// The shape for a device; nothing where no tile with its halo is small enough.
std::optional<TileShape> tile_shape(const DeviceCaps& target, const FilterProblem& problem,
                                    const FilterWindow& window);

/// Bytes of shared memory that a group takes.
std::uint64_t tile_bytes(const TileShape& shape, const FilterSize& kernel_size);

/// Bytes of the weights as the kernel reads them, of all filters.
std::uint64_t tile_weight_bytes(const TileShape& shape, const FilterProblem& problem);

} // namespace tuff::passes
