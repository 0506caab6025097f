#include "graph/explain/describe.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

namespace tuff {
namespace {

/// Which of a node's accesses to a resource a hazard is about.
enum class Wanted : std::uint8_t { any, read, write };

std::optional<Access> find_access(const GraphDesc& graph, NodeId node, ResourceId resource,
                                  Wanted wanted) {
    std::optional<Access> found;
    const NodeDesc& desc = graph.nodes[node.index];
    for (std::uint32_t i = 0; i < desc.access_count; ++i) {
        const AccessDesc& access = graph.accesses[desc.first_access + i];
        const VersionId version = access.read ? access.read : access.written;
        if (!version || graph.versions[version.index].resource != resource) continue;
        const bool fits = wanted == Wanted::any ||
                          (wanted == Wanted::read ? reads(access.access) : writes(access.access));
        if (fits) return access.access;
        if (!found) found = access.access;
    }
    return found;
}

std::pair<Wanted, Wanted> wanted_of(Hazard hazard) {
    switch (hazard) {
    case Hazard::read_after_write: return {Wanted::write, Wanted::read};
    case Hazard::write_after_read: return {Wanted::read, Wanted::write};
    case Hazard::write_after_write: return {Wanted::write, Wanted::write};
    default: return {Wanted::any, Wanted::any};
    }
}

/// "blur_x writes tmp"
std::string clause(const Plan& plan, NodeId node, ResourceId resource, std::string_view object,
                   Wanted wanted) {
    const auto access = find_access(plan.graph, node, resource, wanted);
    return fmt::format("{} {} {}", plan.graph.name_of(node), access ? name_of(*access) : "uses",
                       object);
}

/// What stands in for a node before the execution began.
std::string earlier_clause(const ResourceDesc& resource, std::string_view name) {
    switch (resource.lifetime) {
    case Lifetime::imported: return fmt::format("the host hands over {}", name);
    case Lifetime::constant: return fmt::format("{} was filled before the first execution", name);
    case Lifetime::history: return fmt::format("an earlier execution left {}", name);
    case Lifetime::transient: break;
    }
    return fmt::format("an earlier execution used the memory of {}", name);
}

std::string later_clause(const Plan& plan, const BarrierReason& reason) {
    const ResourceDesc& resource = plan.graph.resources[reason.resource.index];
    for (const OutputDesc& output : plan.graph.outputs)
        if (plan.graph.versions[output.version.index].resource == reason.resource)
            return fmt::format("it is handed out as {}{}", output.reader ? "" : "output ",
                               plan.graph.label(output));
    if (resource.lifetime == Lifetime::imported) return "the host wants it back in another state";
    return "the next execution begins with it in this state";
}

std::string reuse_sentence(const Plan& plan, const BarrierReason& reason) {
    const std::string_view name = plan.graph.name_of(reason.resource);
    const std::string user = reason.after
                                 ? clause(plan, reason.after, reason.resource, name, Wanted::any)
                                 : std::string(name);
    if (!reason.reused_from) return fmt::format("{} in memory that held other resources", user);
    const std::string_view former = plan.graph.name_of(reason.reused_from);
    if (!reason.before) return fmt::format("{} in memory that held {}", user, former);
    return fmt::format("{}, {} in the same memory",
                       clause(plan, reason.before, reason.reused_from, former, Wanted::any), user);
}

} // namespace

std::string describe(const Plan& plan, const BarrierReason& reason) {
    if (reason.hazard == Hazard::forced) return "a full barrier before every level was asked for";
    if (reason.hazard == Hazard::reuse) return reuse_sentence(plan, reason);
    if (!reason.resource) return "earlier work must have finished";

    const std::string_view name = plan.graph.name_of(reason.resource);
    const auto [before_wanted, after_wanted] = wanted_of(reason.hazard);
    if (reason.hazard == Hazard::first_use) {
        if (!reason.after) return fmt::format("{} gets its first layout", name);
        return fmt::format("{} for the first time",
                           clause(plan, reason.after, reason.resource, name, Wanted::write));
    }

    const std::string before =
        reason.before ? clause(plan, reason.before, reason.resource, name, before_wanted)
                      : earlier_clause(plan.graph.resources[reason.resource.index], name);
    const std::string after = reason.after
                                  ? clause(plan, reason.after, reason.resource, "it", after_wanted)
                                  : later_clause(plan, reason);
    const bool layout_only = reason.hazard == Hazard::layout && reason.after;
    return fmt::format("{}, {}{}", before, after, layout_only ? " in another layout" : "");
}

} // namespace tuff
