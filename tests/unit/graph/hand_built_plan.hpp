#pragma once

#include <tuff/plan.hpp>

#include <string_view>
#include <utility>

namespace tuff::test {

/// Plans written down by hand, so that what tells of a plan is tested apart from what makes it.
class HandBuiltPlan {
  public:
    ResourceId image(std::string_view name, Lifetime lifetime = Lifetime::transient,
                     ImageDesc desc = {.format = Format::rgba16_sfloat, .extent = {640, 360, 1}}) {
        ResourceDesc resource;
        resource.name = intern(name);
        resource.lifetime = lifetime;
        resource.desc = desc;
        plan.graph.resources.push_back(resource);
        plan.graph.versions.push_back({.resource = last_resource()});
        plan.usages.push_back(usage::kSampled);
        plan.allocations.emplace_back();
        return last_resource();
    }

    NodeId node(std::string_view name, NodePayload payload = EmptyNode{}) {
        NodeDesc desc;
        desc.name = intern(name);
        desc.first_access = static_cast<std::uint32_t>(plan.graph.accesses.size());
        desc.payload = static_cast<std::uint32_t>(plan.graph.payloads.size());
        plan.graph.payloads.push_back(std::move(payload));
        plan.graph.nodes.push_back(desc);
        plan.culled.push_back(CullReason::none);
        ++plan.statistics.nodes;
        return NodeId{static_cast<std::uint32_t>(plan.graph.nodes.size() - 1)};
    }

    /// Adds an access to the node added last.
    void reads(VersionId version, Access access) { add({.read = version, .access = access}); }

    VersionId writes(ResourceId resource, Access access) {
        const VersionId before = newest(resource);
        const NodeId writer{static_cast<std::uint32_t>(plan.graph.nodes.size() - 1)};
        plan.graph.versions.push_back({.resource = resource, .previous = before, .writer = writer});
        const VersionId after{static_cast<std::uint32_t>(plan.graph.versions.size() - 1)};
        plan.graph.versions[before.index].next = after;
        add({.read = before, .written = after, .access = access});
        return after;
    }

    VersionId newest(ResourceId resource) const {
        for (auto i = static_cast<std::uint32_t>(plan.graph.versions.size()); i-- > 0;)
            if (plan.graph.versions[i].resource == resource) return {i};
        return {};
    }

    void level(std::initializer_list<NodeId> nodes) {
        Level level;
        level.first_node = static_cast<std::uint32_t>(plan.order.size());
        level.node_count = static_cast<std::uint32_t>(nodes.size());
        level.first_reason = static_cast<std::uint32_t>(plan.reasons.size());
        level.first_image_barrier = static_cast<std::uint32_t>(plan.image_barriers.size());
        plan.order.insert(plan.order.end(), nodes);
        plan.levels.push_back(level);
        ++plan.statistics.levels;
    }

    /// Adds an image barrier to the level added last.
    void image_barrier(ImageBarrier barrier, BarrierReason reason) {
        barrier.resource = reason.resource;
        barrier.reason = static_cast<std::uint32_t>(plan.reasons.size());
        plan.reasons.push_back(reason);
        plan.image_barriers.push_back(barrier);
        ++plan.levels.back().reason_count;
        ++plan.levels.back().image_barrier_count;
    }

    void output(std::string_view name, VersionId version) {
        plan.graph.outputs.push_back({.name = intern(name), .version = version});
    }

    NameRef intern(std::string_view name) {
        const NameRef ref{static_cast<std::uint32_t>(plan.graph.names.size()),
                          static_cast<std::uint32_t>(name.size())};
        plan.graph.names += name;
        return ref;
    }

    Plan plan;

  private:
    ResourceId last_resource() const {
        return {static_cast<std::uint32_t>(plan.graph.resources.size() - 1)};
    }
    void add(AccessDesc access) {
        plan.graph.accesses.push_back(access);
        ++plan.graph.nodes.back().access_count;
    }
};

} // namespace tuff::test
