#pragma once

#include "passes/scene/environment.hpp"
#include "passes/scene/mesh_raster.hpp"
#include "tests/common/scene_builder.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/scene/mesh_raster_reference.hpp"

#include <tuff/scene_resources.hpp>

#include <glm/vec3.hpp>

#include <cstdint>
#include <utility>

namespace tuff {

/// What `scene/mesh_raster` made of a scene.
struct Rendered {
    HostImage color;
    HostImage depth;

    bool empty() const { return color.empty() || depth.empty(); }
    /// The colour at a share of the picture's width and height, from its upper left corner.
    glm::dvec3 at(double u, double v) const {
        return texel(index(u, color.extent.width), index(v, color.extent.height));
    }
    glm::dvec3 texel(std::uint32_t x, std::uint32_t y) const {
        const auto value = color.texel(x, y);
        return {value[0], value[1], value[2]};
    }

  private:
    static std::uint32_t index(double share, std::uint32_t size) {
        return std::min(static_cast<std::uint32_t>(share * size), size - 1);
    }
};

/// Draws scenes made by a SceneBuilder, and compares texels.
class MeshRasterTest : public testing_gpu::GpuTest {
  protected:
    /// A dark, square picture through the scene's first camera: no light but the sun, which is
    /// off, and one sample a pixel.
    static passes::MeshRaster dark(std::uint32_t side = 32) {
        passes::MeshRaster pass;
        pass.width = pass.height = side;
        pass.samples = 1;
        pass.camera.mode = passes::CameraMode::file;
        pass.sun.intensity = 0.0f;
        pass.sun.shadows = false;
        pass.ambient = glm::vec3(0.0f);
        return pass;
    }

    Rendered render(SceneData scene, passes::MeshRaster pass) {
        Graph g = graph();
        pass.scene = add_scene(g, "scene", pack_scene(std::move(scene)));
        return render(std::move(g), std::move(pass));
    }
    Rendered render(Graph g, passes::MeshRaster pass) {
        const passes::MeshRaster drawn = g.add(std::move(pass));
        g.output("color", drawn.color);
        g.output("depth", drawn.depth);
        testing_gpu::Running running = start(compile_graph(std::move(g), {.layouts = layouts}));
        running.execute();
        return {running.image("color"), running.image("depth")};
    }

    /// Layer 1.3.239 forgets a chain where layouts are unified and nothing is drawn.
    LayoutMode layouts = LayoutMode::by_device;

    /// Each channel within `share` of the expected value, or within `floor`.
    static void expect_near(glm::dvec3 actual, glm::dvec3 expected, double share,
                            const std::string& what, double floor = 1e-4) {
        for (int c = 0; c < 3; ++c)
            EXPECT_NEAR(actual[c], expected[c], std::max(share * std::abs(expected[c]), floor))
                << what << ", channel " << c;
    }
};

/// Half floats keep 11 bits.
constexpr double kHalfStep = 1.0 / 1024.0;

} // namespace tuff
