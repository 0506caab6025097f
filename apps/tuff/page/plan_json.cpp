#include "apps/tuff/page/plan_json.hpp"

#include "graph/explain/describe.hpp"
#include "graph/explain/drawing.hpp"

#include <json/json.h>

#include <vector>

namespace tuff::cli {
namespace {

Json::Value scope_json(StageMask stages, MemoryMask memory) {
    Json::Value json;
    json["stages"] = stages_text(stages);
    json["access"] = memory_text(memory);
    return json;
}

Json::Value reason_json(const Plan& plan, std::uint32_t index) {
    Json::Value json;
    json["hazard"] = std::string(name_of(plan.reasons[index].hazard));
    const BarrierReason& reason = plan.reasons[index];
    json["text"] = describe(plan, reason);
    if (reason.resource) json["resource"] = reason.resource.index;
    if (reason.before) json["before"] = reason.before.index;
    if (reason.after) json["after"] = reason.after.index;
    return json;
}

Json::Value image_barrier_json(const Plan& plan, const ImageBarrier& barrier) {
    Json::Value json;
    json["image"] = std::string(plan.graph.name_of(barrier.resource));
    json["resource"] = barrier.resource.index;
    const ResourceDesc& resource = plan.graph.resources[barrier.resource.index];
    if (resource.is_image()) json["range"] = range_text(barrier.range, resource.image());
    json["before"] = scope_json(barrier.source_stages, barrier.source_memory);
    json["after"] = scope_json(barrier.destination_stages, barrier.destination_memory);
    json["from"] = std::string(name_of(barrier.from));
    json["to"] = std::string(name_of(barrier.to));
    if (barrier.from_queue != barrier.to_queue) {
        json["from_queue"] = std::string(name_of(barrier.from_queue));
        json["to_queue"] = std::string(name_of(barrier.to_queue));
    }
    if (barrier.reason < plan.reasons.size()) json["reason"] = reason_json(plan, barrier.reason);
    return json;
}

/// The image barriers with the reason of each; the memory barrier has all the other reasons.
Json::Value batch_json(const Plan& plan, const Level& level) {
    Json::Value json(Json::objectValue);
    std::vector<bool> told(level.reason_count, false);
    for (std::uint32_t i = 0; i < level.image_barrier_count; ++i) {
        const ImageBarrier& barrier = plan.image_barriers[level.first_image_barrier + i];
        json["images"].append(image_barrier_json(plan, barrier));
        const std::uint32_t own = barrier.reason - level.first_reason;
        if (own < level.reason_count) told[own] = true;
    }
    if (level.memory == MemoryBarrier{}) return json;
    const MemoryBarrier& memory = level.memory;
    json["memory"]["before"] = scope_json(memory.source_stages, memory.source_memory);
    json["memory"]["after"] = scope_json(memory.destination_stages, memory.destination_memory);
    json["memory"]["reasons"] = Json::Value(Json::arrayValue);
    for (std::uint32_t i = 0; i < level.reason_count; ++i)
        if (!told[i]) json["memory"]["reasons"].append(reason_json(plan, level.first_reason + i));
    return json;
}

using VersionNumbers = std::vector<std::uint32_t>;

Json::Value access_json(const Plan& plan, std::uint32_t index, const VersionNumbers& numbers) {
    const AccessDesc& access = plan.graph.accesses[index];
    const VersionId any = access.read ? access.read : access.written;
    Json::Value json(Json::objectValue);
    if (!any) return json;
    const ResourceId resource = plan.graph.versions[any.index].resource;
    const ResourceDesc& desc = plan.graph.resources[resource.index];
    json["resource"] = resource.index;
    json["access"] = std::string(name_of(access.access));
    json["reads"] = reads(access.access);
    json["writes"] = bool(access.written);
    if (access.read) json["read"] = numbers[access.read.index];
    if (access.written) json["written"] = numbers[access.written.index];
    if (!desc.is_image()) return json;
    json["range"] = range_text(access.range, desc.image());
    if (index < plan.access_layouts.size())
        json["layout"] = std::string(name_of(plan.access_layouts[index]));
    return json;
}

Json::Value node_json(const Plan& plan, NodeId node, const VersionNumbers& numbers) {
    const NodeDesc& desc = plan.graph.nodes[node.index];
    Json::Value json;
    json["node"] = node.index;
    json["name"] = std::string(plan.graph.name_of(node));
    json["kind"] = std::string(kind_name(plan.graph, node));
    json["work"] = work_text(plan.graph, node);
    json["accesses"] = Json::Value(Json::arrayValue);
    for (std::uint32_t i = 0; i < desc.access_count; ++i)
        json["accesses"].append(access_json(plan, desc.first_access + i, numbers));
    return json;
}

Json::Value level_json(const Plan& plan, const Level& level, const VersionNumbers& numbers) {
    Json::Value json;
    json["queue"] = std::string(name_of(level.queue));
    json["submission"] = level.submission;
    json["barriers"] = batch_json(plan, level);
    for (std::uint32_t i = 0; i < level.release_count; ++i)
        json["releases"].append(
            image_barrier_json(plan, plan.image_barriers[level.first_release + i]));
    json["nodes"] = Json::Value(Json::arrayValue);
    for (std::uint32_t i = 0; i < level.node_count; ++i)
        json["nodes"].append(node_json(plan, plan.order[level.first_node + i], numbers));
    return json;
}

Json::Value submissions_json(const Plan& plan) {
    const auto levels = submission_levels(plan);
    Json::Value json(Json::arrayValue);
    for (std::uint32_t i = 0; i < plan.submissions.size(); ++i) {
        const Submission& submission = plan.submissions[i];
        Json::Value entry;
        entry["queue"] = std::string(name_of(submission.queue));
        entry["levels"] = entry["waits"] = entry["wait_texts"] = Json::Value(Json::arrayValue);
        for (const std::uint32_t level : levels[i].levels)
            entry["levels"].append(level);
        for (std::uint32_t w = 0; w < submission.wait_count; ++w)
            entry["waits"].append(plan.waits[submission.first_wait + w]);
        for (const std::string& text : wait_texts(plan, i))
            entry["wait_texts"].append(text);
        json.append(entry);
    }
    return json;
}

Json::Value culled_json(const Plan& plan, const VersionNumbers& numbers) {
    Json::Value json(Json::arrayValue);
    for (std::uint32_t i = 0; i < plan.culled.size(); ++i) {
        if (plan.culled[i] == CullReason::none || plan.culled[i] == CullReason::runs_once) continue;
        Json::Value node = node_json(plan, NodeId{i}, numbers);
        node["why"] = cull_text(plan.graph, NodeId{i});
        json.append(node);
    }
    return json;
}

Json::Value resource_json(const Plan& plan, std::uint32_t index) {
    const ResourceDesc& resource = plan.graph.resources[index];
    Json::Value json;
    json["name"] = std::string(plan.graph.name_of(ResourceId{index}));
    json["lifetime"] = std::string(name_of(resource.lifetime));
    json["contents"] = resource_text(resource);
    json["used"] = index >= plan.usages.size() || plan.usages[index] != 0;
    if (index >= plan.allocations.size() || plan.allocations[index].block == ~0u) return json;
    const Allocation& allocation = plan.allocations[index];
    json["block"] = allocation.block;
    json["offset"] = Json::UInt64(allocation.offset);
    if (const std::string object = object_text(plan, {index}); !object.empty()) {
        json["object"] = allocation.object.index;
        json["object_text"] = object;
    }
    json["size"] = Json::UInt64(allocation.size);
    json["levels"].append(allocation.first_level);
    json["levels"].append(allocation.last_level);
    return json;
}

/// Null where nothing runs once.
Json::Value setup_json(const Plan& plan, const VersionNumbers& numbers) {
    Json::Value json;
    if (!plan.setup) return json;
    for (const NodeId node : plan.setup->order)
        json["nodes"].append(node_json(plan, node, numbers));
    json["kept"] = Json::Value(Json::arrayValue);
    for (const KeptResult& kept : plan.kept) {
        Json::Value entry;
        entry["resource"] = kept.resource.index;
        entry["name"] = std::string(plan.graph.name_of(kept.resource));
        entry["bytes"] = Json::UInt64(kept.bytes);
        json["kept"].append(entry);
    }
    json["kept_bytes"] = Json::UInt64(plan.statistics.kept_bytes);
    json["transient_bytes"] = Json::UInt64(plan.setup->statistics.transient_bytes);
    return json;
}

Json::Value statistics_json(const PlanStatistics& statistics) {
    Json::Value json;
    json["nodes"] = statistics.nodes;
    json["culled"] = statistics.culled;
    json["constant"] = statistics.constant;
    json["levels"] = statistics.levels;
    json["barrier_batches"] = statistics.batches;
    json["image_barriers"] = statistics.image_barriers;
    json["memory_barriers"] = statistics.memory_barriers;
    json["semaphores"] = statistics.semaphores;
    json["transient_bytes"] = Json::UInt64(statistics.transient_bytes);
    json["unaliased_bytes"] = Json::UInt64(statistics.naive_bytes);
    json["peak_live_bytes"] = Json::UInt64(statistics.peak_bytes);
    return json;
}

} // namespace

std::string plan_json(const Plan& plan, const PlanJsonOptions& options) {
    const VersionNumbers numbers = version_numbers(plan.graph);
    Json::Value root;
    root["title"] = options.title;
    root["device"] = options.device;
    root["options"] = options_text(plan.options);
    root["levels"] = root["resources"] = root["outputs"] = root["blocks"] =
        Json::Value(Json::arrayValue);
    for (const Level& level : plan.levels)
        root["levels"].append(level_json(plan, level, numbers));
    root["submissions"] = submissions_json(plan);
    root["epilogue"] = batch_json(plan, plan.epilogue);
    root["culled"] = culled_json(plan, numbers);
    if (plan.setup) root["setup"] = setup_json(plan, numbers);
    for (std::uint32_t i = 0; i < plan.graph.resources.size(); ++i)
        root["resources"].append(resource_json(plan, i));
    for (const MemoryBlock& block : plan.blocks)
        root["blocks"].append(Json::UInt64(block.size));
    for (const OutputDesc& output : plan.graph.outputs) {
        Json::Value json;
        json["name"] = plan.graph.label(output);
        json["resource"] = plan.graph.versions[output.version.index].resource.index;
        json["version"] = numbers[output.version.index];
        root["outputs"].append(json);
    }
    root["statistics"] = statistics_json(plan.statistics);
    Json::StreamWriterBuilder writer;
    writer["indentation"] = options.indentation;
    return Json::writeString(writer, root) + '\n';
}

} // namespace tuff::cli
