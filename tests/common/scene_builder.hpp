#pragma once

#include <tuff/scene.hpp>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace tuff {

/// Builds small scenes for tests. Its defaults: white, rough, dielectric, single-sided.
class SceneBuilder {
  public:
    static SceneMaterial plain(glm::vec4 base_color = glm::vec4(1.0f), float metallic = 0.0f,
                               float roughness = 1.0f);
    /// Shows its colour whatever the light.
    static SceneMaterial unlit(glm::vec4 color, AlphaMode mode = AlphaMode::opaque);

    std::uint32_t material(SceneMaterial material);
    /// A picture of stored bytes, top row first, looked up without filtering.
    std::int32_t texture(std::uint32_t width, std::uint32_t height,
                         const std::vector<std::array<std::uint8_t, 4>>& texels, bool srgb = false,
                         AddressMode u = AddressMode::repeat, AddressMode v = AddressMode::repeat);

    struct Quad {
        std::array<glm::vec2, 2> uv{glm::vec2(0.0f, 1.0f), glm::vec2(1.0f, 0.0f)}; ///< lower left,
                                                                                   ///< upper right
        std::array<glm::vec2, 2> uv1{glm::vec2(0.0f, 1.0f), glm::vec2(1.0f, 0.0f)};
        glm::vec4 color{1.0f};
        glm::vec4 tangent{1.0f, 0.0f, 0.0f, 1.0f};
    };
    /// The square [-1, 1]^2 at z = 0 that faces +z, placed by `world`. Its picture's upper left
    /// corner, uv (0, 0), is at (-1, 1).
    void quad(std::uint32_t material, const glm::mat4& world, const Quad& quad);
    void quad(std::uint32_t material, const glm::mat4& world) {
        quad_with_defaults(material, world);
    }
    /// The unit ball about the origin with exact normals.
    void sphere(std::uint32_t material, const glm::mat4& world, std::uint32_t rings = 24);

    /// An orthographic camera that sees x and y in [-half_height, half_height] of a square picture
    /// from +z, and depths from z = 10 to z = -10.
    void camera(float half_height);
    void camera(const Camera& camera) { scene_.cameras.push_back({"camera", camera}); }

    SceneData finish() && { return std::move(scene_); }
    const SceneData& peek() const { return scene_; }

  private:
    void quad_with_defaults(std::uint32_t material, const glm::mat4& world);
    void add(std::uint32_t material, const glm::mat4& world, const std::vector<Vertex>& vertices,
             const std::vector<std::uint32_t>& indices);

    SceneData scene_;
};

} // namespace tuff
