#include "graph/compile/stages.hpp"

#include <algorithm>

namespace tuff {
namespace {

bool is_live(std::span<const CullReason> culled, NodeId node) {
    return culled[node.index] == CullReason::none;
}

bool is_host_node(const GraphDesc& graph, const NodeDesc& node) {
    return node.payload != ~0u && std::holds_alternative<HostNode>(graph.payloads[node.payload]);
}

/// What the node makes may differ from one execution to the next, whatever the others make.
bool changes_by_itself(const GraphDesc& graph, const NodeDesc& node) {
    if (node.side_effect || node.changing) return true;
    if (node.payload != ~0u) {
        const NodePayload& payload = graph.payloads[node.payload];
        if (std::holds_alternative<CustomNode>(payload) || is_host_node(graph, node) ||
            std::holds_alternative<UploadNode>(payload) ||
            std::holds_alternative<BuildAccelerationNode>(payload))
            return true;
    }
    for (std::uint32_t a = 0; a < node.access_count; ++a) {
        const Lifetime lifetime =
            graph.resource_of(graph.accesses[node.first_access + a].read).lifetime;
        if (lifetime == Lifetime::imported || lifetime == Lifetime::history) return true;
    }
    return false;
}

/// Spreads from what changes by itself, until the two parts meet in versions that can be kept.
class Spread {
  public:
    Spread(const GraphDesc& graph, const Dependencies& dependencies, const AccessIndex& index,
           std::span<const CullReason> culled)
        : graph_(graph), dependencies_(dependencies), index_(index), culled_(culled),
          changes_(graph.nodes.size(), false), changed_(graph.resources.size(), false),
          last_(graph.resources.size()) {}

    ConstantPart run() && {
        find_last_versions();
        for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n)
            if (is_live(culled_, {n}) && changes_by_itself(graph_, graph_.nodes[n])) add({n});
        if (pending_.empty()) return {}; // of a still, running it once is the point
        for (const OutputDesc& output : graph_.outputs) {
            read(output.version);
            if (output.access == Access::present) add_writers(resource_of(output.version));
        }
        if (const std::size_t live = count_live(); pending_.size() == live) return {};
        find_consumers();
        while (!pending_.empty()) {
            const NodeId node = pending_.back();
            pending_.pop_back();
            follow(node);
        }
        return result();
    }

  private:
    ResourceId resource_of(VersionId version) const {
        return graph_.versions[version.index].resource;
    }
    std::size_t count_live() const {
        return static_cast<std::size_t>(std::ranges::count(culled_, CullReason::none));
    }

    /// The last version of each resource, none where nodes that are culled would have written it.
    void find_last_versions() {
        for (std::uint32_t v = 0; v < graph_.versions.size(); ++v)
            if (!graph_.versions[v].next) last_[resource_of({v}).index] = {v};
        for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n) {
            if (is_live(culled_, {n})) continue;
            const NodeDesc& node = graph_.nodes[n];
            for (std::uint32_t a = 0; a < node.access_count; ++a) {
                const AccessDesc& access = graph_.accesses[node.first_access + a];
                if (access.written) last_[resource_of(access.written).index] = {};
            }
        }
    }

    void find_consumers() {
        const std::size_t count = graph_.nodes.size();
        first_consumer_.assign(count + 1, 0);
        const auto each = [&](auto visit) {
            for (std::uint32_t n = 0; n < count; ++n) {
                if (!is_live(culled_, {n})) continue;
                for (const NodeId producer : dependencies_.producers[n])
                    visit(producer, NodeId{n});
            }
        };
        each([&](NodeId producer, NodeId) { ++first_consumer_[producer.index + 1]; });
        for (std::size_t n = 0; n < count; ++n)
            first_consumer_[n + 1] += first_consumer_[n];
        consumers_.resize(first_consumer_.back());
        std::vector<std::uint32_t> next(first_consumer_.begin(), first_consumer_.end() - 1);
        each([&](NodeId producer, NodeId node) { consumers_[next[producer.index]++] = node; });
    }

    void add(NodeId node) {
        if (!node || changes_[node.index] || !is_live(culled_, node)) return;
        changes_[node.index] = true;
        pending_.push_back(node);
    }
    void add_writers(ResourceId resource) {
        if (changed_[resource.index]) return;
        changed_[resource.index] = true;
        for (const VersionId version : index_.chains[resource.index])
            for (const std::uint32_t access : index_.writers[version.index])
                add(index_.node_of[access]);
    }
    /// Of what the setup has written executions find the last version.
    void read(VersionId version) {
        const ResourceId resource = resource_of(version);
        if (last_[resource.index] != version) add_writers(resource);
    }
    void follow(NodeId node) {
        for (std::uint32_t i = first_consumer_[node.index]; i < first_consumer_[node.index + 1];
             ++i)
            add(consumers_[i]);
        const NodeDesc& desc = graph_.nodes[node.index];
        const bool of_host = is_host_node(graph_, desc);
        for (std::uint32_t a = 0; a < desc.access_count; ++a) {
            const AccessDesc& access = graph_.accesses[desc.first_access + a];
            if (access.written)
                add_writers(resource_of(access.written));
            else if (of_host)
                add_writers(resource_of(access.read)); // what is kept is not mapped
            else
                read(access.read);
        }
    }

    ConstantPart result() const {
        ConstantPart part;
        part.runs_once.assign(graph_.nodes.size(), false);
        bool any = false;
        for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n) {
            part.runs_once[n] = is_live(culled_, {n}) && !changes_[n];
            any = any || part.runs_once[n];
        }
        if (!any) return {};
        std::vector<bool> kept(graph_.resources.size(), false);
        const auto keep = [&](VersionId version) {
            const ResourceId resource = resource_of(version);
            const bool transient = graph_.resources[resource.index].lifetime == Lifetime::transient;
            if (!transient || changed_[resource.index] || kept[resource.index]) return;
            kept[resource.index] = true;
            part.kept.push_back({.resource = resource, .version = version});
        };
        for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n) {
            if (!changes_[n]) continue;
            const NodeDesc& node = graph_.nodes[n];
            for (std::uint32_t a = 0; a < node.access_count; ++a)
                keep(graph_.accesses[node.first_access + a].read);
        }
        for (const OutputDesc& output : graph_.outputs)
            keep(output.version);
        return part;
    }

    const GraphDesc& graph_;
    const Dependencies& dependencies_;
    const AccessIndex& index_;
    std::span<const CullReason> culled_;
    std::vector<bool> changes_;   ///< per node
    std::vector<bool> changed_;   ///< per resource: whoever writes it runs each time
    std::vector<VersionId> last_; ///< per resource
    std::vector<std::uint32_t> first_consumer_;
    std::vector<NodeId> consumers_; ///< who needs the results of a node
    std::vector<NodeId> pending_;
};

} // namespace

ConstantPart find_constant_work(const GraphDesc& graph, const Dependencies& dependencies,
                                const AccessIndex& index, std::span<const CullReason> culled) {
    return Spread(graph, dependencies, index, culled).run();
}

} // namespace tuff
