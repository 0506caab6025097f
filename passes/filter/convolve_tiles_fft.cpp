#include "passes/common/div_round_up.hpp"
#include "passes/filter/tile_spectra.hpp"
#include "passes/filter/way_nodes.hpp"
#include "passes/filter/ways.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

/// Overlap-save: see shaders/filter/tiles_fft.comp.
namespace tuff::passes {
namespace {

constexpr std::array<std::uint32_t, 2> kTileSides{32, 64};
/// Of larger kernels less than a quarter of a tile's numbers would become results.
constexpr std::uint32_t kMaxTileKernel = 33;

/// Tiles of a slice of the result.
struct TileGrid {
    std::uint32_t side = 0;
    glm::uvec2 results{}; ///< of a tile
    glm::uvec2 tiles{};   ///< across, down
};

/// The side with which least is transformed.
TileGrid tile_grid(const FilterProblem& problem) {
    const FilterSize size = filter_result_size(problem);
    TileGrid best;
    double least = 0.0;
    for (const std::uint32_t side : kTileSides) {
        const FilterSize& kernel = problem.kernel_size;
        if (kernel[0] > side || kernel[1] > side) continue;
        const glm::uvec2 results{side - kernel[0] + 1, side - kernel[1] + 1};
        const glm::uvec2 tiles{div_round_up(size[0], results.x), div_round_up(size[1], results.y)};
        const double work = static_cast<double>(tiles.x) * tiles.y * side * side * std::log2(side);
        if (best.side != 0 && work >= least) continue;
        best = {side, results, tiles};
        least = work;
    }
    return best;
}

bool suits_tiles(Graph& graph, const FilterProblem& problem) {
    if (suits_tiles_fft(problem)) return true;
    const FilterSize& kernel = problem.kernel_size;
    graph.error("filter/kernel-size",
                fmt::format("a kernel of {} x {} leaves too few results of a tile of {} x {}; the "
                            "most is {} along x and y",
                            kernel[0], kernel[1], kTileSides.back(), kTileSides.back(),
                            kMaxTileKernel),
                "use the path \"fft\", which transforms the whole array");
    return false;
}

} // namespace

bool suits_tiles_fft(const FilterProblem& problem) {
    return problem.kernel_size[0] <= kMaxTileKernel && problem.kernel_size[1] <= kMaxTileKernel;
}

Buffer convolve_tiles_fft(Graph& graph, Buffer source, Buffer kernel,
                          const FilterProblem& problem) {
    if (!suits_tiles(graph, problem)) return {};
    const TileGrid grid = tile_grid(problem);
    const Buffer spectra = tile_spectra(graph, kernel, problem, grid.side);
    if (!spectra) return {};

    const FilterSize size = filter_result_size(problem);
    const std::uint64_t count = std::uint64_t{grid.tiles.x} * grid.tiles.y * size[2] * size[3];
    const bool valid = problem.border == FilterBorder::valid;
    ComputeNodeBuilder node = graph.compute("filter/tiles_fft");
    node.read("source", source);
    node.read("spectra", spectra);
    node.specialize("border", static_cast<std::uint32_t>(problem.border));
    node.specialize("filters", problem.filters);
    node.specialize("slices_z", problem.kernel_size[2]);
    node.specialize("slices_w", problem.kernel_size[3]);
    node.set("size", as_vector(problem.size));
    node.set("result_size", as_vector(size));
    node.set("before", valid ? glm::ivec4(0) : glm::ivec4(as_vector(filter_half(problem))));
    node.set("tiles", grid.tiles);
    node.set("results", grid.results);
    node.set("count", static_cast<std::uint32_t>(count));
    node.set("arrays", problem.batch);
    const Buffer result =
        node.write("result", filter_floats(graph, "result", filter_results(problem)));
    bind_tile(graph, node, grid.side);
    fold_groups(div_round_up(count, std::uint64_t{2}) * problem.batch).dispatch(node);
    return result;
}

} // namespace tuff::passes
