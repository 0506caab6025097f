#pragma once

#include <tuff/graph.hpp>
#include <tuff/plan.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Small graphs of nodes that only declare accesses, and questions to the plans made from them.
namespace tuff::test {

inline const ImageDesc kPicture{.format = Format::rgba8_unorm, .extent = {64, 64}};
/// Bytes of a kPicture.
inline constexpr std::uint64_t kPictureBytes = 64 * 64 * 4;

inline ImageDesc mipped(std::uint32_t mips) {
    ImageDesc desc = kPicture;
    desc.mips = mips;
    return desc;
}

inline std::vector<std::string> codes(const Diagnostics& diagnostics) {
    std::vector<std::string> all;
    for (const Diagnostic& diagnostic : diagnostics)
        all.push_back(diagnostic.code);
    return all;
}

inline std::vector<std::string> codes(const Graph& graph) {
    return codes(graph.peek().diagnostics);
}

template <typename T>
std::vector<std::string> codes(const Result<T>& result) {
    return result ? std::vector<std::string>{} : codes(result.error());
}

/// A graph whose nodes are named by what they are for: `write` adds a node that only writes, `read`
/// one that only reads and is never culled.
class Sketch {
  public:
    Image image(std::string_view name, const ImageDesc& desc = kPicture) {
        return graph.image(name, desc);
    }
    Buffer buffer(std::string_view name, std::uint64_t size = 1024) {
        return graph.buffer(name, {.size = size});
    }

    template <typename Resource>
    Resource write(std::string_view node, Resource target, Access access = Access::storage_write,
                   StageMask stages = stage::kCompute) {
        return graph.custom(node).write(target, access, stages);
    }
    Image write(std::string_view node, ImageView target, Access access = Access::storage_write) {
        return graph.custom(node).write(target, access, stage::kCompute);
    }
    Buffer write(std::string_view node, BufferView target, Access access = Access::storage_write) {
        return graph.custom(node).write(target, access, stage::kCompute);
    }

    template <typename View>
    void read(std::string_view node, View source, Access access = Access::storage_read,
              StageMask stages = stage::kCompute) {
        auto builder = graph.custom(node);
        builder.read(source, access, stages);
        builder.keep();
    }

    /// A node that reads `source` and writes all of a `target` of its own kind.
    template <typename Source, typename Target>
    auto step(std::string_view node, Source source, Target target,
              Access how = Access::storage_read) {
        auto builder = graph.custom(node);
        builder.read(source, how, stage::kCompute);
        return builder.write(target, Access::storage_write, stage::kCompute);
    }

    Result<Plan> compile(const CompileOptions& options = {}) {
        return tuff::compile(std::move(graph).finish(), DeviceCaps{}, options);
    }
    /// The plan of a graph that must compile.
    Plan plan(const CompileOptions& options = {}) {
        Result<Plan> compiled = compile(options);
        if (!compiled) {
            ADD_FAILURE() << to_string(compiled.error());
            return {};
        }
        return *std::move(compiled);
    }

    Graph graph;
};

// --- questions to a plan -------------------------------------------------------------------------

inline NodeId node_named(const GraphDesc& graph, std::string_view name) {
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
        if (graph.name_of(NodeId{n}) == name) return {n};
    ADD_FAILURE() << "no node is named " << name;
    return {0};
}

inline ResourceId resource_named(const GraphDesc& graph, std::string_view name) {
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r)
        if (graph.name_of(ResourceId{r}) == name) return {r};
    ADD_FAILURE() << "no resource is named " << name;
    return {0};
}

inline std::vector<std::string> names_of(const GraphDesc& graph, std::span<const NodeId> nodes) {
    std::vector<std::string> names;
    for (const NodeId node : nodes)
        names.emplace_back(graph.name_of(node));
    return names;
}

/// The names of the nodes of each level.
inline std::vector<std::vector<std::string>> levels_of(const Plan& plan) {
    std::vector<std::vector<std::string>> levels;
    for (const Level& level : plan.levels)
        levels.push_back(names_of(
            plan.graph, std::span(plan.order).subspan(level.first_node, level.node_count)));
    return levels;
}

inline std::uint32_t level_index(const Plan& plan, std::string_view node) {
    const NodeId id = node_named(plan.graph, node);
    for (std::uint32_t l = 0; l < plan.levels.size(); ++l) {
        const auto nodes =
            std::span(plan.order).subspan(plan.levels[l].first_node, plan.levels[l].node_count);
        if (std::ranges::find(nodes, id) != nodes.end()) return l;
    }
    ADD_FAILURE() << node << " does not run";
    return 0;
}

/// The batch before the level of `node`.
inline const Level& batch_before(const Plan& plan, std::string_view node) {
    return plan.levels[level_index(plan, node)];
}

inline bool is_culled(const Plan& plan, std::string_view node) {
    return plan.culled[node_named(plan.graph, node).index] != CullReason::none;
}

inline const Allocation& place_of(const Plan& plan, std::string_view resource) {
    return plan.allocations[resource_named(plan.graph, resource).index];
}

inline bool share_bytes(const Allocation& a, const Allocation& b) {
    return a.block == b.block && a.block != ~0u && a.offset < b.offset + b.size &&
           b.offset < a.offset + a.size;
}

/// The layout in which `node` finds its access number `access`.
inline Layout layout_in(const Plan& plan, std::string_view node, std::uint32_t access = 0) {
    const NodeDesc& desc = plan.graph.nodes[node_named(plan.graph, node).index];
    return plan.access_layouts[desc.first_access + access];
}

/// An image barrier as tests write it down beside the node.
struct Transition {
    Layout from = Layout::undefined;
    Layout to = Layout::undefined;
    StageMask source_stages = 0;
    MemoryMask source_memory = 0;
    StageMask destination_stages = 0;
    MemoryMask destination_memory = 0;
    friend bool operator==(const Transition&, const Transition&) = default;
};

inline std::vector<ImageBarrier> image_barriers(const Plan& plan, const Level& batch) {
    const auto first = plan.image_barriers.begin() + batch.first_image_barrier;
    return {first, first + batch.image_barrier_count};
}

inline std::vector<Transition> transitions(const Plan& plan, const Level& batch) {
    std::vector<Transition> all;
    for (const ImageBarrier& b : image_barriers(plan, batch))
        all.push_back({b.from, b.to, b.source_stages, b.source_memory, b.destination_stages,
                       b.destination_memory});
    return all;
}

inline std::vector<BarrierReason> reasons(const Plan& plan, const Level& batch) {
    const auto first = plan.reasons.begin() + batch.first_reason;
    return {first, first + batch.reason_count};
}

/// The sentences that `explain` shows for a batch.
inline std::vector<std::string> explanations(const Plan& plan, const Level& batch) {
    std::vector<std::string> all;
    for (const BarrierReason& reason : reasons(plan, batch))
        all.push_back(describe(plan, reason));
    return all;
}

} // namespace tuff::test

namespace tuff {

inline void PrintTo(Layout layout, std::ostream* out) {
    *out << name_of(layout);
}

inline void PrintTo(const MemoryBarrier& b, std::ostream* out) {
    *out << std::hex << "stages 0x" << b.source_stages << " memory 0x" << b.source_memory
         << " -> stages 0x" << b.destination_stages << " memory 0x" << b.destination_memory
         << std::dec;
}

} // namespace tuff

namespace tuff::test {

inline void PrintTo(const Transition& t, std::ostream* out) {
    *out << name_of(t.from) << " -> " << name_of(t.to) << ", ";
    tuff::PrintTo(
        MemoryBarrier{t.source_stages, t.source_memory, t.destination_stages, t.destination_memory},
        out);
}

} // namespace tuff::test
