#include "passes/common/div_round_up.hpp"
#include "passes/filter/way_nodes.hpp"
#include "passes/filter/ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxPasses = 4096;
constexpr std::size_t kPartsOfSum = 8;
constexpr std::array<std::string_view, kPartsOfSum> kPartNames{"part0", "part1", "part2", "part3",
                                                               "part4", "part5", "part6", "part7"};

struct TapRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};
Buffer sum_of_taps(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                   const TapRange& taps) {
    ComputeNodeBuilder node = graph.compute("filter/taps");
    node.read("source", source);
    node.set("turned", std::uint32_t(!problem.correlate));
    node.read("weights", kernel);
    node.set("first_tap", taps.first);
    node.set("last_tap", taps.last);
    return write_each_result(graph, node, problem);
}

/// Of two to eight parts.
Buffer sum_of_parts(Graph& graph, std::span<const Buffer> parts, std::uint32_t count) {
    ComputeNodeBuilder node = graph.compute("filter/sum_parts");
    node.read("part0", parts[0]);
    for (std::size_t i = 1; i < kPartsOfSum; ++i)
        node.read_optional(kPartNames[i], i < parts.size() ? parts[i] : Buffer{});
    node.set("count", count);
    const Buffer result = node.write("result", filter_floats(graph, "sum", count));
    node.dispatch_each(count);
    return result;
}

/// Sums of eight, of eight such sums and so on: what has been added up is not kept any longer, so
/// that few parts are in memory at a time.
class SumTree {
  public:
    SumTree(Graph& graph, std::uint32_t count) : graph_(&graph), count_(count) {}

    void add(Buffer part, std::size_t level = 0) {
        if (level == levels_.size()) levels_.emplace_back();
        levels_[level].push_back(part);
        if (levels_[level].size() < kPartsOfSum) return;
        const Buffer sum = sum_of_parts(*graph_, levels_[level], count_);
        levels_[level].clear();
        add(sum, level + 1);
    }

    Buffer result() {
        Buffer rest;
        for (std::vector<Buffer>& parts : levels_) {
            if (rest) parts.push_back(rest);
            if (!parts.empty())
                rest = parts.size() == 1 ? parts[0] : sum_of_parts(*graph_, parts, count_);
        }
        return rest;
    }

  private:
    Graph* graph_;
    std::uint32_t count_;
    std::vector<std::vector<Buffer>> levels_;
};

} // namespace

Buffer convolve_multipass(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                          std::uint32_t taps) {
    const auto all = static_cast<std::uint32_t>(filter_count(problem.kernel_size));
    const std::uint32_t each = std::clamp(taps, 1u, all);
    const std::uint32_t passes = div_round_up(all, each);
    if (passes > kMaxPasses) {
        graph.error("filter/too-many-passes",
                    fmt::format("{} weights with {} in a pass take {} passes, more than {}", all,
                                each, passes, kMaxPasses),
                    "increase \"taps\"");
        return {};
    }
    SumTree sums(graph, static_cast<std::uint32_t>(filter_results(problem)));
    for (std::uint32_t first = 0; first < all; first += each)
        sums.add(
            sum_of_taps(graph, source, kernel, problem, {first, std::min(first + each, all) - 1}));
    return sums.result();
}

} // namespace tuff::passes
