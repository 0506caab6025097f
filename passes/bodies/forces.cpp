#include "passes/bodies/step.hpp"

#include <cmath>

namespace tuff::passes {

void BodyForces::describe(PassInfo<BodyForces>& info) {
    info.summary("Applies gravity to rigid bodies and computes their bounds")
        .details("Velocities become (v + g dt) e^(-damping dt). A box is enlarged by "
                 "\"margin\" and by the distance that its body moves in the step, at most "
                 "\"reach\". Contacts within that distance are found before they happen, so "
                 "fast bodies do not pass through thin ones.\n\n"
                 "Bodies without a positive mass never move. A body whose position is not "
                 "finite takes no part. A velocity that is not finite becomes 0. The status "
                 "counts both.")
        .complexity("O(bodies)")
        .cost([](const BodyForces& pass, const Graph&) {
            return Cost{.bytes = 216.0 * pass.source.count,
                        .operations = 200.0 * pass.source.count};
        });
    info.input("source", &BodyForces::source, "the bodies before the step");
    info.optional_input("status", &BodyForces::status, "counts of previous steps, to continue")
        .elements<BodiesStatus>();
    info.parameter("dt", &BodyForces::dt, "length of the step").range(0.0, 1.0).unit("seconds");
    info.parameter("gravity", &BodyForces::gravity, "acceleration of all bodies")
        .range(-1e6, 1e6)
        .unit("m/s^2");
    info.parameter("damping", &BodyForces::damping,
                   "rate of the exponential decay of "
                   "velocities")
        .range(0.0, 1e6)
        .unit("1 / second");
    info.parameter("margin", &BodyForces::margin, "distance by which boxes are enlarged")
        .range(0.0, 1e3)
        .unit("metres")
        .structural();
    info.parameter("reach", &BodyForces::reach, "largest enlargement by speed")
        .range(0.0, 1e3)
        .unit("metres")
        .structural();
    info.output("bodies", &BodyForces::bodies, "the bodies with new velocities");
    info.output("outlines", &BodyForces::outlines, "bounds and inertia of the bodies");
}

void BodyForces::build(Graph& graph) {
    if (!is_valid(graph, source)) return;
    bodies = source;
    ComputeNodeBuilder node = graph.compute("bodies/outline");
    node.read("places", source.places);
    node.read("turns", source.turns);
    node.read("motions", source.motions);
    node.read("shapes", source.shapes);
    node.read("rest", source.rest);
    node.set("count", source.count);
    node.set("dt", dt);
    node.set("gravity", gravity);
    node.set("kept", std::exp(-damping * dt));
    node.set("margin", margin);
    node.set("reach", reach);
    outlines.margin = margin + reach;
    outlines.boxes = node.write("boxes", body_array(graph, "boxes", source.count, 32));
    outlines.masses = node.write("masses", body_array(graph, "masses", source.count, 32));
    bodies.motions = node.write("pushed", body_array(graph, "motions", source.count, 32));
    outlines.status = node.accumulate("status", status ? status : empty_status(graph));
    node.dispatch_each(source.count);
}

TUFF_PASS(BodyForces)

} // namespace tuff::passes
