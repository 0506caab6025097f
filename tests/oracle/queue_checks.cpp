#include "tests/oracle/queue_checks.hpp"

#include "tests/oracle/access_table.hpp"
#include "tests/oracle/scopes.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tuff::oracle {
namespace {

constexpr std::uint32_t kNever = ~0u;

/// The levels of each submission, as places in the list; the epilogue comes last of all.
struct Span {
    std::uint32_t first = kNever;
    std::uint32_t last = 0;
};
std::vector<Span> spans_of(const Plan& plan) {
    std::vector<Span> spans(plan.submissions.size());
    const auto add = [&](std::uint32_t submission, std::uint32_t place) {
        Span& span = spans[submission];
        span = {std::min(span.first, place), place};
    };
    for (std::uint32_t l = 0; l < plan.levels.size(); ++l)
        add(plan.levels[l].submission, l);
    add(plan.epilogue.submission, static_cast<std::uint32_t>(plan.levels.size()));
    return spans;
}

void check_levels(const Plan& plan, Findings& findings) {
    std::array<std::uint32_t, kQueueCount> latest{};
    const auto check = [&](const Level& level, std::string_view what, std::size_t index) {
        if (level.submission >= plan.submissions.size()) {
            findings.add(Fault::bad_submission, "{} {} belongs to no submission", what, index);
            return;
        }
        if (plan.submissions[level.submission].queue != level.queue)
            findings.add(Fault::bad_submission,
                         "{} {} is for the {} queue, its submission {} for another", what, index,
                         name_of(level.queue), level.submission);
        std::uint32_t& before = latest[static_cast<std::size_t>(level.queue)];
        if (level.submission < before)
            findings.add(Fault::bad_submission,
                         "{} {} of submission {} comes after one of submission {}", what, index,
                         level.submission, before);
        before = std::max(before, level.submission);
    };
    for (std::size_t l = 0; l < plan.levels.size(); ++l)
        check(plan.levels[l], "level", l);
    check(plan.epilogue, "epilogue", plan.levels.size());
}

void check_waits(const Plan& plan, Findings& findings) {
    const std::vector<Span> spans = spans_of(plan);
    std::uint32_t next_wait = 0;
    for (std::uint32_t s = 0; s < plan.submissions.size(); ++s) {
        const Submission& submission = plan.submissions[s];
        if (submission.wait_count != 0 && submission.first_wait != next_wait) {
            findings.add(Fault::malformed, "the waits of submission {} are not its own", s);
            return;
        }
        next_wait += submission.wait_count;
        if (next_wait > plan.waits.size()) break;
        for (std::uint32_t i = 0; i < submission.wait_count; ++i) {
            const std::uint32_t other = plan.waits[submission.first_wait + i];
            if (other >= s) {
                findings.add(Fault::bad_submission,
                             "submission {} waits for submission {}, which is none before it", s,
                             other);
                continue;
            }
            if (plan.submissions[other].queue == submission.queue)
                findings.add(Fault::bad_submission,
                             "submission {} waits for submission {} of its own queue", s, other);
            if (spans[s].first != kNever && spans[other].first != kNever &&
                spans[other].last >= spans[s].first)
                findings.add(Fault::bad_submission,
                             "submission {} waits for submission {}, whose levels come later", s,
                             other);
        }
    }
    if (next_wait != plan.waits.size())
        findings.add(Fault::malformed, "the submissions do not hold all waits");
}

void check_last_submission(const Plan& plan, Findings& findings) {
    if (plan.epilogue.queue != Queue::graphics ||
        plan.epilogue.submission + 1 != plan.submissions.size())
        findings.add(Fault::bad_submission,
                     "the epilogue is not in the last submission of the graphics queue");
    const std::vector<bool> before = submissions_before(plan).back();
    for (std::size_t s = 0; s < before.size(); ++s)
        if (!before[s])
            findings.add(Fault::bad_submission, "the last submission does not come after {}", s);
}

/// The stages that commands of a queue can have.
StageMask stages_of(Queue queue) {
    switch (queue) {
    case Queue::graphics: return single_stages(stage::kAllCommands) | stage::kHost;
    case Queue::compute:
        return stage::kDrawIndirect | stage::kCompute | stage::kCopy | stage::kClear | stage::kHost;
    case Queue::transfer: return stage::kCopy | stage::kHost;
    case Queue::host: return stage::kHost;
    }
    std::unreachable();
}

bool asked_for(QueueHint hint, Queue queue) {
    switch (queue) {
    case Queue::graphics: return true;
    case Queue::compute: return hint == QueueHint::compute;
    case Queue::transfer: return hint == QueueHint::transfer;
    case Queue::host: return false;
    }
    std::unreachable();
}

/// A fill of a buffer is a copy to a transfer queue; depth images are cleared on the main one.
bool can_run(const GraphDesc& graph, const AccessDesc& access, Queue queue) {
    const ResourceDesc& resource = graph.resource_of(access.read);
    const StageMask stages = single_stages(rules_of(access, resource.is_image()).stages);
    if (queue == Queue::graphics) return true;
    if (access.access == Access::clear_write) {
        if (!resource.is_image()) return true;
        return queue == Queue::compute && !info(resource.image().format).depth;
    }
    return (stages & ~stages_of(queue)) == 0;
}

bool is_host_node(const GraphDesc& graph, NodeId node) {
    const std::uint32_t payload = graph.nodes[node.index].payload;
    return payload != ~0u && std::holds_alternative<HostNode>(graph.payloads[payload]);
}

/// Host nodes run on the host, others do not, and no barrier does.
void check_host(const Plan& plan, Findings& findings) {
    for (const Level& level : plan.levels) {
        const bool on_host = level.queue == Queue::host;
        for (std::uint32_t i = 0; i < level.node_count; ++i) {
            const NodeId node = plan.order[level.first_node + i];
            if (is_host_node(plan.graph, node) != on_host)
                findings.add(Fault::wrong_queue, "'{}' runs on the {} queue",
                             plan.graph.name_of(node), name_of(level.queue));
        }
        if (on_host && (level.memory != MemoryBarrier{} || level.image_barrier_count != 0 ||
                        level.release_count != 0))
            findings.add(Fault::wrong_queue, "a level of the host has barriers");
    }
    for (const Submission& submission : plan.submissions)
        if (submission.queue == Queue::host &&
            (submission.from_host != MemoryBarrier{} || submission.to_host != MemoryBarrier{}))
            findings.add(Fault::wrong_queue, "a submission of the host has barriers");
}

void check_nodes(const Plan& plan, Findings& findings) {
    for (const Level& level : plan.levels) {
        if (level.queue == Queue::graphics || level.queue == Queue::host) continue;
        if (plan.options.queues == QueueMode::one)
            findings.add(Fault::wrong_queue, "a level is on the {} queue, but one was asked for",
                         name_of(level.queue));
        for (std::uint32_t i = 0; i < level.node_count; ++i) {
            const NodeId node = plan.order[level.first_node + i];
            const NodeDesc& desc = plan.graph.nodes[node.index];
            if (plan.options.queues == QueueMode::hinted && !asked_for(desc.queue, level.queue))
                findings.add(Fault::wrong_queue, "'{}' never asked for the {} queue",
                             plan.graph.name_of(node), name_of(level.queue));
            if (desc.queue == QueueHint::graphics)
                findings.add(Fault::wrong_queue,
                             "'{}' asked for the graphics queue, not the {} one",
                             plan.graph.name_of(node), name_of(level.queue));
            if (desc.payload != ~0u &&
                (std::holds_alternative<RasterNode>(plan.graph.payloads[desc.payload]) ||
                 std::holds_alternative<BlitNode>(plan.graph.payloads[desc.payload])))
                findings.add(Fault::wrong_queue, "'{}' draws or scales on the {} queue",
                             plan.graph.name_of(node), name_of(level.queue));
            for (std::uint32_t a = 0; a < desc.access_count; ++a) {
                const AccessDesc& access = plan.graph.accesses[desc.first_access + a];
                if (!can_run(plan.graph, access, level.queue))
                    findings.add(Fault::wrong_queue,
                                 "'{}' {} '{}' on the {} queue, which cannot do so",
                                 plan.graph.name_of(node), tuff::name_of(access.access),
                                 plan.graph.name(plan.graph.resource_of(access.read).name),
                                 name_of(level.queue));
            }
        }
    }
}

void check_stages(StageMask stages, Queue queue, std::string_view what, Findings& findings) {
    const StageMask named = stages & ~stage::kAllCommands;
    if ((single_stages(named) & ~stages_of(queue)) != 0)
        findings.add(Fault::wrong_queue, "{} names stages {:#x}, which the {} queue lacks", what,
                     named, name_of(queue));
}

template <typename Barrier>
void check_stages_of(const Barrier& barrier, Queue queue, std::string_view what,
                     Findings& findings) {
    check_stages(barrier.source_stages, queue, what, findings);
    check_stages(barrier.destination_stages, queue, what, findings);
}

enum class Place : std::uint8_t { before_level, after_level };

void check_image_barriers(const Plan& plan, std::uint32_t first, std::uint32_t count, Queue queue,
                          Place place, Findings& findings) {
    for (std::uint32_t i = first; i < first + count; ++i) {
        const ImageBarrier& b = plan.image_barriers[i];
        const std::string what = fmt::format("a barrier of '{}'", plan.graph.name_of(b.resource));
        check_stages_of(b, queue, what, findings);
        const Queue right = place == Place::before_level ? b.to_queue : b.from_queue;
        if (right != queue)
            findings.add(Fault::wrong_queue,
                         "a barrier of '{}' from the {} to the {} queue stands on the {} queue",
                         plan.graph.name_of(b.resource), name_of(b.from_queue), name_of(b.to_queue),
                         name_of(queue));
    }
}

} // namespace

std::vector<std::vector<bool>> submissions_before(const Plan& plan) {
    std::vector<std::vector<bool>> result;
    std::array<std::uint32_t, kQueueCount> latest;
    latest.fill(kNever);
    for (std::uint32_t s = 0; s < plan.submissions.size(); ++s) {
        std::vector<bool> before(plan.submissions.size(), false);
        before[s] = true;
        const auto join = [&](std::uint32_t other) {
            for (std::uint32_t i = 0; i <= other; ++i)
                if (result[other][i]) before[i] = true;
        };
        const Submission& submission = plan.submissions[s];
        std::uint32_t& own = latest[static_cast<std::size_t>(submission.queue)];
        if (own != kNever) join(own);
        own = s;
        for (std::uint32_t i = 0; i < submission.wait_count; ++i)
            join(plan.waits[submission.first_wait + i]);
        result.push_back(std::move(before));
    }
    return result;
}

void check_submissions(const Plan& plan, Findings& findings) {
    if (plan.submissions.empty()) {
        findings.add(Fault::bad_submission, "the plan has no submission");
        return;
    }
    check_levels(plan, findings);
    if (findings.empty()) check_waits(plan, findings);
    if (findings.empty()) check_last_submission(plan, findings);
}

void check_queues(const Plan& plan, Findings& findings) {
    check_nodes(plan, findings);
    check_host(plan, findings);
    const auto check_level = [&](const Level& level) {
        check_stages_of(level.memory, level.queue, "a memory barrier", findings);
        check_image_barriers(plan, level.first_image_barrier, level.image_barrier_count,
                             level.queue, Place::before_level, findings);
        check_image_barriers(plan, level.first_release, level.release_count, level.queue,
                             Place::after_level, findings);
    };
    for (const Level& level : plan.levels)
        check_level(level);
    check_level(plan.epilogue);
}

std::string_view name_of(Queue queue) {
    static constexpr std::array<std::string_view, kQueueCount> kNames = {"graphics", "compute",
                                                                         "transfer", "host"};
    return kNames[static_cast<std::size_t>(queue)];
}

} // namespace tuff::oracle
