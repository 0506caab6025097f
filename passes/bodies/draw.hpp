#pragma once

#include "passes/bodies/step.hpp"
#include "passes/scene/camera_parameters.hpp"

namespace tuff::passes {

enum class BodyColor : std::uint8_t {
    body,
    speed,
    set,   ///< the set of a cell in which the body has a contact
    batch, ///< the last batch that contains the body
    sleep,
};

/// Draws rigid bodies. See `describe`.
struct DrawBodies {
    static constexpr std::string_view kName = "bodies/draw";

    Bodies bodies;
    BodyContacts contacts; ///< optional
    BodyBatches batches;   ///< optional
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    bool smooth = true;
    CameraParameters camera;
    BodyColor color = BodyColor::body;
    float brightest = 10.0f;
    bool floor = true;
    float floor_y = 0.0f;
    float tile = 1.0f;
    std::uint32_t shadows = 2048;
    Image result;

    static void describe(PassInfo<DrawBodies>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::BodyColor> {
    static constexpr std::array<std::string_view, 5> names{"body", "speed", "set", "batch",
                                                           "sleep"};
};
