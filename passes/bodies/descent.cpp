#include "passes/bodies/descent.hpp"

namespace tuff::passes {
namespace {

constexpr std::uint64_t kDescentGroups = 20; // bytes: where the tally has groups for constraints
// Lattices of 46 x 46 x 46 bodies with 18 or 26 neighbours have their colours after 22 rounds,
// those of 12 x 12 x 12 after 25 and 36. With priorities by pcg3d it would be 41 and 57 at 46 x 46
// x 46.
constexpr std::uint32_t kColorRounds = 32;
constexpr std::uint32_t kBodyColors = 12; // a dispatch each; bodies beyond move together
constexpr std::uint32_t kForceQuads = 4;  // a constraint
constexpr float kStiffening = 300.0f; // a metre, times the first stiffness; 1000 burst full piles
constexpr float kStiffest = 1000.0f;  // times the first

} // namespace

Buffer Descent::run(Buffer motions, Buffer impulses, std::uint32_t iterations) {
    impulses_ = impulses;
    graph_of_bodies_ = split_masses(graph_, in_.batches, in_.pairs, in_.bodies);
    begin(motions);
    color();
    for (std::uint32_t i = 0; i < iterations; ++i) {
        for (std::uint32_t c = 0; c < kBodyColors; ++c)
            descend(c);
        descend_rest();
        settle();
    }
    return end(motions);
}

void Descent::begin(Buffer motions) {
    ComputeNodeBuilder node = graph_.compute("bodies/avbd_begin");
    node.read("tally", in_.pairs.tally);
    node.read("keys", in_.batches.keys);
    node.read("heads", in_.heads);
    node.read("rows", in_.rows);
    node.read("masses", in_.masses);
    node.read("impulses", impulses_);
    node.set("all_cells", in_.batches.cell_count());
    node.set("stride", in_.stride);
    node.set("inverse_dt", inverse_dt());
    const std::uint64_t quads = std::uint64_t{kForceQuads} * in_.stride;
    forces_ = node.write("forces", body_array(graph_, "forces", quads, 16));
    stiffnesses_ = node.write("stiffnesses", body_array(graph_, "stiffnesses", quads, 16));
    node.dispatch_indirect(in_.pairs.tally, kDescentGroups);

    ComputeNodeBuilder bodies = graph_.compute("bodies/avbd_bodies");
    bodies.read("motions", motions);
    bodies.read("masses", in_.masses);
    bodies.set("count", in_.bodies);
    bodies.set("dt", in_.dt);
    aims_ = bodies.write("aims", body_array(graph_, "aims", in_.bodies, 32));
    shifts_ = bodies.write("shifts", body_array(graph_, "shifts", in_.bodies, 32));
    colors_ = bodies.write("colors", body_array(graph_, "colors", in_.bodies, 4));
    bodies.dispatch_each(in_.bodies);
}

void Descent::color() {
    for (std::uint32_t round = 0; round < kColorRounds; ++round) {
        ComputeNodeBuilder node = graph_.compute("bodies/body_colors");
        node.read("offsets", graph_of_bodies_.offsets);
        node.read("incidences", graph_of_bodies_.incidences);
        node.read("heads", in_.heads);
        node.read("masses", in_.masses);
        node.read("before", colors_);
        node.set("count", in_.bodies);
        colors_ = node.write("colors", body_array(graph_, "colors", in_.bodies, 4));
        node.dispatch_each(in_.bodies);
    }
}

ComputeNodeBuilder Descent::primal(std::uint32_t color, std::uint32_t rest) {
    ComputeNodeBuilder node =
        graph_.compute("bodies/avbd_primal", {{"REST", rest}}, rest != 0 ? "rest" : "");
    node.read("offsets", graph_of_bodies_.offsets);
    node.read("incidences", graph_of_bodies_.incidences);
    node.read("heads", in_.heads);
    node.read("rows", in_.rows);
    node.read("forces", forces_);
    node.read("stiffnesses", stiffnesses_);
    node.read("masses", in_.masses);
    node.read("colors", colors_);
    node.read("aims", aims_);
    node.set("count", in_.bodies);
    node.set("color", color);
    node.set("stride", in_.stride);
    node.set("inverse_dt", inverse_dt());
    node.set("correction", in_.correction);
    return node;
}

void Descent::descend(std::uint32_t color) {
    ComputeNodeBuilder node = primal(color, 0);
    shifts_ = node.write("shifts", shifts_);
    node.dispatch_each(in_.bodies);
}

/// Bodies that have no colour or one beyond the last.
void Descent::descend_rest() {
    ComputeNodeBuilder node = primal(kBodyColors, 1);
    node.read("shifts", shifts_);
    shifts_ = node.write("moved", body_array(graph_, "shifts", in_.bodies, 32));
    node.dispatch_each(in_.bodies);
}

void Descent::settle() {
    ComputeNodeBuilder node = graph_.compute("bodies/avbd_dual");
    node.read("tally", in_.pairs.tally);
    node.read("keys", in_.batches.keys);
    node.read("heads", in_.heads);
    node.read("rows", in_.rows);
    node.read("shifts", shifts_);
    node.set("all_cells", in_.batches.cell_count());
    node.set("stride", in_.stride);
    node.set("inverse_dt", inverse_dt());
    node.set("correction", in_.correction);
    node.set("growth", kStiffening);
    node.set("most", kStiffest);
    forces_ = node.write("forces", forces_);
    stiffnesses_ = node.write("stiffnesses", stiffnesses_);
    node.dispatch_indirect(in_.pairs.tally, kDescentGroups);
}

Buffer Descent::end(Buffer motions) {
    ComputeNodeBuilder node = graph_.compute("bodies/avbd_end", {{"WHAT", 0}}, "velocities");
    node.read("shifts", shifts_);
    node.read("masses", in_.masses);
    node.read("colors", colors_);
    node.set("count", in_.bodies);
    node.set("dt", in_.dt);
    node.set("colored", kBodyColors);
    in_.status = node.accumulate("status", in_.status);
    const Buffer changed = node.write("motions", motions);
    node.dispatch_each(in_.bodies);

    ComputeNodeBuilder taken = graph_.compute("bodies/avbd_end", {{"WHAT", 1}}, "impulses");
    taken.read("tally", in_.pairs.tally);
    taken.read("keys", in_.batches.keys);
    taken.read("heads", in_.heads);
    taken.read("rows", in_.rows);
    taken.read("forces", forces_);
    taken.set("stride", in_.stride);
    taken.set("all_cells", in_.batches.cell_count());
    taken.set("dt", in_.dt);
    impulses_ = taken.write("impulses", impulses_);
    taken.dispatch_indirect(in_.pairs.tally, kDescentGroups);
    return changed;
}

} // namespace tuff::passes
