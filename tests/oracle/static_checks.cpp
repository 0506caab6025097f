#include "tests/oracle/static_checks.hpp"

#include "tests/oracle/access_table.hpp"
#include "tests/oracle/parts.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace tuff::oracle {
namespace {

bool runs(const Plan& plan, NodeId node) {
    return plan.culled[node.index] == CullReason::none;
}

ResourceId resource_of(const GraphDesc& graph, const AccessDesc& access) {
    return graph.versions[access.read.index].resource;
}

/// After the outputs that were asked for a plan may have statuses: of the version that the graph
/// names, or of one before it, where the rest is culled.
bool has_same_outputs(const GraphDesc& graph, const GraphDesc& planned) {
    const std::size_t asked = graph.outputs.size();
    if (planned.outputs.size() < asked || planned.statuses != graph.statuses ||
        !std::ranges::equal(graph.outputs, std::span(planned.outputs).first(asked)))
        return false;
    return std::ranges::all_of(
        std::span(planned.outputs).subspan(asked), [&](const OutputDesc& output) {
            return std::ranges::any_of(graph.statuses, [&](OutputDesc status) {
                while (status.version && status.version != output.version)
                    status.version = planned.versions[status.version.index].previous;
                return status == output;
            });
        });
}

/// All of `graph` is in the plan's own description. The compiler may add nodes that clear transient
/// resources before their first use, and versions for them.
void check_same_graph(const GraphDesc& graph, const GraphDesc& planned, Findings& findings) {
    const bool grown = planned.nodes.size() >= graph.nodes.size() &&
                       planned.accesses.size() >= graph.accesses.size() &&
                       planned.versions.size() >= graph.versions.size();
    if (!grown || planned.resources != graph.resources || !has_same_outputs(graph, planned) ||
        !std::ranges::equal(graph.nodes, std::span(planned.nodes).first(graph.nodes.size()))) {
        findings.add(Fault::malformed, "the plan is not about this graph");
        return;
    }
    for (std::size_t a = 0; a < graph.accesses.size(); ++a) {
        AccessDesc access = planned.accesses[a];
        // What read the undefined start may read what an added clear has made of it.
        if (access.read.index >= graph.versions.size())
            access.read = planned.versions[access.read.index].previous;
        if (access != graph.accesses[a])
            findings.add(Fault::malformed, "access {} is not the one of the graph", a);
    }
    for (std::size_t n = graph.nodes.size(); n < planned.nodes.size(); ++n) {
        const NodeDesc& added = planned.nodes[n];
        const AccessDesc& access = planned.accesses[added.first_access];
        if (added.access_count != 1 || access.access != Access::clear_write ||
            planned.resource_of(access.read).lifetime != Lifetime::transient ||
            planned.versions[access.read.index].previous)
            findings.add(Fault::malformed, "node '{}' is none of the graph's",
                         planned.name(added.name));
    }
}

void check_tables(const Plan& plan, Findings& findings) {
    const GraphDesc& graph = plan.graph;
    const std::size_t resources = graph.resources.size();
    if (plan.culled.size() != graph.nodes.size() ||
        plan.access_layouts.size() != graph.accesses.size() || plan.usages.size() != resources ||
        plan.allocations.size() != resources || plan.boundaries.size() != resources ||
        plan.sharing.size() != resources) {
        findings.add(Fault::malformed, "the plan's tables do not fit the graph");
        return;
    }
    for (const AccessDesc& access : graph.accesses)
        if (!lies_inside(access.range, all_of(graph.resource_of(access.read))))
            findings.add(Fault::malformed, "an access leaves '{}'",
                         graph.name_of(resource_of(graph, access)));
    for (const ImageBarrier& barrier : plan.image_barriers) {
        const ResourceDesc& resource = graph.resources[barrier.resource.index];
        const Range& r = barrier.range;
        if (!resource.is_image() || r.mips == 0 || r.layers == 0 ||
            !lies_inside(r, all_of(resource)))
            findings.add(Fault::malformed, "an image barrier leaves '{}'",
                         graph.name_of(barrier.resource));
    }
}

void check_order_of_nodes(const Plan& plan, Findings& findings) {
    std::vector<std::uint32_t> times(plan.graph.nodes.size(), 0);
    for (const NodeId node : plan.order)
        ++times[node.index];
    for (std::uint32_t n = 0; n < times.size(); ++n)
        if (times[n] != (runs(plan, {n}) ? 1u : 0u))
            findings.add(Fault::malformed, "node '{}' runs {} times and is {}culled",
                         plan.graph.name_of(NodeId{n}), times[n], runs(plan, {n}) ? "not " : "");
    std::uint32_t next_node = 0;
    for (const Level& level : plan.levels) {
        if (level.first_node != next_node)
            findings.add(Fault::malformed, "the levels do not follow each other");
        next_node += level.node_count;
    }
    if (next_node != plan.order.size())
        findings.add(Fault::malformed, "the levels do not hold all nodes");
}

/// Every image barrier stands in one batch.
void check_batches(const Plan& plan, Findings& findings) {
    std::vector<std::uint32_t> times(plan.image_barriers.size(), 0);
    const auto count = [&](std::uint32_t first, std::uint32_t number) {
        for (std::uint64_t i = first; i < std::uint64_t{first} + number; ++i)
            if (i < times.size())
                ++times[i];
            else
                findings.add(Fault::malformed, "there is no image barrier {}", i);
    };
    const auto count_level = [&](const Level& level) {
        count(level.first_image_barrier, level.image_barrier_count);
        count(level.first_release, level.release_count);
    };
    for (const Level& level : plan.levels)
        count_level(level);
    count_level(plan.epilogue);
    if (plan.epilogue.release_count != 0)
        findings.add(Fault::malformed, "nothing comes after the barriers after the epilogue");
    for (std::size_t i = 0; i < times.size(); ++i)
        if (times[i] != 1)
            findings.add(Fault::malformed, "image barrier {} is in {} batches", i, times[i]);
}

/// Those that have one image or buffer are alike in all that it is made of.
void check_objects(const Plan& plan, Findings& findings) {
    const GraphDesc& graph = plan.graph;
    std::map<std::uint32_t, std::uint32_t> first_of_group; // history group -> its first resource
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r) {
        if (graph.resources[r].lifetime == Lifetime::history) {
            const auto first =
                first_of_group.try_emplace(graph.resources[r].history_group, r).first->second;
            if (plan.sharing[r] != plan.sharing[first])
                findings.add(Fault::malformed, "the ages of '{}' are shared unlike each other",
                             graph.name_of(ResourceId{first}));
        }
        const ResourceId object = plan.allocations[r].object;
        if (!object || object == ResourceId{r}) continue;
        const std::string_view name = graph.name_of(ResourceId{r});
        if (object.index >= graph.resources.size()) {
            findings.add(Fault::malformed, "'{}' has the object of no resource", name);
            continue;
        }
        const std::string_view other = graph.name_of(object);
        const ResourceDesc& mine = graph.resources[r];
        const ResourceDesc& theirs = graph.resources[object.index];
        const Allocation& at = plan.allocations[r];
        const Allocation& there = plan.allocations[object.index];
        if (there.object && there.object != object)
            findings.add(Fault::malformed, "'{}' has the object of '{}', which has none itself",
                         name, other);
        if (mine.lifetime != Lifetime::transient || theirs.lifetime != Lifetime::transient)
            findings.add(Fault::placement, "'{}' and '{}' have one object, but are not transient",
                         name, other);
        if (mine.desc != theirs.desc || plan.usages[r] != plan.usages[object.index] ||
            plan.sharing[r] != plan.sharing[object.index])
            findings.add(Fault::placement, "'{}' and '{}' have one object, but are not alike", name,
                         other);
        if (at.block != there.block || at.offset != there.offset)
            findings.add(Fault::placement, "'{}' and '{}' have one object in two places", name,
                         other);
    }
}

/// Marks nodes that something needs, and what those need in turn.
class Need {
  public:
    Need(const Plan& plan, const Parts& parts, const VersionBook& versions, Findings& findings)
        : plan_(plan), parts_(parts), versions_(versions), findings_(findings),
          needed_(plan.graph.nodes.size(), false) {}

    void node(NodeId node, std::string_view by) {
        if (needed_[node.index]) return;
        needed_[node.index] = true;
        pending_.push_back(node);
        if (!runs(plan_, node))
            findings_.add(Fault::culled_though_used, "'{}' is culled, but {} needs it",
                          plan_.graph.name_of(node), by);
    }
    void contents(VersionId version, const Range& range, std::string_view by) {
        const ResourceId resource = plan_.graph.versions[version.index].resource;
        if (std::ranges::find(plan_.kept, resource, &KeptResult::resource) != plan_.kept.end())
            return; // the setup has made it
        for (const std::uint32_t part : parts_.inside(parts_.object_of(resource, 0), range))
            for (const NodeId maker : versions_.makers(version, parts_.all()[part].range))
                node(maker, by);
    }
    void follow() {
        while (!pending_.empty()) {
            const NodeId node = pending_.back();
            pending_.pop_back();
            const NodeDesc& desc = plan_.graph.nodes[node.index];
            for (std::uint32_t i = 0; i < desc.access_count; ++i) {
                const AccessDesc& access = plan_.graph.accesses[desc.first_access + i];
                const bool image = plan_.graph.resource_of(access.read).is_image();
                if (rules_of(access, image).needs_contents)
                    contents(access.read, access.range, plan_.graph.name_of(node));
            }
        }
    }

  private:
    const Plan& plan_;
    const Parts& parts_;
    const VersionBook& versions_;
    Findings& findings_;
    std::vector<bool> needed_;
    std::vector<NodeId> pending_;
};

/// Per resource: whether host nodes that run use it.
std::vector<bool> used_by_host(const Plan& plan) {
    std::vector<bool> used(plan.graph.resources.size(), false);
    for (const NodeId node : plan.order) {
        const NodeDesc& desc = plan.graph.nodes[node.index];
        for (std::uint32_t i = 0; i < desc.access_count; ++i) {
            const AccessDesc& access = plan.graph.accesses[desc.first_access + i];
            if (access.access == Access::host_node_read || access.access == Access::host_node_write)
                used[resource_of(plan.graph, access).index] = true;
        }
    }
    return used;
}

} // namespace

void check_form(const GraphDesc& graph, const Plan& plan, Findings& findings) {
    check_same_graph(graph, plan.graph, findings);
    if (!findings.empty()) return;
    check_tables(plan, findings);
    if (!findings.empty()) return;
    check_order_of_nodes(plan, findings);
    check_batches(plan, findings);
    check_objects(plan, findings);
}

void check_culling(const Plan& plan, const Settings& settings, const VersionBook& versions,
                   Findings& findings) {
    const GraphDesc& graph = plan.graph;
    const Parts parts(plan, settings);
    Need need(plan, parts, versions, findings);
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        const NodeDesc& node = graph.nodes[n];
        if (plan.culled[n] == CullReason::runs_each) continue; // of a setup: executions have it
        if (node.side_effect) need.node({n}, "its side effect");
        for (std::uint32_t i = 0; i < node.access_count; ++i) {
            const AccessDesc& access = graph.accesses[node.first_access + i];
            const Lifetime lifetime = graph.resource_of(access.read).lifetime;
            if (access.written && lifetime == Lifetime::imported) need.node({n}, "the host");
            if (access.written && lifetime == Lifetime::history)
                need.node({n}, "the next execution");
        }
    }
    for (const OutputDesc& output : graph.outputs)
        need.contents(output.version, all_of(graph.resource_of(output.version)),
                      graph.name(output.name));
    need.follow();
}

void check_placement(const Plan& plan, const Settings& settings, Findings& findings) {
    const MemoryModel exact;
    const MemoryModel& model = settings.memory ? *settings.memory : exact;
    const std::vector<bool> by_host = used_by_host(plan);
    for (std::uint32_t r = 0; r < plan.graph.resources.size(); ++r) {
        const ResourceDesc& resource = plan.graph.resources[r];
        if (resource.lifetime != Lifetime::transient || plan.usages[r] == 0) continue;
        const std::string_view name = plan.graph.name_of(ResourceId{r});
        const Allocation& at = plan.allocations[r];
        if (at.block >= plan.blocks.size()) {
            findings.add(Fault::placement, "'{}' has no memory", name);
            continue;
        }
        const MemoryBlock& block = plan.blocks[at.block];
        const MemoryRequirements needs = resource.is_image()
                                             ? model.image(resource.image(), plan.usages[r])
                                             : model.buffer(resource.buffer(), plan.usages[r]);
        if (at.size < needs.size)
            findings.add(Fault::placement, "'{}' has {} bytes of {}", name, at.size, needs.size);
        if (at.offset % needs.alignment != 0 || block.alignment % needs.alignment != 0)
            findings.add(Fault::placement, "'{}' at {} is not aligned to {}", name, at.offset,
                         needs.alignment);
        if (at.offset > block.size || at.size > block.size - at.offset)
            findings.add(Fault::placement, "'{}' at {} leaves its block of {} bytes", name,
                         at.offset, block.size);
        if (block.host_visible != by_host[r])
            findings.add(Fault::placement, "'{}' lies in memory that the host {}", name,
                         block.host_visible ? "maps, without need" : "does not map");
        if (block.type_bits == 0 || (block.type_bits & ~needs.type_bits) != 0)
            findings.add(Fault::placement, "'{}' cannot live in memory types {:#x}", name,
                         block.type_bits);
    }
}

void check_usages(const Plan& plan, Findings& findings) {
    const GraphDesc& graph = plan.graph;
    const auto check = [&](ResourceId resource, UsageMask usage, std::string_view by) {
        if ((usage & ~plan.usages[resource.index]) != 0)
            findings.add(Fault::usage, "'{}' is not created for what {} does with it",
                         graph.name_of(resource), by);
    };
    for (const NodeId node : plan.order) {
        const NodeDesc& desc = graph.nodes[node.index];
        for (std::uint32_t i = 0; i < desc.access_count; ++i) {
            const AccessDesc& access = graph.accesses[desc.first_access + i];
            const ResourceId resource = resource_of(graph, access);
            check(resource, rules_of(access, graph.resources[resource.index].is_image()).usage,
                  graph.name_of(node));
        }
    }
    for (const OutputDesc& output : graph.outputs) {
        const ResourceId resource = graph.versions[output.version.index].resource;
        const bool image = graph.resources[resource.index].is_image();
        check(resource, rules_of(output.access, stage::kNone, image).usage,
              graph.name(output.name));
    }
}

} // namespace tuff::oracle
