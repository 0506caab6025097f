#include "passes/fluid/emitter.hpp"

#include <array>
#include <span>

namespace tuff::passes {

void FluidEmitter::describe(PassInfo<FluidEmitter>& info) {
    info.summary("A ball in which fluid takes on a velocity and a dye")
        .details("Velocity and dye go towards the emitter's by a share of 1 - e^(-rate dt) a step. "
                 "The rim is one cell wide. In two dimensions z does not matter.")
        .complexity("no kernel of its own: O(1) for each cell and emitter where it is used");
    info.parameter("position", &FluidEmitter::position, "middle of the ball")
        .range(-1e6, 1e6)
        .unit("cells");
    info.parameter("radius", &FluidEmitter::radius, "of the ball").range(0.0, 1e6).unit("cells");
    info.parameter("velocity", &FluidEmitter::velocity, "of what comes out")
        .range(-1e6, 1e6)
        .unit("cells / time unit");
    info.parameter("rate", &FluidEmitter::rate, "how fast the fluid takes it on")
        .range(0.0, 1e6)
        .unit("1 / time unit");
    info.parameter("dye", &FluidEmitter::dye,
                   "of what comes out: three colours or amounts, and heat")
        .range(0.0, 1e6);
    info.output("emitter", &FluidEmitter::emitter, "for the passes that step fluids and dyes");
}

void FluidEmitter::build(Graph& graph) {
    const EmitterShape shape{
        .position = position, .radius = radius, .velocity = velocity, .rate = rate, .dye = dye};
    if (is_valid(graph, std::span<const EmitterShape>(&shape, 1))) emitter = shape;
}

TUFF_PASS(FluidEmitter)

} // namespace tuff::passes
