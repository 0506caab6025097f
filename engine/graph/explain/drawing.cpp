#include "graph/explain/drawing.hpp"

#include <algorithm>
#include <map>

namespace tuff {
namespace {

class Draughtsman {
  public:
    explicit Draughtsman(const Plan& plan)
        : graph_(plan.graph), plan_(plan), givers_(plan.graph.versions.size()) {}

    Drawing draw() {
        if (plan_.setup) {
            level_nodes(*plan_.setup, BoxKind::once);
            drawing_.first_level += static_cast<std::uint32_t>(plan_.setup->levels.size());
        }
        level_nodes(plan_, BoxKind::pass);
        culled_nodes();
        outputs();
        sources();
        wires();
        for (const DrawnBox& box : drawing_.boxes)
            drawing_.columns = std::max(drawing_.columns, box.column + 1);
        return std::move(drawing_);
    }

  private:
    std::uint32_t add(DrawnBox box) {
        const auto index = static_cast<std::uint32_t>(drawing_.boxes.size());
        for (std::uint32_t p = 0; p < box.ports.size(); ++p)
            if (const VersionId given = box.ports[p].written)
                givers_[given.index].push_back({index, p});
        drawing_.boxes.push_back(std::move(box));
        return index;
    }

    std::vector<DrawnPort> ports_of(NodeId node) const {
        std::vector<DrawnPort> ports;
        const NodeDesc& desc = graph_.nodes[node.index];
        for (std::uint32_t i = 0; i < desc.access_count; ++i) {
            const AccessDesc& access = graph_.accesses[desc.first_access + i];
            const VersionId any = access.read ? access.read : access.written;
            if (!any) continue;
            const DrawnPort port{graph_.versions[any.index].resource, access.read, access.written};
            // Two ranges of one version share a port.
            const auto same = [&](const DrawnPort& other) {
                return other.read == port.read && other.written == port.written;
            };
            if (std::ranges::none_of(ports, same)) ports.push_back(port);
        }
        return ports;
    }

    /// A column for each level, from the one where the levels begin.
    void level_nodes(const Plan& plan, BoxKind kind) {
        for (std::uint32_t l = 0; l < plan.levels.size(); ++l)
            for (std::uint32_t i = 0; i < plan.levels[l].node_count; ++i) {
                const NodeId node = plan.order[plan.levels[l].first_node + i];
                add({kind, node.index, drawing_.first_level + l, ports_of(node)});
            }
    }

    /// One column after all that they take, givers first: declaration order is such an order for
    /// graphs that the builder made, and where it is not a wire is left out.
    void culled_nodes() {
        for (std::uint32_t n = 0; n < plan_.culled.size(); ++n) {
            if (plan_.culled[n] == CullReason::none || plan_.culled[n] == CullReason::runs_once)
                continue;
            DrawnBox box{BoxKind::culled, n, 1, ports_of({n})};
            for (const DrawnPort& port : box.ports)
                if (port.read)
                    for (const DrawnWire::End& giver : givers_[port.read.index])
                        box.column = std::max(box.column, drawing_.boxes[giver.box].column + 1);
            add(std::move(box));
        }
    }

    void outputs() {
        for (std::uint32_t o = 0; o < graph_.outputs.size(); ++o) {
            const VersionId version = graph_.outputs[o].version;
            std::uint32_t column = 1;
            for (const DrawnWire::End& giver : givers_[version.index])
                column = std::max(column, drawing_.boxes[giver.box].column + 1);
            add({BoxKind::output,
                 o,
                 column,
                 {{.resource = graph_.versions[version.index].resource, .read = version}}});
        }
    }

    /// What comes from outside of the execution stands just before its first reader.
    void sources() {
        std::map<std::uint32_t, std::uint32_t> first_column; // by version
        for (const DrawnBox& box : drawing_.boxes)
            for (const DrawnPort& port : box.ports) {
                if (!port.read || !givers_[port.read.index].empty()) continue;
                if (graph_.resources[port.resource.index].lifetime == Lifetime::transient) continue;
                const auto [at, fresh] = first_column.try_emplace(port.read.index, box.column);
                at->second = std::min(at->second, box.column);
            }
        for (const auto& [version, column] : first_column) {
            const ResourceId resource = graph_.versions[version].resource;
            add({BoxKind::source,
                 resource.index,
                 column - 1,
                 {{.resource = resource, .written = {version}}}});
        }
    }

    void wires() {
        std::vector<std::vector<DrawnWire::End>> takers(graph_.versions.size());
        for (std::uint32_t b = 0; b < drawing_.boxes.size(); ++b)
            for (std::uint32_t p = 0; p < drawing_.boxes[b].ports.size(); ++p)
                if (const VersionId read = drawing_.boxes[b].ports[p].read)
                    takers[read.index].push_back({b, p});
        for (std::uint32_t v = 0; v < givers_.size(); ++v)
            for (const DrawnWire::End& giver : givers_[v]) {
                DrawnWire wire{{v}, giver, {}};
                for (const DrawnWire::End& taker : takers[v])
                    if (drawing_.boxes[taker.box].column > drawing_.boxes[giver.box].column)
                        wire.to.push_back(taker);
                if (!wire.to.empty()) drawing_.wires.push_back(std::move(wire));
            }
    }

    const GraphDesc& graph_;
    const Plan& plan_;
    Drawing drawing_;
    std::vector<std::vector<DrawnWire::End>> givers_; ///< per version
};

} // namespace

Drawing drawing_of(const Plan& plan) {
    return Draughtsman(plan).draw();
}

std::vector<std::uint32_t> version_numbers(const GraphDesc& graph) {
    std::vector<std::uint32_t> numbers(graph.versions.size(), 0);
    // Versions are made in the order of their chain.
    for (std::uint32_t v = 0; v < graph.versions.size(); ++v)
        if (const VersionId previous = graph.versions[v].previous; previous && previous.index < v)
            numbers[v] = numbers[previous.index] + 1;
    return numbers;
}

} // namespace tuff
