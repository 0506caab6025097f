#pragma once

#include <tuff/scene.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace tuff {

/// How much a part has brought into a merged scene, whose parts follow one another.
struct ScenePartSize {
    std::uint32_t draws = 0;
    std::uint32_t transforms = 0;
    std::uint32_t cameras = 0;
    std::uint32_t lights = 0;
    std::uint32_t materials = 0;

    explicit ScenePartSize(const ScenePart& part);
};

/// Where a part goes, and what it is made of.
struct ScenePlacement {
    glm::mat4 placement{1.0f};             ///< finite and affine
    std::optional<SceneMaterial> material; ///< for a part that was merged with one
};

/// The parts of a scene that was merged with all of them in their own worlds, moved to where they
/// belong. Touches no vertices, so the scene may have none.
SceneData place_parts(SceneData merged, std::span<const ScenePartSize> sizes,
                      std::span<const ScenePlacement> placements);

} // namespace tuff
