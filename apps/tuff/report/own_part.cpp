#include "apps/tuff/report/own_part.hpp"

#include "apps/tuff/report/rank_timings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tuff::cli {
namespace {

constexpr std::size_t kMaxNodesNamed = 8;

constexpr std::string_view kOwnPartHint =
    "what needs neighbours needs a halo as wide as it looks, filled by mpi/exchange; what needs "
    "the whole field takes the result of mpi/gather";

/// Those of a loop are one.
std::vector<ConfiguredNode> nodes_of_parts(const std::vector<ConfiguredNode>& nodes) {
    std::vector<ConfiguredNode> found;
    for (const ConfiguredNode& node : nodes) {
        if (node.own_part.empty()) continue;
        const std::string name = without_iterations(node.name);
        if (std::ranges::find(found, name, &ConfiguredNode::name) != found.end()) continue;
        found.push_back(node);
        found.back().name = name;
    }
    return found;
}

} // namespace

Diagnostics own_part_note(const std::vector<ConfiguredNode>& nodes) {
    const std::vector<ConfiguredNode> found = nodes_of_parts(nodes);
    if (found.empty()) return {};
    std::vector<std::string> names;
    for (const ConfiguredNode& node : found)
        names.push_back(fmt::format("{} ({})", node.name, node.pass));
    if (names.size() > kMaxNodesNamed) {
        const std::size_t more = names.size() - kMaxNodesNamed;
        names.resize(kMaxNodesNamed);
        names.push_back(fmt::format("and {} more, which explain --ranks lists", more));
    }
    return {{.code = "mpi/own-part",
             .severity = Severity::note,
             .message = fmt::format("these nodes work on each rank's cells alone: {}",
                                    fmt::join(names, ", ")),
             .where = {},
             .hint = std::string(kOwnPartHint)}};
}

std::string own_part_section(const std::vector<ConfiguredNode>& nodes, const TextStyle& style) {
    TextTable table;
    for (const ConfiguredNode& node : nodes_of_parts(nodes))
        table.add({style.name(node.name), node.pass, "reads " + node.own_part});
    if (table.empty()) return {};
    return fmt::format("\n{}\n{}  {}\n", style.heading("work on each rank's cells alone"),
                       table.text("  "), wrapped(kOwnPartHint, 98, "  "));
}

} // namespace tuff::cli
