#include "passes/fluid/emitter.hpp"

#include <array>
#include <span>

namespace tuff::passes {

void FluidEmitter::describe(PassInfo<FluidEmitter>& info) {
    info.summary("Defines a spherical source of velocity and dye")
        .details("Each step moves velocity and dye towards the emitter's by the share 1 - "
                 "e^(-rate dt). The border of the sphere is one cell wide. In two dimensions z "
                 "is ignored.")
        .complexity("no kernel of its own: O(1) for each cell and emitter, in the passes that "
                    "use it");
    info.parameter("position", &FluidEmitter::position, "center of the sphere")
        .range(-1e6, 1e6)
        .unit("cells");
    info.parameter("radius", &FluidEmitter::radius, "radius of the sphere")
        .range(0.0, 1e6)
        .unit("cells");
    info.parameter("velocity", &FluidEmitter::velocity, "velocity of the source")
        .range(-1e6, 1e6)
        .unit("cells / time unit");
    info.parameter("rate", &FluidEmitter::rate, "rate at which the fluid approaches the source")
        .range(0.0, 1e6)
        .unit("1 / time unit");
    info.parameter("dye", &FluidEmitter::dye,
                   "dye of the source: three colors or amounts, and heat")
        .range(0.0, 1e6);
    info.output("emitter", &FluidEmitter::emitter,
                "the emitter, for the passes that step "
                "fluids and dyes");
}

void FluidEmitter::build(Graph& graph) {
    const EmitterShape shape{
        .position = position, .radius = radius, .velocity = velocity, .rate = rate, .dye = dye};
    if (is_valid(graph, std::span<const EmitterShape>(&shape, 1))) emitter = shape;
}

TUFF_PASS(FluidEmitter)

} // namespace tuff::passes
