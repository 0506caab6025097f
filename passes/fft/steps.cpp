#include "passes/fft/steps.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"

#include <array>

namespace tuff::passes {
namespace {

constexpr std::array<std::string_view, 6> kRadixNames{"radix0", "radix1", "radix2",
                                                      "radix3", "radix4", "radix5"};

} // namespace

Buffer constant_table(Graph& graph, std::string_view name, const FftTable& table) {
    if (!table) return {};
    return graph.constant_buffer(name, {.size = table->size(), .stride = 2 * sizeof(float)}, table);
}

FftGroup bind_lines(Graph& graph, ComputeNodeBuilder& node, const FftLines& lines) {
    const FftGroup group =
        fft_group(lines.line, {.lines = lines.whole_count != 0 ? lines.whole_count : lines.count,
                               .by_columns = lines.load_by_columns,
                               .large = graph.target().max_group_invocations >= kLargeFftGroup,
                               .by_parts = lines.by_parts,
                               .mirrored = lines.mirrored});
    const std::vector<std::uint32_t>& radices = group.radices;
    node.read("roots", constant_table(graph, "roots", step_roots(lines.line, radices)));
    node.specialize("local_size_x", group.workers * group.columns);
    node.specialize("line", lines.line);
    node.specialize("workers", group.workers);
    node.specialize("columns", group.columns);
    node.specialize("by_parts", std::uint32_t(group.by_parts));
    node.specialize("mirrored", std::uint32_t(group.mirrored));
    node.specialize("elements", group.elements);
    for (std::size_t step = 0; step < radices.size(); ++step)
        node.specialize(kRadixNames[step], radices[step]);
    node.specialize("last_radix", radices.back());
    node.specialize("load_by_columns", std::uint32_t(lines.load_by_columns));
    node.specialize("store_by_columns", std::uint32_t(lines.store_by_columns));
    return group;
}

void dispatch_lines(Graph& graph, ComputeNodeBuilder& node, const FftLines& lines) {
    const FftGroup group = bind_lines(graph, node, lines);
    fold_groups(div_round_up(lines.count, std::uint64_t{group.columns})).dispatch(node);
}

} // namespace tuff::passes
