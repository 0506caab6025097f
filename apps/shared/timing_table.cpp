#include "apps/shared/timing_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::cli {

std::string timing_table(const ExecutionTimings& timings, const TextStyle& style) {
    if (timings.milliseconds <= 0.0) return "the device has no timestamps\n";
    std::vector<NodeTiming> nodes = timings.nodes;
    std::ranges::stable_sort(nodes, std::greater(), &NodeTiming::milliseconds);
    TextTable table({Align::left, Align::right, Align::right});
    for (const NodeTiming& node : nodes)
        table.add({style.name(node.name), fmt::format("{:.3f} ms", node.milliseconds),
                   fmt::format("{:.1f} %", 100.0 * node.milliseconds / timings.milliseconds)});
    table.add({"whole execution", fmt::format("{:.3f} ms", timings.milliseconds)});
    for (const NodeTiming& node : timings.setup)
        table.add({style.name(node.name), fmt::format("{:.3f} ms", node.milliseconds), "once"});
    return table.text();
}

} // namespace tuff::cli
