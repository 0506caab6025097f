#pragma once

#include "passes/fluid/field.hpp"

namespace tuff::passes {

/// How the flow advects a dye.
enum class AdvectionMethod : std::uint8_t {
    semi_lagrangian, ///< interpolates where the flow came from: blurs
    maccormack,      ///< corrects the error of the trace, clamped to the values around: second
                     ///< order
};

inline constexpr std::uint32_t kMaxDyeScale = 4;

/// The dye of a flow, as a bundle: four numbers a cell, by convention three colors and heat.
struct FluidDye {
    static constexpr std::string_view kPortType = "FluidDye";

    Buffer cells;            ///< vec4 a cell, x fastest
    glm::uvec3 dims{0};      ///< cells of the whole field
    FluidPart part;          ///< that of the flow
    std::uint32_t scale = 1; ///< cells of the dye per cell of the flow, along each axis

    explicit operator bool() const { return bool(cells); }
    std::vector<PortMember> members() const {
        return {{"cells", cells, BufferElements::of<glm::vec4>()}};
    }
};

/// How a dye changes in addition to advection, as a parameter group.
struct DyeParameters {
    AdvectionMethod method = AdvectionMethod::maccormack;
    std::uint32_t scale = 1;
    float decay = 0.0f;
    glm::vec4 consumption{0.0f};
    float diffusion = 0.0f;

    static void describe_fields(auto&& field) {
        using D = DyeParameters;
        field("method", &D::method,
              "\"semi_lagrangian\" blurs; \"maccormack\" is second order, clamped to the "
              "values around the origin of the dye")
            .structural();
        field("scale", &D::scale, "cells of the dye per cell of the flow, along each axis")
            .range(1, kMaxDyeScale)
            .structural();
        field("decay", &D::decay, "rate of exponential decay")
            .range(0.0, 1e6)
            .unit("1 / time unit");
        field("consumption", &D::consumption, "loss at a constant rate, down to 0, for fire")
            .range(0.0, 1e6)
            .unit("1 / time unit");
        field("diffusion", &D::diffusion, "diffusion of the dye")
            .range(0.0, 1e6)
            .unit("cells^2 / time unit");
    }
};

/// Advects a dye with a flow, for the flow's time. See `describe`.
struct FluidAdvect {
    static constexpr std::string_view kName = "fluid/advect";

    FluidField field;
    FluidDye before;
    std::vector<EmitterShape> emitters;
    DyeParameters dye;
    FluidDye after;

    /// As in `FluidStep`: whether `before` is ignored, and where the result is written.
    bool from_nothing = false;
    Buffer target;

    static void describe(PassInfo<FluidAdvect>& info);
    void build(Graph& graph);
};

/// The halo that advection in parts needs, cells of the flow.
std::int32_t carried_halo(AdvectionMethod method, std::int32_t way);
/// Dimensions of a dye over a field of these dimensions.
glm::uvec3 dye_dims(glm::uvec3 dims, std::uint32_t scale);
/// Reports graph/unconnected, fluid/size-mismatch or primitives/too-short.
[[nodiscard]] bool is_valid(Graph& graph, const FluidDye& dye, const FluidField& field,
                            std::string_view port);
/// Reports pass/out-of-range or fluid/unstable-diffusion for a step of `elapsed`.
[[nodiscard]] bool is_valid(Graph& graph, const DyeParameters& dye, glm::uvec3 dims, float elapsed);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::AdvectionMethod> {
    static constexpr std::array<std::string_view, 2> names{"semi_lagrangian", "maccormack"};
};
