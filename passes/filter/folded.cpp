#include "passes/common/constant_array.hpp"
#include "passes/common/div_round_up.hpp"
#include "passes/filter/tiled.hpp"
#include "passes/filter/weights.hpp"
#include "passes/primitives/elements.hpp"

#include <algorithm>
#include <array>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxFolded = 6;   ///< filters of a node; eight at most
constexpr std::uint32_t kLeastFolded = 3; ///< fewer gain next to nothing

using FilterList = std::vector<std::uint32_t>;

/// The filters of one kind.
FilterList filters_that_are(FilterSymmetry kind, const std::vector<FilterSymmetry>& all) {
    FilterList list;
    for (std::uint32_t filter = 0; filter < all.size(); ++filter)
        if (all[filter] == kind) list.push_back(filter);
    return list;
}

/// Of the weights in the order in which they meet the source, up to the middle one: rows filled up
/// with zeros, the same row of all filters one behind the other. What is added to its opposite is
/// there once, and the middle weight, whose opposite it is itself, is halved.
std::vector<float> folded_weights(const FilterProblem& problem, const FilterList& filters) {
    const std::uint32_t width = problem.kernel_size[0];
    const std::uint32_t row = div_round_up(width, 4u) * 4;
    const std::uint64_t taps = filter_count(problem.kernel_size);
    const std::uint64_t middle = taps / 2;
    const std::uint64_t rows = middle / width + 1;
    std::vector<float> folded(rows * row * filters.size());
    for (std::size_t f = 0; f < filters.size(); ++f)
        for (std::uint64_t met = 0; met <= middle; ++met) {
            const std::uint64_t tap = problem.correlate ? met : taps - 1 - met;
            const float weight = problem.weights[filters[f] * taps + tap];
            folded[(met / width * filters.size() + f) * row + met % width] =
                met == middle ? 0.5f * weight : weight;
        }
    return folded;
}

struct FoldedPart {
    FilterList filters;
    bool odd;
};

Buffer add_folded(Graph& graph, Buffer source, const FilterProblem& problem,
                  const FilterWindow& window, const FoldedPart& part, Buffer result) {
    FilterProblem one = problem; // whose groups make these filters
    one.filters = static_cast<std::uint32_t>(part.filters.size());
    const TileShape shape = *folded_shape(graph.target(), one, window, one.filters);
    ComputeNodeBuilder node = graph.compute("filter/folded");
    specialize_tile(node, problem, shape);
    node.specialize("odd", std::uint32_t(part.odd));
    node.read("source", source);
    node.read("weights", constant_array(graph, "weights", folded_weights(problem, part.filters)));
    node.set("source_size", as_vector(problem.size));
    node.set("result_size", as_vector(window.size));
    node.set("first", as_vector(window.first));
    node.set("tiles", glm::uvec2(div_round_up(window.size[0], shape.columns * shape.results),
                                 div_round_up(window.size[1], shape.lines)));
    const std::uint64_t groups = tile_groups(shape, one, window);
    node.set("groups", static_cast<std::uint32_t>(groups));
    node.set("all_filters", problem.filters);
    std::array<glm::uvec4, 2> chosen{};
    for (std::size_t f = 0; f < part.filters.size(); ++f)
        chosen[f / 4][static_cast<int>(f % 4)] = part.filters[f];
    node.set("chosen", std::span<const glm::uvec4>(chosen));
    result = node.write("result", result);
    fold_groups(groups).dispatch(node);
    return result;
}

} // namespace

bool is_folded(const DeviceCaps& target, const FilterProblem& problem, const FilterWindow& window) {
    if (problem.filters < kLeastFolded) return false;
    const auto kinds = filter_symmetries(problem);
    const auto of_kind = [&](FilterSymmetry kind) { return std::ranges::count(kinds, kind); };
    const auto suits = [](std::ptrdiff_t count) { return count == 0 || count >= kLeastFolded; };
    if (kinds.empty() || of_kind(FilterSymmetry::none) > 0) return false;
    if (!suits(of_kind(FilterSymmetry::even)) || !suits(of_kind(FilterSymmetry::odd))) return false;
    return folded_shape(target, problem, window, 1).has_value();
}

Buffer convolve_folded(Graph& graph, Buffer source, const FilterProblem& problem,
                       const FilterWindow& window) {
    const auto kinds = filter_symmetries(problem);
    Buffer result = window_results(graph, problem, window);
    for (const FilterSymmetry kind : {FilterSymmetry::even, FilterSymmetry::odd}) {
        const FilterList all = filters_that_are(kind, kinds);
        for (std::size_t first = 0; first < all.size(); first += kMaxFolded) {
            const std::size_t end = std::min(first + kMaxFolded, all.size());
            const FoldedPart part{.filters = {all.begin() + static_cast<std::ptrdiff_t>(first),
                                              all.begin() + static_cast<std::ptrdiff_t>(end)},
                                  .odd = kind == FilterSymmetry::odd};
            result = add_folded(graph, source, problem, window, part, result);
        }
    }
    return result;
}

} // namespace tuff::passes
