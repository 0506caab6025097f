#pragma once

#include "passes/fluid/field.hpp"

namespace tuff::passes {

/// How what the flow carries is moved.
enum class AdvectionMethod : std::uint8_t {
    semi_lagrangian, ///< looked up where the flow came from: blurs
    maccormack,      ///< corrected by the way back, within the values around: second order
};

inline constexpr std::uint32_t kMaxDyeScale = 4;

/// What a flow carries, as a bundle: four numbers a cell, by custom three colours and heat.
struct FluidDye {
    static constexpr std::string_view kPortType = "FluidDye";

    Buffer cells;            ///< vec4 a cell, x fastest
    glm::uvec3 dims{0};      ///< cells
    std::uint32_t scale = 1; ///< of its cells to one of the flow, along each axis

    explicit operator bool() const { return bool(cells); }
    std::vector<PortMember> members() const {
        return {{"cells", cells, BufferElements::of<glm::vec4>()}};
    }
};

/// How a dye changes besides being carried, as a parameter group.
struct DyeParameters {
    AdvectionMethod method = AdvectionMethod::maccormack;
    std::uint32_t scale = 1;
    float decay = 0.0f;
    glm::vec4 consumption{0.0f};
    float diffusion = 0.0f;

    static void describe_fields(auto&& field) {
        using D = DyeParameters;
        field("method", &D::method,
              "\"semi_lagrangian\" blurs; \"maccormack\" is of second order, within the values "
              "around where the dye came from")
            .structural();
        field("scale", &D::scale, "cells of the dye to one of the flow, along each axis")
            .range(1, kMaxDyeScale)
            .structural();
        field("decay", &D::decay, "logarithmic rate at which it fades")
            .range(0.0, 1e6)
            .unit("1 / time unit");
        field("consumption", &D::consumption, "what is lost at a constant rate, down to 0: fire")
            .range(0.0, 1e6)
            .unit("1 / time unit");
        field("diffusion", &D::diffusion, "of the dye into itself")
            .range(0.0, 1e6)
            .unit("cells^2 / time unit");
    }
};

/// Moves a dye with a flow by the flow's time. See `describe`.
struct FluidAdvect {
    static constexpr std::string_view kName = "fluid/advect";

    FluidField field;
    FluidDye before;
    std::vector<EmitterShape> emitters;
    DyeParameters dye;
    FluidDye after;

    /// As in `FluidStep`: whether `before` is not looked at, and where the result goes.
    bool from_nothing = false;
    Buffer target;

    static void describe(PassInfo<FluidAdvect>& info);
    void build(Graph& graph);
};

/// Dimensions of a dye over a field of these.
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
