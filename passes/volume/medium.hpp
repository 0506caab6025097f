#pragma once

#include "passes/volume/media.hpp"

namespace tuff::passes {

/// A closed mesh full of a medium. See `describe`.
struct VolumeMedium {
    static constexpr std::string_view kName = "volume/medium";

    TriangleMesh mesh;
    Scene scene; ///< optional
    glm::vec3 extinction{1.0f};
    glm::vec3 albedo{0.0f};
    glm::vec3 emission{0.0f};
    float reflectance = 0.0f;
    MeshMedium medium;

    static void describe(PassInfo<VolumeMedium>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
