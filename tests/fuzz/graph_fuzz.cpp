// Bytes -> random graph -> compile in some mode -> oracle. Stops at the first objection.

#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_graph.hpp"

#include <cstdio>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tuff;
    if (size == 0) return 0;
    const std::uint8_t modes = data[0]; // the rest is the program of the generator
    const CompileOptions options{
        .alias = modes & 1 ? AliasMode::off : AliasMode::on,
        .order = modes & 2 ? OrderMode::declared : OrderMode::levels,
        .barriers = modes & 4 ? BarrierMode::full : BarrierMode::minimal,
        .split = modes & 16 ? SplitMode::on : SplitMode::off,
        .queues = modes & 64 ? QueueMode::automatic : QueueMode::hinted,
        .poison = (modes & 8) != 0,
        .memory_budget = modes & 128 ? 16'384u : 0u,
    };
    DeviceCaps caps;
    caps.async_compute = caps.transfer_queue = (modes & 32) != 0;
    const GraphDesc graph = oracle::build_graph(std::span(data, size).subspan(1));
    const Result<Plan> plan = compile(graph, caps, options);
    const std::string objection =
        plan ? oracle::to_string(oracle::check(graph, *plan)) : to_string(plan.error());
    if (objection.empty()) return 0;
    std::fprintf(stderr, "%s\n%s\n", oracle::to_text(graph).c_str(), objection.c_str());
    std::abort();
}
