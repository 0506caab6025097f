#pragma once

#include "passes/fluid/advect.hpp"

namespace tuff::passes {

/// Forces that come from a flow and its heat, as a parameter group.
struct FluidForceParameters {
    float confinement = 0.0f;
    glm::vec3 buoyancy{0.0f};

    bool any() const { return confinement != 0.0f || buoyancy != glm::vec3(0.0f); }
    static void describe_fields(auto&& field) {
        using F = FluidForceParameters;
        field("confinement", &F::confinement,
              "vorticity confinement: strengthens vortices that advection damps")
            .range(0.0, 1e6);
        field("buoyancy", &F::buoyancy, "acceleration of a cell per unit of heat in its dye")
            .range(-1e6, 1e6)
            .unit("cells / time unit^2");
    }
};

/// Computes the force on each cell. See `describe`.
struct FluidForces {
    static constexpr std::string_view kName = "fluid/forces";

    FluidField field;
    FluidDye dye;
    FluidForceParameters parameters;
    Buffer forces;

    static void describe(PassInfo<FluidForces>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
