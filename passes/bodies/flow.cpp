#include "passes/bodies/flow.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMostFlowGroups = 4096; // more than run at a time
constexpr std::uint64_t kMostTickets = 1u << 31;

/// Points that a contact of these bodies may have, as bodies/contacts finds them: spheres touch
/// anything at one.
std::uint32_t contact_points(const Bodies& bodies) {
    const bool others =
        bodies.has(ShapeKind::capsule) || bodies.has(ShapeKind::box) || bodies.has(ShapeKind::hull);
    return others ? 4 : 1;
}

} // namespace

CellFlow::CellFlow(const Graph& graph, const BodyBatches& batches, SweepMethod method)
    : batches_(batches), waits_(graph.target().forward_progress) {
    const bool wanted = method == SweepMethod::flow || (method == SweepMethod::automatic && waits_);
    // A group may go through all cells.
    flows_ = wanted && batches.sets() > 1 && graph.target().unbounded_loops;
}

// A group that is alone has itself solved whatever it would wait for.
std::uint32_t CellFlow::groups_for(std::uint32_t times) const {
    return waits_ ? std::clamp(times * batches_.cell_count(), 1u, kMostFlowGroups) : 1;
}

bool CellFlow::takes(std::uint32_t times) const {
    const std::uint64_t items = std::uint64_t{times} * batches_.cell_count();
    return flows_ && tickets_ + items + kMostFlowGroups <= kMostTickets;
}

void CellFlow::run(ComputeNodeBuilder& node, std::uint32_t times, const Bodies& bodies) {
    node.specialize("kHasJoints", bodies.joint_count > 0 ? 1u : 0u);
    node.specialize("kPointRoom", contact_points(bodies));
    const std::uint32_t groups = groups_for(times);
    node.set("sets", batches_.sets());
    node.set("set_cells", batches_.set_cells());
    node.set("first_ticket", tickets_);
    node.set("before", solved_);
    progress_ = node.write("progress", progress_);
    node.dispatch(groups);
    const std::uint32_t items = times * batches_.cell_count();
    // Each takes one for which nothing is left, but where there is one for each item.
    tickets_ += groups >= items ? groups : items + groups;
    solved_ += times;
}

} // namespace tuff::passes
