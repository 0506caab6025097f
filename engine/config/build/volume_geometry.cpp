#include "config/build/volume_geometry.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace tuff {
namespace {

/// Visits all resources that a version is made from, itself included.
class Ancestry {
  public:
    explicit Ancestry(const GraphDesc& graph)
        : graph_(graph), writers_(graph.versions.size()), seen_versions_(graph.versions.size()),
          seen_nodes_(graph.nodes.size()) {
        for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
            for (const AccessDesc& access : accesses_of(n))
                if (access.written) writers_[access.written.index].push_back(n);
    }

    template <typename Visit>
    void visit(VersionId version, Visit visit) {
        push(version);
        while (!open_.empty()) {
            const VersionId next = open_.back();
            open_.pop_back();
            const ResourceId resource = graph_.versions[next.index].resource;
            visit(resource);
            push(graph_.versions[next.index].previous);
            push_kept(graph_.resources[resource.index]);
            for (const std::uint32_t node : writers_[next.index]) {
                if (seen_nodes_[node]) continue;
                seen_nodes_[node] = true;
                for (const AccessDesc& access : accesses_of(node))
                    push(access.read);
            }
        }
    }

  private:
    std::span<const AccessDesc> accesses_of(std::uint32_t node) const {
        const NodeDesc& desc = graph_.nodes[node];
        return std::span(graph_.accesses).subspan(desc.first_access, desc.access_count);
    }

    void push(VersionId version) {
        if (!version || seen_versions_[version.index]) return;
        seen_versions_[version.index] = true;
        open_.push_back(version);
    }

    /// A history holds what was written in executions before.
    void push_kept(const ResourceDesc& resource) {
        if (resource.lifetime != Lifetime::history || resource.history_age == 0) return;
        for (std::uint32_t v = 0; v < graph_.versions.size(); ++v) {
            const ResourceDesc& other = graph_.resource_of({v});
            if (other.lifetime == Lifetime::history && other.history_age == 0 &&
                other.history_group == resource.history_group)
                push({v});
        }
    }

    const GraphDesc& graph_;
    std::vector<std::vector<std::uint32_t>> writers_; ///< nodes, by version
    std::vector<bool> seen_versions_;
    std::vector<bool> seen_nodes_;
    std::vector<VersionId> open_;
};

} // namespace

std::optional<VolumeGeometry>
geometry_of_version(const GraphDesc& graph, VersionId version,
                    const std::map<ResourceId, VolumeGeometry>& known) {
    if (known.empty() || !version || !graph.resource_of(version).is_image()) return std::nullopt;
    const ImageDesc& made = graph.resource_of(version).image();
    if (made.shape != ImageShape::d3) return std::nullopt;
    std::optional<VolumeGeometry> geometry;
    bool agree = true;
    Ancestry(graph).visit(version, [&](ResourceId resource) {
        const auto found = known.find(resource);
        if (found == known.end() || graph.resources[resource.index].image().extent != made.extent)
            return;
        agree = agree && (!geometry || *geometry == found->second);
        geometry = found->second;
    });
    return agree ? geometry : std::nullopt;
}

} // namespace tuff
