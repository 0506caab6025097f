#pragma once

#include "passes/geometry/triangles.hpp"
#include "passes/raytrace/path_trace.hpp"
#include "passes/raytrace/whitted.hpp"
#include "passes/scene/environment.hpp"
#include "tests/common/scene_builder.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/scene_resources.hpp>

#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x4.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tuff {

inline glm::mat4 moved(float x, float y, float z) {
    return glm::translate(glm::mat4(1.0f), {x, y, z});
}
inline glm::mat4 turned(float degrees, glm::vec3 axis) {
    return glm::rotate(glm::mat4(1.0f), glm::radians(degrees), glm::normalize(axis));
}
inline glm::mat4 scaled(float factor) {
    return glm::scale(glm::mat4(1.0f), glm::vec3(factor));
}

/// Traces scenes made by a SceneBuilder.
class RaytraceTest : public testing_gpu::GpuTest {
  protected:
    /// A square picture through the scene's first camera, without any light.
    template <typename Pass>
    static Pass dark(std::uint32_t side = 16) {
        Pass pass;
        pass.width = pass.height = side;
        pass.camera.mode = passes::CameraMode::file;
        pass.sun.intensity = 0.0f;
        pass.ambient = glm::vec3(0.0f);
        return pass;
    }

    /// A plan that traces `pass` over `scene`; its output is "color".
    template <typename Pass>
    Graph traced(const SceneAsset& scene, Pass pass) {
        Graph g = graph();
        pass.scene = add_scene(g, "scene", scene);
        g.output("color", g.add(std::move(pass)).color);
        return g;
    }
    template <typename Pass>
    HostImage trace(SceneData scene, Pass pass, unsigned times = 1) {
        testing_gpu::Running running =
            run(traced(pack_scene(std::move(scene)), std::move(pass)), times);
        return running ? running.image("color") : HostImage{};
    }

    static glm::dvec3 at(const HostImage& image, std::uint32_t x, std::uint32_t y) {
        const auto texel = image.texel(x, y);
        return {texel[0], texel[1], texel[2]};
    }
    static glm::dvec3 mean(const HostImage& image) {
        glm::dvec3 sum(0.0);
        for (std::uint32_t y = 0; y < image.extent.height; ++y)
            for (std::uint32_t x = 0; x < image.extent.width; ++x)
                sum += at(image, x, y);
        return sum / (static_cast<double>(image.extent.width) * image.extent.height);
    }

    /// A constant panorama of this radiance.
    static Image even_panorama(Graph& g, float radiance) {
        return g.constant_image(
            "panorama", {.format = Format::rgba32_sfloat, .extent = {8, 4, 1}},
            testing_gpu::bytes_of(std::vector<glm::vec4>(32, glm::vec4(glm::vec3(radiance), 1))));
    }
};

} // namespace tuff
