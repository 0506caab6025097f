#pragma once

#include "passes/lights/cull.hpp"
#include "passes/lights/shade.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/camera.hpp>

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace tuff {

/// A picture of a floor with columns under a sky, traced in double precision, as passes take it.
struct LitPicture {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::shared_ptr<const SceneData> scene; ///< with the camera and nothing else
    std::vector<float> depth;
    std::vector<glm::vec4> normal;
    std::vector<glm::vec4> albedo;

    glm::dmat4 projection() const;
    glm::dmat4 view() const;
    bool shows(std::size_t pixel) const { return depth[pixel] < 1.0f; }
    /// In view space: right, up, away.
    glm::dvec3 seen_at(std::uint32_t x, std::uint32_t y, double depth_of_it) const;
    double distance_at(double depth_of_it) const;
};
LitPicture columns(std::uint32_t width, std::uint32_t height,
                   Projection kind = Projection::perspective);

/// Lights on the host.
struct HostLights {
    std::vector<glm::vec4> spheres;
    std::vector<passes::LightShade> shades;
    std::uint32_t count() const { return static_cast<std::uint32_t>(spheres.size()); }
};
/// Point lights and spots about the columns and the camera.
HostLights random_lights(std::uint32_t count, std::uint32_t seed, float spots = 0.3f,
                         float range = 1.5f);
/// Whether the light, as numbers say it, sends anything to a point of the world.
bool reaches(const HostLights& lights, std::size_t light, glm::dvec3 point);

/// What a surface reflects of one light: glTF's metallic-roughness model, in double precision.
glm::dvec3 reflected_light(const HostLights& lights, std::size_t i, glm::dvec3 point,
                           glm::dvec3 normal, glm::dvec3 view, glm::dvec3 color, double roughness,
                           double metallic);

/// Of each pixel, the lights that reach what it shows, as bits.
class TrueSets {
  public:
    TrueSets(const LitPicture& picture, const HostLights& lights);
    bool has(std::size_t pixel, std::uint32_t light) const {
        return sets_[pixel * words_ + light / 32] >> (light % 32) & 1;
    }
    std::uint32_t words() const { return words_; }
    const std::uint32_t* of(std::size_t pixel) const { return &sets_[pixel * words_]; }

  private:
    std::uint32_t words_;
    std::vector<std::uint32_t> sets_;
};

/// What culling has found, on the host.
struct HostGrid {
    passes::LightGrid grid;
    std::vector<std::uint32_t> masks;
    std::vector<glm::vec4> bounds;
    std::vector<std::uint32_t> status;

    bool has(std::size_t list, std::uint32_t light) const {
        return masks[list * grid.words + light / 32] >> (light % 32) & 1;
    }
    std::size_t tile_of(std::uint32_t x, std::uint32_t y) const {
        return std::size_t{y / grid.side} * grid.tiles_x() + x / grid.side;
    }
    std::size_t list_of(std::uint32_t x, std::uint32_t y, float depth) const {
        const std::size_t tile = tile_of(x, y);
        return tile * grid.lists_a_tile + (grid.lists_a_tile == 2 && depth > bounds[tile].y);
    }
};

class LightsTest : public testing_gpu::GpuTest {
  protected:
    static Scene scene_of(const LitPicture& picture) {
        Scene scene;
        scene.data = picture.scene;
        return scene;
    }
    static Image depth_of(Graph& g, const LitPicture& picture);
    static passes::Lights lights_of(Graph& g, const HostLights& lights);
    /// `pass` with picture, lights and camera.
    static passes::CullLights connected(Graph& g, const LitPicture& picture,
                                        const HostLights& lights, passes::CullLights pass = {});
    static passes::ShadeLights shading(Graph& g, const LitPicture& picture,
                                       const passes::Lights& lights, passes::LightGrid grid);
    HostGrid culled(const LitPicture& picture, const HostLights& lights,
                    const passes::CullLights& pass);
};

} // namespace tuff
