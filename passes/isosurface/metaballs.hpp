#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec3.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Makes a field of metaballs. See `describe`.
struct Metaballs {
    static constexpr std::string_view kName = "isosurface/metaballs";

    Buffer balls;
    glm::uvec3 dims{64};
    glm::vec3 spacing{1.0f};
    glm::vec3 origin{0.0f};
    float weight = 1.0f;

    Image field;

    static void describe(PassInfo<Metaballs>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
