#include "gpu/execute/segments.hpp"

#include "gpu/execute/kernel_nodes.hpp"

#include <algorithm>
#include <thread>

namespace tuff {
namespace {

// A command buffer more costs a submission about what recording some tens of nodes costs.
constexpr std::uint32_t kWorthASegment = 64;
// Waking a thread, and submitting one command buffer more ever after, costs about what recording
// a thousand nodes costs: two threads record 1,000 nodes no faster than one.
constexpr std::uint32_t kNodesPerThread = 2000;
constexpr std::uint32_t kMaxThreads = 8;

/// A stretch of a submission's nodes, counted from its first.
struct NodeRun {
    std::uint32_t first = 0;
    std::uint32_t last = 0; ///< exclusive
    bool custom = false;
};

/// The levels of each submission.
std::vector<std::vector<std::uint32_t>> levels_by_submission(const Plan& plan) {
    std::vector<std::vector<std::uint32_t>> levels(
        std::max<std::size_t>(plan.submissions.size(), 1));
    for (std::uint32_t i = 0; i < plan.levels.size(); ++i)
        levels[plan.levels[i].submission].push_back(i);
    return levels;
}

/// Runs of nodes that the host records and of others, in turn. Short runs join the custom one
/// beside them, whose commands are recorded each time anyway.
std::vector<NodeRun> runs_of(const Plan& plan, std::span<const std::uint32_t> levels) {
    std::vector<NodeRun> runs;
    std::uint32_t count = 0;
    for (const std::uint32_t level : levels)
        for (std::uint32_t i = 0; i < plan.levels[level].node_count; ++i, ++count) {
            const NodeId node = plan.order[plan.levels[level].first_node + i];
            const bool custom = std::holds_alternative<CustomNode>(payload_of(plan.graph, node));
            if (runs.empty() || runs.back().custom != custom)
                runs.push_back({count, count, custom});
            runs.back().last = count + 1;
        }
    const bool any_custom = std::ranges::any_of(runs, &NodeRun::custom);
    if (runs.empty() || (any_custom && count < kWorthASegment)) return {{0, count, any_custom}};
    std::vector<NodeRun> joined;
    for (NodeRun run : runs) {
        if (any_custom && run.last - run.first < kWorthASegment) run.custom = true;
        if (!joined.empty() && joined.back().custom && run.custom)
            joined.back().last = run.last;
        else
            joined.push_back(run);
    }
    return joined;
}

/// Cuts the runs that are not custom into parts of at most `length` nodes, of about one size.
std::vector<NodeRun> cut(std::span<const NodeRun> runs, std::uint32_t length) {
    std::vector<NodeRun> result;
    for (const NodeRun& run : runs) {
        const std::uint32_t count = run.last - run.first;
        const std::uint32_t parts = run.custom ? 1 : std::max((count + length - 1) / length, 1u);
        const auto at = [&](std::uint32_t part) {
            return run.first + static_cast<std::uint32_t>(std::uint64_t{count} * part / parts);
        };
        for (std::uint32_t i = 0; i < parts; ++i)
            result.push_back({at(i), at(i + 1), run.custom});
    }
    return result;
}

/// Gives the nodes of a submission's levels to one run after another.
void append_segments(Segments& result, const Plan& plan, std::uint32_t submission,
                     std::span<const std::uint32_t> levels, std::span<const NodeRun> runs) {
    std::size_t level = 0;
    std::uint32_t done = 0; // nodes of that level
    for (const NodeRun& run : runs) {
        Segment segment{.submission = submission,
                        .first_piece = static_cast<std::uint32_t>(result.pieces.size()),
                        .begins = run.first == 0,
                        .ends = &run == &runs.back(),
                        .custom = run.custom};
        std::uint32_t left = run.last - run.first;
        while (level < levels.size() && (left > 0 || plan.levels[levels[level]].node_count == 0)) {
            const Level& from = plan.levels[levels[level]];
            const std::uint32_t count = std::min(left, from.node_count - done);
            const bool ends = done + count == from.node_count;
            const std::uint32_t first = from.first_node + done;
            result.pieces.push_back({levels[level], first, first + count, done == 0, ends});
            left -= count;
            done = ends ? 0 : done + count;
            level += ends ? 1 : 0;
        }
        segment.piece_count =
            static_cast<std::uint32_t>(result.pieces.size()) - segment.first_piece;
        result.segments.push_back(segment);
    }
}

} // namespace

Segments split_into_segments(const Plan& plan, std::uint32_t threads) {
    const auto levels = levels_by_submission(plan);
    std::vector<std::vector<NodeRun>> runs;
    std::uint32_t shared = 0; // nodes that the threads share out
    for (const auto& of_submission : levels) {
        runs.push_back(runs_of(plan, of_submission));
        for (const NodeRun& run : runs.back())
            if (!run.custom) shared += run.last - run.first;
    }
    const std::uint32_t length = std::max((shared + threads - 1) / threads, 1u);
    Segments result;
    for (std::uint32_t i = 0; i < levels.size(); ++i)
        if (i >= plan.submissions.size() || plan.submissions[i].queue != Queue::host)
            append_segments(result, plan, i, levels[i], cut(runs[i], length));
    return result;
}

std::uint32_t recording_threads(const Plan& plan, std::uint32_t wanted) {
    if (wanted != 0) return wanted;
    const auto worth = static_cast<std::uint32_t>(plan.order.size()) / kNodesPerThread;
    return std::clamp(worth, 1u, std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads));
}

} // namespace tuff
