#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <string_view>

namespace tuff::passes {

/// The pictures of the parts of a volume, as one picture. See `describe`.
struct CompositeParts {
    static constexpr std::string_view kName = "mpi/composite";

    Image source;
    Buffer eye;
    glm::ivec3 cells{1, 1, 1};
    glm::vec4 background{0.0f, 0.0f, 0.0f, 1.0f};
    bool everywhere = false;
    Image result;

    static void describe(PassInfo<CompositeParts>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
