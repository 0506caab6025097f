#include "gpu/segments.hpp"

#include "gpu/kernel_nodes.hpp"

#include <algorithm>
#include <thread>

namespace tuff {
namespace {

// A command buffer more costs a submission about what recording some tens of nodes costs.
constexpr std::uint32_t kWorthASegment = 64;
// Waking a thread costs about what recording some hundreds of nodes costs.
constexpr std::uint32_t kNodesPerThread = 500;
constexpr std::uint32_t kMostThreads = 8;

/// Runs of nodes that the host records and of others, in turn. Short runs join the custom one
/// beside them, whose commands are recorded each time anyway.
std::vector<Segment> runs_of(const Plan& plan) {
    const auto count = static_cast<std::uint32_t>(plan.order.size());
    std::vector<Segment> runs;
    for (std::uint32_t i = 0; i < count; ++i) {
        const NodePayload& payload = payload_of(plan.graph, plan.order[i]);
        const bool custom = std::holds_alternative<CustomNode>(payload);
        if (runs.empty() || runs.back().custom != custom) runs.push_back({i, i, custom});
        runs.back().last = i + 1;
    }
    const bool any_custom = std::ranges::any_of(runs, &Segment::custom);
    if (runs.empty() || (any_custom && count < kWorthASegment)) return {{0, count, any_custom}};
    std::vector<Segment> joined;
    for (Segment run : runs) {
        if (any_custom && run.last - run.first < kWorthASegment) run.custom = true;
        if (!joined.empty() && joined.back().custom && run.custom)
            joined.back().last = run.last;
        else
            joined.push_back(run);
    }
    return joined;
}

} // namespace

std::vector<Segment> split_into_segments(const Plan& plan, std::uint32_t threads) {
    const std::vector<Segment> runs = runs_of(plan);
    std::uint32_t shared = 0; // nodes that the threads share out
    for (const Segment& run : runs)
        if (!run.custom) shared += run.last - run.first;
    const std::uint32_t part = std::max((shared + threads - 1) / threads, 1u);
    std::vector<Segment> segments;
    for (const Segment& run : runs) {
        const std::uint32_t length = run.last - run.first;
        const std::uint32_t parts = run.custom ? 1 : std::max((length + part - 1) / part, 1u);
        for (std::uint32_t i = 0; i < parts; ++i)
            segments.push_back(
                {run.first + static_cast<std::uint32_t>(std::uint64_t{length} * i / parts),
                 run.first + static_cast<std::uint32_t>(std::uint64_t{length} * (i + 1) / parts),
                 run.custom});
    }
    return segments;
}

std::uint32_t recording_threads(const Plan& plan, std::uint32_t wanted) {
    if (wanted != 0) return wanted;
    const auto worth = static_cast<std::uint32_t>(plan.order.size()) / kNodesPerThread;
    return std::clamp(worth, 1u, std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads));
}

} // namespace tuff
