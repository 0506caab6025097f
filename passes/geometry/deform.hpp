#pragma once

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <string_view>

namespace tuff::passes {

/// A scene whose vertices move. See `describe`.
struct Deform {
    static constexpr std::string_view kName = "geometry/deform";

    Scene source;
    float time = 0.0f;
    float rate = 0.5f;
    glm::vec3 center{0.0f};
    float twist = 0.0f;
    glm::vec2 bend{0.0f};
    glm::vec2 wave{0.0f};
    float wave_length = 1.0f;

    Scene scene;

    static void describe(PassInfo<Deform>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
