#pragma once

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <string_view>

namespace tuff::passes {

/// A scene with other vertices. See `describe`.
struct SceneWithVertices {
    static constexpr std::string_view kName = "scene/with_vertices";

    Scene source;
    Buffer vertices;

    Scene scene;

    static void describe(PassInfo<SceneWithVertices>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
