#include "plan_json.hpp"

#include "graph/describe.hpp"

#include <json/json.h>

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
    json["text"] = describe(plan, plan.reasons[index]);
    return json;
}

Json::Value image_barrier_json(const Plan& plan, const ImageBarrier& barrier) {
    Json::Value json;
    json["image"] = std::string(plan.graph.name_of(barrier.resource));
    const ResourceDesc& resource = plan.graph.resources[barrier.resource.index];
    if (resource.is_image()) json["range"] = range_text(barrier.range, resource.image());
    json["before"] = scope_json(barrier.source_stages, barrier.source_memory);
    json["after"] = scope_json(barrier.destination_stages, barrier.destination_memory);
    json["from"] = std::string(name_of(barrier.from));
    json["to"] = std::string(name_of(barrier.to));
    if (barrier.reason < plan.reasons.size()) json["reason"] = reason_json(plan, barrier.reason);
    return json;
}

Json::Value batch_json(const Plan& plan, const Level& level) {
    Json::Value json(Json::objectValue);
    if (level.memory.source_stages != 0 || level.memory.destination_stages != 0) {
        json["memory"]["before"] =
            scope_json(level.memory.source_stages, level.memory.source_memory);
        json["memory"]["after"] =
            scope_json(level.memory.destination_stages, level.memory.destination_memory);
    }
    for (std::uint32_t i = 0; i < level.image_barrier_count; ++i)
        json["images"].append(
            image_barrier_json(plan, plan.image_barriers[level.first_image_barrier + i]));
    for (std::uint32_t i = 0; i < level.reason_count; ++i)
        json["reasons"].append(reason_json(plan, level.first_reason + i));
    return json;
}

Json::Value level_json(const Plan& plan, const Level& level) {
    Json::Value json;
    json["barriers"] = batch_json(plan, level);
    json["nodes"] = Json::Value(Json::arrayValue);
    for (std::uint32_t i = 0; i < level.node_count; ++i) {
        const NodeId node = plan.order[level.first_node + i];
        Json::Value entry;
        entry["name"] = std::string(plan.graph.name_of(node));
        entry["work"] = work_text(plan.graph, node);
        json["nodes"].append(entry);
    }
    return json;
}

Json::Value resource_json(const Plan& plan, std::uint32_t index) {
    const ResourceDesc& resource = plan.graph.resources[index];
    Json::Value json;
    json["name"] = std::string(plan.graph.name_of(ResourceId{index}));
    json["lifetime"] = std::string(name_of(resource.lifetime));
    json["contents"] = resource_text(resource);
    if (index >= plan.allocations.size() || plan.allocations[index].block == ~0u) return json;
    const Allocation& allocation = plan.allocations[index];
    json["block"] = allocation.block;
    json["offset"] = Json::UInt64(allocation.offset);
    json["size"] = Json::UInt64(allocation.size);
    json["levels"].append(allocation.first_level);
    json["levels"].append(allocation.last_level);
    return json;
}

Json::Value statistics_json(const PlanStatistics& statistics) {
    Json::Value json;
    json["nodes"] = statistics.nodes;
    json["culled"] = statistics.culled;
    json["levels"] = statistics.levels;
    json["barrier_batches"] = statistics.batches;
    json["image_barriers"] = statistics.image_barriers;
    json["memory_barriers"] = statistics.memory_barriers;
    json["transient_bytes"] = Json::UInt64(statistics.transient_bytes);
    json["unaliased_bytes"] = Json::UInt64(statistics.naive_bytes);
    json["peak_live_bytes"] = Json::UInt64(statistics.peak_bytes);
    return json;
}

} // namespace

std::string plan_json(const Plan& plan) {
    Json::Value root;
    root["levels"] = root["culled"] = root["resources"] = root["outputs"] = root["blocks"] =
        Json::Value(Json::arrayValue);
    for (const Level& level : plan.levels)
        root["levels"].append(level_json(plan, level));
    root["epilogue"] = batch_json(plan, plan.epilogue);
    for (std::uint32_t i = 0; i < plan.culled.size(); ++i)
        if (plan.culled[i] != CullReason::none)
            root["culled"].append(std::string(plan.graph.name_of(NodeId{i})));
    for (std::uint32_t i = 0; i < plan.graph.resources.size(); ++i)
        root["resources"].append(resource_json(plan, i));
    for (const MemoryBlock& block : plan.blocks)
        root["blocks"].append(Json::UInt64(block.size));
    for (const OutputDesc& output : plan.graph.outputs)
        root["outputs"].append(std::string(plan.graph.name(output.name)));
    root["statistics"] = statistics_json(plan.statistics);
    Json::StreamWriterBuilder writer;
    writer["indentation"] = "  ";
    return Json::writeString(writer, root) + '\n';
}

} // namespace tuff::cli
