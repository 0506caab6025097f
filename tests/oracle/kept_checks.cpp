#include "tests/oracle/kept_checks.hpp"

#include "tests/oracle/access_table.hpp"
#include "tests/oracle/scopes.hpp"

#include <algorithm>
#include <set>
#include <variant>

namespace tuff::oracle {
namespace {

class KeptChecks {
  public:
    KeptChecks(const Plan& plan, Findings& findings)
        : plan_(plan), setup_(*plan.setup), graph_(plan.graph), findings_(findings) {
        for (const KeptResult& kept : plan.kept)
            kept_.insert(kept.resource);
    }

    void run() {
        check_parts();
        for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n) {
            if (plan_.culled[n] == CullReason::runs_once) check_constant({n});
            if (plan_.culled[n] == CullReason::none) check_reader({n});
        }
        for (const OutputDesc& output : graph_.outputs)
            check_read(output.version, graph_.name(output.name));
        for (const KeptResult& kept : plan_.kept)
            check_handed_over(kept);
    }

  private:
    ResourceId resource_of(VersionId version) const {
        return graph_.versions[version.index].resource;
    }
    template <typename Visit>
    void for_accesses(NodeId node, Visit visit) const {
        const NodeDesc& desc = graph_.nodes[node.index];
        for (std::uint32_t a = 0; a < desc.access_count; ++a)
            visit(graph_.accesses[desc.first_access + a]);
    }

    void check_parts() {
        if (setup_.graph.nodes != graph_.nodes || setup_.graph.accesses != graph_.accesses ||
            setup_.graph.versions != graph_.versions || setup_.setup || !setup_.kept.empty())
            return findings_.add(Fault::malformed, "the setup is about another graph");
        if (setup_.submissions.size() != 1)
            findings_.add(Fault::bad_submission, "the setup has work for several queues");
        for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n) {
            const bool each = plan_.culled[n] == CullReason::none;
            const bool once = setup_.culled[n] == CullReason::none;
            const bool told_each = setup_.culled[n] == CullReason::runs_each;
            const bool told_once = plan_.culled[n] == CullReason::runs_once;
            if ((each && once) || each != told_each || once != told_once)
                findings_.add(Fault::malformed, "'{}' is not in one of setup and executions",
                              graph_.name_of(NodeId{n}));
        }
    }

    /// Nothing that the node uses changes, and nobody else writes it.
    void check_constant(NodeId node) {
        const NodeDesc& desc = graph_.nodes[node.index];
        const std::string_view name = graph_.name_of(node);
        const bool by_host =
            desc.payload != ~0u &&
            (std::holds_alternative<CustomNode>(graph_.payloads[desc.payload]) ||
             std::holds_alternative<HostNode>(graph_.payloads[desc.payload]) ||
             std::holds_alternative<UploadNode>(graph_.payloads[desc.payload]) ||
             std::holds_alternative<BuildAccelerationNode>(graph_.payloads[desc.payload]));
        if (desc.side_effect || desc.changing || by_host)
            findings_.add(Fault::not_constant, "'{}' runs once, but makes something else each time",
                          name);
        for_accesses(node, [&](const AccessDesc& access) {
            const ResourceId resource = resource_of(access.read);
            const Lifetime lifetime = graph_.resources[resource.index].lifetime;
            if (lifetime == Lifetime::history || lifetime == Lifetime::imported)
                findings_.add(Fault::not_constant, "'{}' runs once, but uses '{}', which changes",
                              name, graph_.name_of(resource));
        });
    }

    /// A node of executions finds what the setup has written last, and does not write there.
    void check_reader(NodeId node) {
        const std::string_view name = graph_.name_of(node);
        for_accesses(node, [&](const AccessDesc& access) {
            check_read(access.read, name);
            if (access.written && written_once(resource_of(access.written)))
                findings_.add(Fault::not_constant, "'{}' writes '{}', which the setup does, too",
                              name, graph_.name_of(resource_of(access.written)));
        });
    }
    bool written_once(ResourceId resource) {
        bool result = false;
        for (std::uint32_t n = 0; n < graph_.nodes.size() && !result; ++n)
            if (plan_.culled[n] == CullReason::runs_once)
                for_accesses({n}, [&](const AccessDesc& access) {
                    result = result || (access.written && resource_of(access.written) == resource);
                });
        return result;
    }
    void check_read(VersionId version, std::string_view by) {
        const ResourceId resource = resource_of(version);
        if (kept_.contains(resource)) {
            if (graph_.versions[version.index].next)
                findings_.add(Fault::wrong_version,
                              "'{}' needs '{}' as it is before the setup writes it again", by,
                              graph_.name_of(resource));
        } else if (written_once(resource)) {
            findings_.add(Fault::not_constant, "'{}' needs '{}', which the setup does not keep", by,
                          graph_.name_of(resource));
        }
    }

    /// The memory is nobody else's, fit for both, and in the state that the other one expects.
    void check_handed_over(const KeptResult& kept) {
        const std::uint32_t r = kept.resource.index;
        const std::string_view name = graph_.name_of(kept.resource);
        if (graph_.resources[r].lifetime != Lifetime::transient ||
            plan_.allocations[r].block != ~0u || setup_.allocations[r].block != ~0u)
            findings_.add(Fault::placement, "'{}' is kept, but has no memory of its own", name);
        for (const Plan* const part : {&plan_, &setup_})
            for (std::uint32_t other = 0; other < part->allocations.size(); ++other)
                if (other != r && part->allocations[other].object == kept.resource)
                    findings_.add(Fault::placement, "'{}' is kept, but others are in its object",
                                  name);
        if (((plan_.usages[r] | setup_.usages[r]) & ~kept.usage) != 0)
            findings_.add(Fault::usage, "'{}' is not created for all that is done with it", name);
        const ResourceDesc& resource = setup_.graph.resources[r];
        const ImportState& state = resource.import;
        const auto covers = [](const Scope& scope) {
            return (single_stages(scope.stages) & single_stages(stage::kAllCommands)) ==
                   single_stages(stage::kAllCommands);
        };
        if (resource.lifetime != Lifetime::imported || !covers(state.first))
            findings_.add(Fault::unordered, "the setup writes '{}' while executions read it", name);
        if (!covers(state.last) || (state.last.memory & memory::kMemoryRead) == 0)
            findings_.add(Fault::invisible, "executions do not see '{}' as the setup left it",
                          name);
        if (resource.is_image() && state.last.layout != plan_.boundaries[r].first.layout)
            findings_.add(
                Fault::wrong_layout, "the setup leaves '{}' in {}, executions find it in {}", name,
                tuff::name_of(state.last.layout), tuff::name_of(plan_.boundaries[r].first.layout));
    }

    const Plan& plan_;
    const Plan& setup_;
    const GraphDesc& graph_;
    Findings& findings_;
    std::set<ResourceId> kept_;
};

} // namespace

void check_kept(const Plan& plan, const Settings& settings, Findings& findings) {
    if (!plan.setup) {
        if (!plan.kept.empty()) findings.add(Fault::malformed, "nobody makes what is kept");
        return;
    }
    KeptChecks(plan, findings).run();
    if (!findings.empty()) return;
    for (const Violation& violation : check(plan.setup->graph, *plan.setup, settings))
        findings.add(violation.fault, "in the setup, {}", violation.text);
}

Plan executions_of(const Plan& plan) {
    Plan executions = plan;
    for (const KeptResult& kept : plan.kept)
        executions.graph.resources[kept.resource.index].lifetime = Lifetime::constant;
    return executions;
}

} // namespace tuff::oracle
