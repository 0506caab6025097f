#pragma once

#include "passes/hair/draw.hpp"
#include "tests/gpu/hair/hair_test.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tuff::testing_gpu {

/// Draws hair of the host into small square pictures.
class HairPictureTest : public HairTest {
  protected:
    static constexpr std::uint32_t kSide = 64; ///< of a picture, texels

    static passes::HairShape shape_of(Graph& g, const HostHair& hair,
                                      std::vector<glm::vec4> tangents = {}) {
        tangents.resize(hair.points.size(), glm::vec4(1.0f, 0.0f, 0.0f, 0.0f));
        const auto groups = bytes_of(std::vector<std::uint32_t>(std::max(hair.count, 1u), 0u));
        return {.positions = vectors_of(g, "places", hair.points),
                .tangents = vectors_of(g, "tangents", tangents),
                .groups =
                    g.constant_buffer("groups", {.size = groups->size(), .stride = 4}, groups),
                .count = hair.count,
                .vertices = hair.vertices};
    }
    /// From +z at distance 2; 1 unit is half a picture at the origin.
    static passes::CameraParameters camera() {
        return {.mode = passes::CameraMode::free,
                .position = {0.0f, 0.0f, 2.0f},
                .target = glm::vec3(0.0f),
                .vertical_fov = 53.130102f}; // two units high at distance 2
    }
    static passes::DrawHair white(Graph& g, const HostHair& hair) {
        passes::DrawHair pass{.shape = shape_of(g, hair)};
        pass.lit =
            vectors_of(g, "lit", std::vector<glm::vec4>(hair.points.size(), glm::vec4(1.0f)));
        pass.width = kSide;
        pass.height = kSide;
        pass.camera = camera();
        pass.tip = 1.0f;
        pass.opacity = 1.0f;
        return pass;
    }
    HostImage drawn(Graph g, const passes::DrawHair& pass) {
        g.output("picture", g.add(pass).result);
        Running running = run(std::move(g));
        return running.image("picture");
    }
};

} // namespace tuff::testing_gpu
