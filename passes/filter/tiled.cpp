#include "passes/filter/tiled.hpp"

#include "passes/common/divided_up.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

// --- what to tune
// ----------------------------------------------------------------------------------

/// What an invocation makes: numbers of a row, rows, slices, for kernels.
struct TileBlock {
    std::uint32_t results, rows, slices, filters;
};
constexpr TileBlock kBlockInPlane{8, 2, 1, 1};
constexpr TileBlock kBlockInVolume{8, 1, 4, 1};
constexpr TileBlock kBlockOfManyInPlane{8, 1, 1, 4};
constexpr TileBlock kBlockOfManyInVolume{8, 1, 2, 2};
constexpr TileBlock kBlockOnSoftware{4, 1, 2, 2};
constexpr std::uint32_t kTileInvocations = 256;
constexpr std::uint32_t kTileColumns = 16;         ///< at least, where rows are long
constexpr std::uint64_t kTileShared = 32 * 1024;   ///< bytes
constexpr std::uint64_t kGroupsThatFill = 264;     ///< fewer leave parts of a GPU idle
constexpr std::uint32_t kLeastInvocations = 64;    ///< of a group that is made smaller to that end
constexpr std::uint32_t kUnrolledProducts = 2600;  ///< of a slice; more would be too much code
constexpr std::uint32_t kLongestRow = 64;          ///< weights; a row is unrolled always
constexpr std::uint64_t kUniformBytes = 16 * 1024; ///< as the kernel declares them

// ---------------------------------------------------------------------------------------------------

bool is_software(const DeviceCaps& target) {
    return target.type == DeviceType::cpu;
}

TileBlock block_for(const DeviceCaps& target, const FilterProblem& problem) {
    TileBlock block = kBlockOnSoftware;
    const bool in_volume = problem.kernel_size[2] > 1;
    if (!is_software(target)) {
        const bool many = problem.filters > 1;
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

std::uint64_t quads(std::uint64_t numbers) {
    return divided_up(numbers, std::uint64_t{4});
}

std::uint64_t groups_of(const TileShape& shape, const FilterProblem& problem,
                        const FilterWindow& window) {
    return divided_up(window.size[0], shape.columns * shape.results) *
           std::uint64_t{divided_up(window.size[1], shape.lines * shape.rows)} *
           divided_up(window.size[2], shape.slices) * window.size[3] * problem.batch *
           divided_up(problem.filters, shape.filters);
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

/// Kernels as filter/tiled reads them.
Buffer arranged_weights(Graph& graph, Buffer kernel, const FilterProblem& problem,
                        const TileShape& shape, std::uint64_t bytes) {
    constexpr std::uint32_t kQuadBytes = 16;
    const auto count = static_cast<std::uint32_t>(bytes / kQuadBytes);
    ComputeNodeBuilder node = graph.compute("filter/arrange_weights");
    node.read("kernel", kernel);
    node.set("kernel_size", as_uvec4(problem.kernel_size));
    node.set("filters", problem.filters);
    node.set("together", shape.filters);
    node.set("row_quads", static_cast<std::uint32_t>(quads(problem.kernel_size[0])));
    node.set("quads", count);
    node.set("correlate", std::uint32_t(problem.correlate));
    const Buffer weights =
        node.write("weights", graph.buffer("weights", {.size = bytes, .stride = kQuadBytes}));
    node.dispatch_each(count);
    return weights;
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
    node.specialize("unroll_rows", std::uint32_t(shape.unrolls_rows));
}

} // namespace

std::uint64_t tile_bytes(const TileShape& shape, const FilterSize& kernel_size) {
    const std::uint64_t planes = shape.results / 4;
    const std::uint64_t window = quads(std::uint64_t{shape.results} + kernel_size[0] - 1);
    const std::uint64_t pitch = divided_up((shape.columns - 1) * planes + window, planes) * planes;
    return pitch * (std::uint64_t{shape.lines} * shape.rows + kernel_size[1] - 1) * 16;
}

std::uint64_t tile_weight_bytes(const TileShape& shape, const FilterProblem& problem) {
    const std::uint64_t rows =
        std::uint64_t{problem.kernel_size[1]} * problem.kernel_size[2] * problem.kernel_size[3];
    const std::uint64_t filters =
        std::uint64_t{divided_up(problem.filters, shape.filters)} * shape.filters;
    return filters * rows * quads(problem.kernel_size[0]) * 16;
}

std::optional<TileShape> tile_shape(const DeviceCaps& target, const FilterProblem& problem,
                                    const FilterWindow& window) {
    if (problem.kernel_size[0] > kLongestRow) return {};
    const TileBlock block = block_for(target, problem);
    TileShape shape{.results = block.results,
                    .rows = block.rows,
                    .slices = std::min(block.slices, std::bit_ceil(std::min(window.size[2], 8u))),
                    .filters = block.filters};
    const auto invocations = [](std::uint32_t numbers, std::uint32_t each) {
        return std::bit_ceil(std::min(divided_up(numbers, each), kTileInvocations));
    };
    const std::uint32_t across = invocations(window.size[0], shape.results);
    const std::uint32_t down = invocations(window.size[1], shape.rows);
    shape.columns = std::min(across, kTileColumns);
    shape.lines = std::min(down, kTileInvocations / shape.columns);
    while (shape.columns < across && shape.columns * shape.lines < kTileInvocations)
        shape.columns *= 2;
    while (tile_bytes(shape, problem.kernel_size) > kTileShared)
        if (!shrink_tile(shape)) return {};
    if (!is_software(target))
        while (groups_of(shape, problem, window) < kGroupsThatFill && shrink_work(shape)) {
        }
    const std::uint64_t products = std::uint64_t{problem.kernel_size[0]} * problem.kernel_size[1] *
                                   shape.results * shape.rows * shape.slices * shape.filters;
    shape.unrolls_rows = !is_software(target) && products <= kUnrolledProducts;
    return shape;
}

Buffer convolve_tiled(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& given,
                      const FilterWindow& given_window) {
    const auto [problem, window] = squeezed(given, given_window);
    const auto shape = tile_shape(graph.target(), problem, window);
    if (!shape) {
        graph.error("filter/kernel-size",
                    fmt::format("no tile with the halo of {} x {} weights fits shared memory",
                                problem.kernel_size[0], problem.kernel_size[1]),
                    "choose the path \"fft\", or \"auto\"");
        return {};
    }
    const std::uint64_t weight_bytes = tile_weight_bytes(*shape, problem);
    const bool uniform = weight_bytes <= kUniformBytes;
    const Buffer weights =
        arranged_weights(graph, kernel, problem, *shape, std::max(weight_bytes, kUniformBytes));
    ComputeNodeBuilder node =
        graph.compute("filter/tiled", {{"WEIGHTS", uniform ? "uniform" : "storage"}});
    specialize_tile(node, problem, *shape);
    node.read("source", source);
    node.read("weights", weights);
    node.set("source_size", as_uvec4(problem.size));
    node.set("result_size", as_uvec4(window.size));
    node.set("first", as_uvec4(window.first));
    node.set("tiles", glm::uvec3(divided_up(window.size[0], shape->columns * shape->results),
                                 divided_up(window.size[1], shape->lines * shape->rows),
                                 divided_up(window.size[2], shape->slices)));
    const std::uint64_t groups = groups_of(*shape, problem, window);
    node.set("groups", static_cast<std::uint32_t>(groups));
    node.set("all_filters", problem.filters);
    const Buffer result = node.write("result", window_results(graph, problem, window));
    fold_groups(groups).dispatch(node);
    return result;
}

Buffer convolve_tiled(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem) {
    return convolve_tiled(graph, source, kernel, problem, whole_window(problem));
}

} // namespace tuff::passes
