#pragma once

#include "passes/bvh/bvh.hpp"
#include "passes/raytrace/camera_rays.hpp"

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <array>
#include <string_view>

namespace tuff::passes {

/// Which tests of a ray are counted. The numbers are those of shaders/raytrace/heat.comp.
enum class CountedTests : std::uint8_t { boxes, triangles, both };

/// What primary rays cost, pixel by pixel. See `describe`.
struct HeatMap {
    static constexpr std::string_view kName = "raytrace/heat_map";

    Scene scene;
    Bvh bvh;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    CameraParameters camera;
    Traversal traversal = Traversal::automatic;
    TriangleTest test = TriangleTest::watertight;
    CountedTests shown = CountedTests::boxes;
    float most = 100.0f;

    Image color;
    Buffer work;

    static void describe(PassInfo<HeatMap>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::CountedTests> {
    static constexpr std::array<std::string_view, 3> names{"boxes", "triangles", "both"};
};
