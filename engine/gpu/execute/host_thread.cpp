#include "gpu/execute/host_thread.hpp"

#include "gpu/execute/kernel_nodes.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace tuff {
namespace {

/// After so long the thread looks whether it shall end: of a lost device some drivers say nothing.
constexpr std::uint64_t kLongWaitNanoseconds = 50'000'000;
constexpr int kShortWaits = 64;

} // namespace

HostThread::HostThread(const Plan& plan, const PlanResources& resources, Submitter& submitter)
    : submitter_(submitter) {
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
    milliseconds_ = std::vector<std::atomic<double>>(nodes_.size());
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
        const std::span<std::byte> bytes = resources.mapped(plan, resource_of(graph, access))
                                               .subspan(access.range.offset, access.range.size);
        if (access.written)
            node.written.push_back(bytes);
        else
            node.read.emplace_back(bytes);
    }
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

double HostThread::milliseconds(std::uint32_t position) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        if (nodes_[i].position == position) return milliseconds_[i];
    return 0.0;
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
        if (!wait_for_device(job.execution, turn)) return;
        for (std::uint32_t i = 0; i < calls_[turn].node_count && !failed_; ++i)
            run_node(calls_[turn].first_node + i);
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
    for (int i = 0; i < kShortWaits; ++i) {
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

void HostThread::run_node(std::size_t index) {
    const Node& node = nodes_[index];
    if (!node.task) return;
    const auto begin = std::chrono::steady_clock::now();
    auto done = node.task->run({node.read, node.written});
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    milliseconds_[index] = time.count();
    if (done) return;
    for (Diagnostic& problem : done.error())
        problem.message = fmt::format("node '{}': {}", node.name, problem.message);
    fail_with(std::move(done.error()));
}

} // namespace tuff
