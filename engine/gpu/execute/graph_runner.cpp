#include "gpu/execute/kernel_nodes.hpp"

#include <tuff/graph_runner.hpp>
#include <tuff/shader_library.hpp>
#include <tuff/timeline.hpp>
#include <tuff/watch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tuff {
namespace {

/// Whether a history holds elements of a pool: "smoke/bricks/dye" is of the pool "smoke/bricks".
bool is_of_pool(std::string_view history, const PoolSizes& pools) {
    return std::ranges::any_of(pools, [&](const auto& pool) {
        return history.starts_with(pool.first) &&
               history.substr(pool.first.size()).starts_with('/');
    });
}

/// Takes histories of pools for as long as those of the same name are now, where these are longer:
/// elements keep their numbers, so that what they held may go on.
std::vector<HistoryInfo> lengthened(std::vector<HistoryInfo> before,
                                    std::span<const HistoryInfo> now, const PoolSizes& pools) {
    for (HistoryInfo& history : before) {
        auto* desc = std::get_if<BufferDesc>(&history.desc);
        const auto next = std::ranges::find(now, history.name, &HistoryInfo::name);
        if (!desc || next == now.end() || !is_of_pool(history.name, pools)) continue;
        if (const auto* wanted = std::get_if<BufferDesc>(&next->desc))
            desc->size = std::max(desc->size, wanted->size);
    }
    return before;
}

/// The contents of a history, all copies of which become longer; what is new is as at first.
std::vector<std::byte> padded(const std::vector<std::byte>& contents, const HistoryInfo& now) {
    const std::size_t copies = now.depth + 1;
    const std::size_t before = contents.size() / copies;
    std::vector<std::byte> result(packed_bytes(now));
    const std::size_t after = result.size() / copies;
    if (before == after) return contents;
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = std::byte(now.clear[0] >> (8 * (i % 4)));
    for (std::size_t copy = 0; copy < copies; ++copy)
        std::copy_n(contents.begin() + static_cast<std::ptrdiff_t>(copy * before), before,
                    result.begin() + static_cast<std::ptrdiff_t>(copy * after));
    return result;
}

} // namespace

GraphRunner::GraphRunner(Device& device, GraphRunnerOptions options)
    : device_(&device), memory_(memory_model(device)), options_(std::move(options)) {
    if (!options_.compile.memory) options_.compile.memory = memory_.get();
}

Result<void> GraphRunner::take(GraphDesc graph, const ShaderLibrary& shaders) {
    if (!options_.assertions) graph = without_assertions(std::move(graph));
    if (options_.watch_finite)
        graph = watch_finite(std::move(graph), device_->caps(), shaders,
                             {.fills_first = !options_.compile.poison});
    auto taken = take_checked(std::move(graph), shaders);
    // What has failed may be tried again.
    if (taken) begins_again_ = false;
    return taken;
}

Result<void> GraphRunner::take_checked(GraphDesc graph, const ShaderLibrary& shaders) {
    // As they were marked when the plan was made.
    const bool may_be_alike = executor_ && graph.nodes.size() == changing_.size();
    for (std::size_t n = 0; may_be_alike && n < changing_.size(); ++n)
        if (changing_[n]) graph.nodes[n].changing = true;
    if (!executor_ || !same_structure(plan_->graph, graph)) {
        for (std::size_t n = 0; may_be_alike && n < changing_.size(); ++n)
            if (changing_[n]) graph.nodes[n].changing = false;
        const std::size_t nodes = graph.nodes.size();
        auto made = run_compiled(std::move(graph), shaders);
        if (made) changing_.assign(nodes, false);
        return made;
    }
    if (options_.compile.constant == ConstantWork::once && !begins_again_ && mark_changed(graph)) {
        for (std::size_t n = 0; n < changing_.size(); ++n)
            if (changing_[n]) graph.nodes[n].changing = true;
        return run_compiled(std::move(graph), shaders);
    }
    if (forgets_)
        if (auto ok = executor_->reset_history(); !ok) return ok;
    forgets_ = false;
    parameters_ = graph.parameters;
    executor_->set_uploads(graph);
    return executor_->set_parameters(graph.parameters);
}

void GraphRunner::begin_again() {
    begins_again_ = true;
    forgets_ = true;
}

/// Marks nodes that are given other parameters than before. Returns whether a plan that knows of
/// them would keep more.
bool GraphRunner::mark_changed(const GraphDesc& graph) {
    const auto differ = [&](std::uint32_t offset, std::uint32_t size) {
        const auto first = graph.parameters.begin() + offset;
        return !std::equal(first, first + size, parameters_.begin() + offset);
    };
    bool any = false;
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        const KernelUse* const use = kernel_of(graph, {n});
        if (!use || changing_[n] || graph.nodes[n].changing) continue;
        const bool runs_each = plan_->culled[n] == CullReason::none && plan_->setup;
        if (runs_each || plan_->culled[n] == CullReason::result_unused) continue;
        changing_[n] = differ(use->push_offset, use->shader->push_bytes) ||
                       differ(use->param_offset, use->shader->param_bytes);
        any = any || changing_[n];
    }
    return any;
}

Result<void> GraphRunner::run_compiled(GraphDesc graph, const ShaderLibrary& shaders) {
    std::vector<std::byte> parameters = graph.parameters;
    auto compiled = [&] {
        const ScopedSpan compilation(options_.execution.timeline, HostWork::compile);
        return compile(std::move(graph), device_->caps(), options_.compile);
    }();
    if (!compiled) return propagate(std::move(compiled));
    auto plan = std::make_shared<const Plan>(std::move(*compiled));
    if (auto made = replace_executor(shaders, plan); !made) return made;
    plan_ = std::move(plan);
    parameters_ = std::move(parameters);
    ++compilations_;
    return {};
}

/// What goes on is read before the executor that holds it ends.
Result<void> GraphRunner::replace_executor(const ShaderLibrary& shaders,
                                           std::shared_ptr<const Plan> plan) {
    HistoryMatch match;
    const std::vector<HistoryInfo> now = histories_of(*plan);
    if (executor_ && !forgets_)
        match = match_histories(lengthened(executor_->histories(), now, pools_), now);
    std::vector<std::vector<std::byte>> kept;
    for (const auto& [before, after] : match.same) {
        auto contents = executor_->read_history(before);
        if (!contents) return propagate(std::move(contents));
        kept.push_back(padded(*contents, now[after]));
    }
    if (!options_.keep_until_replaced) executor_.reset(); // its memory goes before the new one's
    auto made = Executor::create(*device_, shaders, std::move(plan), options_.execution);
    if (!made) return propagate(std::move(made));
    for (std::size_t i = 0; i < kept.size(); ++i) {
        auto written = made->write_history(match.same[i].second, kept[i]);
        if (!written) return written;
        kept[i] = {};
    }
    executor_.emplace(std::move(*made));
    forgets_ = false;
    has_carried_ = !match.same.empty();
    std::ranges::move(match.restarted, std::back_inserter(restarted_));
    return {};
}

void GraphRunner::forget() {
    pools_.clear();
    forgets_ = true;
}

Result<Diagnostics> GraphRunner::grow_pools() {
    Diagnostics told;
    if (!executor_) return told;
    auto needs = executor_->pool_needs();
    if (!needs) return propagate(std::move(needs));
    for (const auto& [pool, elements] : *needs) {
        std::uint64_t& room = pools_[pool];
        if (elements <= room) continue; // it has that already, or can have no more
        room = elements + elements / 4;
        told.push_back({.code = "graph/pool-grown",
                        .severity = Severity::warning,
                        .message = fmt::format("{}: the pool grows to {} elements, or as many as a "
                                               "buffer holds, because {} were needed",
                                               pool, room, elements),
                        .where = {},
                        .hint = "give the pass that size, and no execution runs out of room"});
    }
    return told;
}

} // namespace tuff
