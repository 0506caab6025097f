#include "gpu/execute/host_thread.hpp"

#include "gpu/execute/kernel_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace tuff {
namespace {

/// After so long the thread looks whether it shall end: of a lost device some drivers say nothing.
constexpr std::uint64_t kLongWaitNanoseconds = 50'000'000;
/// And for so long it looks without sleeping.
constexpr std::chrono::microseconds kShortWait{500};

} // namespace

HostThread::HostThread(const Plan& plan, const PlanResources& resources, Submitter& submitter,
                       std::size_t kept)
    : submitter_(submitter), kept_(std::max<std::size_t>(kept, 1)) {
    for (std::uint32_t s = 0; s < plan.submissions.size(); ++s) {
        if (plan.submissions[s].queue != Queue::host) continue;
        Call call{.first_node = static_cast<std::uint32_t>(nodes_.size())};
        for (const Level& level : plan.levels)
            if (level.submission == s)
                for (std::uint32_t i = 0; i < level.node_count; ++i)
                    add_node(plan, resources, level.first_node + i);
        call.node_count = static_cast<std::uint32_t>(nodes_.size()) - call.first_node;
        calls_.push_back(call);
    }
    times_.resize(nodes_.size() * kept_);
    thread_ = std::thread([this] { work(); });
}

HostThread::~HostThread() {
    stopping_ = true;
    {
        const std::lock_guard lock(mutex_);
        job_waits_.notify_all();
    }
    thread_.join();
}

void HostThread::add_node(const Plan& plan, const PlanResources& resources,
                          std::uint32_t position) {
    const GraphDesc& graph = plan.graph;
    const NodeId id = plan.order[position];
    const auto* const host = std::get_if<HostNode>(&payload_of(graph, id));
    Node node{.task = host ? host->task.get() : nullptr,
              .name = std::string(graph.name_of(id)),
              .position = position,
              .read = {},
              .written = {}};
    for (std::uint32_t a = 0; a < graph.nodes[id.index].access_count; ++a) {
        const AccessDesc& access = access_of(graph, id, a);
        const ResourceId resource = resource_of(graph, access);
        if (graph.resources[resource.index].orders_only) continue;
        const std::span<std::byte> bytes =
            resources.mapped(plan, resource).subspan(access.range.offset, access.range.size);
        if (access.written) {
            node.written.push_back(bytes);
            node.bytes_written += bytes.size();
        } else {
            node.read.emplace_back(bytes);
            node.bytes_read += bytes.size();
        }
    }
    node_at_.emplace(position, nodes_.size());
    nodes_.push_back(std::move(node));
}

void HostThread::execute(Job job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    job_waits_.notify_all();
}

void HostThread::wait_for(std::uint64_t execution) const {
    std::unique_lock lock(mutex_);
    job_ended_.wait(lock, [&] { return ended_ >= execution; });
}

Result<void> HostThread::failure() const {
    if (!failed_) return {};
    const std::lock_guard lock(mutex_);
    return std::unexpected(why_);
}

NodeTiming HostThread::timing(std::uint32_t position, std::uint64_t execution) const {
    const std::size_t index = node_at_.at(position);
    const Node& node = nodes_[index];
    const std::lock_guard lock(mutex_);
    const Times& times = times_[place_of(index, execution)];
    constexpr double kNanoseconds = 1e6; // in a millisecond
    return {.name = node.name,
            .milliseconds = static_cast<double>(times.end - times.begin) / kNanoseconds,
            .start = 0.0,
            .queue = Queue::host,
            .waited = static_cast<double>(times.begin - times.asked) / kNanoseconds,
            .host_begin = times.begin,
            .bytes_read = node.bytes_read,
            .bytes_written = node.bytes_written};
}

void HostThread::fail_with(Diagnostics why) {
    const std::lock_guard lock(mutex_);
    if (failed_) return;
    why_ = std::move(why);
    failed_ = true;
}

void HostThread::work() {
    for (;;) {
        Job job;
        {
            std::unique_lock lock(mutex_);
            job_waits_.wait(lock, [&] { return stopping_ || !jobs_.empty(); });
            if (stopping_) return;
            job = std::move(jobs_.front());
            jobs_.pop_front();
        }
        run(job);
        const std::lock_guard lock(mutex_);
        ended_ = job.execution;
        job_ended_.notify_all();
    }
}

void HostThread::run(const Job& job) {
    submitter_.begin(job.execution, job.commands, job.wait, job.signal);
    for (std::uint32_t turn = 0; turn < calls_.size(); ++turn) {
        if (!submit_turn(job.execution, turn)) return;
        HostTime asked = host_time();
        if (!wait_for_device(job.execution, turn)) return;
        for (std::uint32_t i = 0; i < calls_[turn].node_count && !failed_; ++i) {
            run_node(calls_[turn].first_node + i, job.execution, asked);
            asked = host_time();
        }
        if (auto ok = submitter_.signal_host_turn(turn, job.execution); !ok) fail_with(ok.error());
    }
    submit_turn(job.execution, static_cast<std::uint32_t>(calls_.size()));
}

bool HostThread::submit_turn(std::uint64_t execution, std::uint32_t turn) {
    auto submitted = submitter_.submit_turn(turn);
    if (submitted) return true;
    fail_with(std::move(submitted.error()));
    submitter_.pass_end(execution);
    return false;
}

/// False where the thread shall end. After an error of the device the rest follows all the same, as
/// after one of a node.
bool HostThread::wait_for_device(std::uint64_t execution, std::uint32_t turn) {
    // Most waits are short, and the system takes its time to wake a thread up.
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < kShortWait) {
        const auto may = submitter_.wait_for_host_turn(turn, execution, 0);
        if (!may || *may) break;
        std::this_thread::yield();
    }
    while (!stopping_) {
        const auto may = submitter_.wait_for_host_turn(turn, execution, kLongWaitNanoseconds);
        if (!may) fail_with(may.error());
        if (!may || *may) return true;
    }
    return false;
}

void HostThread::run_node(std::size_t index, std::uint64_t execution, HostTime asked) {
    const Node& node = nodes_[index];
    if (!node.task) return;
    Times times{.asked = asked, .begin = host_time(), .end = 0};
    auto done = node.task->run({node.read, node.written});
    times.end = host_time();
    {
        const std::lock_guard lock(mutex_);
        times_[place_of(index, execution)] = times;
    }
    if (done) return;
    for (Diagnostic& problem : done.error())
        problem.message = fmt::format("node '{}': {}", node.name, problem.message);
    fail_with(std::move(done.error()));
}

} // namespace tuff
