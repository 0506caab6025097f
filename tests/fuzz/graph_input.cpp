#include "tests/fuzz/inputs.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_graph.hpp"

namespace tuff::fuzz {

std::string objection_to_graph(std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) return {};
    const std::uint8_t modes = bytes[0];
    const CompileOptions options{
        .alias = modes & 1 ? AliasMode::off : AliasMode::on,
        .order = modes & 2 ? OrderMode::declared : OrderMode::levels,
        .barriers = modes & 4 ? BarrierMode::full : BarrierMode::minimal,
        .layouts = modes & 16 ? LayoutMode::general : LayoutMode::optimal,
        .queues = modes & 64 ? QueueMode::automatic : QueueMode::hinted,
        .poison = (modes & 8) != 0,
        .memory_budget = modes & 128 ? 16'384u : 0u,
    };
    DeviceCaps caps;
    caps.async_compute = caps.transfer_queue = (modes & 32) != 0;
    const GraphDesc graph = oracle::build_graph(bytes.subspan(1));
    const Result<Plan> plan = compile(graph, caps, options);
    const std::string objection =
        plan ? oracle::to_string(oracle::check(graph, *plan)) : to_string(plan.error());
    return objection.empty() ? objection : oracle::to_text(graph) + "\n" + objection;
}

} // namespace tuff::fuzz
