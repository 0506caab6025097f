#include "passes/common/div_round_up.hpp"
#include "passes/filter/tiled.hpp"

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

// What to tune: the fastest shapes of all that were measured on an H200.

/// What an invocation makes: numbers of a row, rows, slices, for kernels.
struct TileBlock {
    std::uint32_t results, rows, slices, filters;
};
constexpr TileBlock kBlockInPlane{8, 1, 1, 1};
constexpr TileBlock kBlockInVolume{8, 1, 2, 1};
constexpr TileBlock kBlockOfManyInPlane{8, 1, 1, 4};
constexpr TileBlock kBlockOfManyInVolume{8, 1, 2, 2};
constexpr TileBlock kBlockOnSoftware{4, 1, 2, 2};
constexpr std::uint32_t kFoldedResults = 8;
constexpr std::uint32_t kTileInvocations = 256;
constexpr std::uint32_t kTileColumns = 16;        ///< at least, where rows are long
constexpr std::uint64_t kTileShared = 32 * 1024;  ///< bytes
constexpr std::uint64_t kGroupsThatFill = 264;    ///< fewer leave parts of a GPU idle
constexpr std::uint32_t kLeastInvocations = 64;   ///< of a group that is made smaller to that end
constexpr std::uint32_t kUnrolledProducts = 2600; ///< of a slice; more would be too much code
constexpr std::uint32_t kLongestRow = 64;         ///< weights; a row is unrolled always

bool is_software(const DeviceCaps& target) {
    return target.type == DeviceType::cpu;
}

TileBlock block_for(const DeviceCaps& target, const FilterProblem& problem) {
    TileBlock block = kBlockOnSoftware;
    const bool in_volume = problem.kernel_size[2] > 1;
    const bool many = problem.filters > 1;
    if (!is_software(target)) {
        if (in_volume)
            block = many ? kBlockOfManyInVolume : kBlockInVolume;
        else
            block = many ? kBlockOfManyInPlane : kBlockInPlane;
    }
    if (!in_volume) block.slices = 1;
    if (problem.kernel_size[1] == 1) block.rows = 1;
    block.filters = std::min(block.filters, problem.filters);
    return block;
}

/// Bytes of shared memory that a group takes.
std::uint64_t shared_bytes(const TileShape& shape, const FilterSize& kernel_size) {
    const std::uint64_t planes = shape.results / 4;
    const std::uint64_t window =
        div_round_up(std::uint64_t{shape.results} + kernel_size[0] - 1, std::uint64_t{4});
    const std::uint64_t pitch =
        div_round_up((shape.columns - 1) * planes + window, planes) * planes;
    const std::uint64_t rows = std::uint64_t{shape.lines} * shape.rows + kernel_size[1] - 1;
    return pitch * rows * shape.tiles * 4 * sizeof(float);
}

/// Makes a group's share smaller by one step; false where it is the smallest already.
bool shrink_work(TileShape& shape) {
    if (shape.slices > 1)
        shape.slices /= 2;
    else if (shape.rows > 1)
        shape.rows /= 2;
    else if (shape.columns * shape.lines > kLeastInvocations && shape.lines > 1)
        shape.lines /= 2;
    else if (shape.results > 4)
        shape.results /= 2;
    else
        return false;
    return true;
}
/// The same for its tile.
bool shrink_tile(TileShape& shape) {
    if (shape.lines > 4)
        shape.lines /= 2;
    else if (shape.rows > 1)
        shape.rows /= 2;
    else if (shape.columns > 4)
        shape.columns /= 2;
    else if (shape.results > 4)
        shape.results /= 2;
    else if (shape.lines > 1)
        shape.lines /= 2;
    else
        return false;
    return true;
}

/// `block` with as many invocations as a problem has room for.
std::optional<TileShape> fitted(const DeviceCaps& target, const FilterProblem& problem,
                                const FilterWindow& window, TileShape shape) {
    if (problem.kernel_size[0] > kLongestRow) return {};
    const auto invocations = [](std::uint32_t numbers, std::uint32_t each) {
        return std::bit_ceil(std::min(div_round_up(numbers, each), kTileInvocations));
    };
    const std::uint32_t across = invocations(window.size[0], shape.results);
    const std::uint32_t down = invocations(window.size[1], shape.rows);
    shape.columns = std::min(across, kTileColumns);
    shape.lines = std::min(down, kTileInvocations / shape.columns);
    while (shape.columns < across && shape.columns * shape.lines < kTileInvocations)
        shape.columns *= 2;
    while (shared_bytes(shape, problem.kernel_size) > kTileShared)
        if (!shrink_tile(shape)) return {};
    if (is_software(target)) return shape;
    while (tile_groups(shape, problem, window) < kGroupsThatFill && shrink_work(shape)) {
    }
    return shape;
}

} // namespace

std::uint64_t tile_groups(const TileShape& shape, const FilterProblem& problem,
                          const FilterWindow& window) {
    return std::uint64_t{div_round_up(window.size[0], shape.columns * shape.results)} *
           div_round_up(window.size[1], shape.lines * shape.rows) *
           div_round_up(window.size[2], shape.slices) * window.size[3] * problem.batch *
           div_round_up(problem.filters, shape.filters);
}

std::optional<TileShape> tile_shape(const DeviceCaps& target, const FilterProblem& problem,
                                    const FilterWindow& window) {
    const TileBlock block = block_for(target, problem);
    const std::uint32_t deep = std::bit_ceil(std::min(window.size[2], block.slices));
    auto shape = fitted(target, problem, window,
                        {.results = block.results,
                         .rows = block.rows,
                         .slices = std::min(block.slices, deep),
                         .filters = block.filters});
    if (!shape || is_software(target)) return shape;
    const std::uint64_t products = std::uint64_t{problem.kernel_size[0]} * problem.kernel_size[1] *
                                   shape->results * shape->rows * shape->slices * shape->filters;
    shape->unrolls_rows = products <= kUnrolledProducts;
    return shape;
}

std::optional<TileShape> folded_shape(const DeviceCaps& target, const FilterProblem& problem,
                                      const FilterWindow& window, std::uint32_t filters) {
    const bool in_plane = problem.kernel_size[2] == 1 && problem.kernel_size[3] == 1;
    return fitted(target, problem, window,
                  {.results = is_software(target) ? 4 : kFoldedResults,
                   .filters = filters,
                   .tiles = in_plane ? 1u : 2u});
}

void specialize_tile(ComputeNodeBuilder& node, const FilterProblem& problem,
                     const TileShape& shape) {
    node.specialize("local_size_x", shape.columns * shape.lines);
    node.specialize("border", static_cast<std::uint32_t>(problem.border));
    node.specialize("kernel_x", problem.kernel_size[0]);
    node.specialize("kernel_y", problem.kernel_size[1]);
    node.specialize("kernel_z", problem.kernel_size[2]);
    node.specialize("kernel_w", problem.kernel_size[3]);
    node.specialize("columns", shape.columns);
    node.specialize("lines", shape.lines);
    node.specialize("results", shape.results);
    node.specialize("rows", shape.rows);
    node.specialize("slices", shape.slices);
    node.specialize("filters", shape.filters);
    node.specialize("tiles", shape.tiles);
}

} // namespace tuff::passes
