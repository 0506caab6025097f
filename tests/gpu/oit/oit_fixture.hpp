#pragma once

#include "passes/oit/capture.hpp"
#include "passes/oit/resolve.hpp"
#include "passes/scene/mesh_raster.hpp"
#include "tests/common/scene_builder.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/vec4.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tuff {

/// A rectangle of one colour that faces the camera; the edges are in pixels.
struct Pane {
    double left = 0, right = 0, top = 0, bottom = 0;
    float z = 0; ///< 10 is the nearest that is seen, -10 the farthest
    glm::vec4 color{1.0f};
    std::uint32_t mode = 0; ///< as numbers of oit/capture's "modes"
    std::uint32_t draw = 0; ///< ties are broken by it: lower ones are in front

    bool covers(double x, double y) const { return x > left && x < right && y > top && y < bottom; }
};

/// A picture of panes, and what is before and behind them.
struct PaneScene {
    std::uint32_t width = 32;
    std::uint32_t height = 32;
    std::vector<Pane> panes;
    std::vector<Pane> solids;
    glm::vec4 background{0.125f, 0.25f, 0.5f, 1.0f};
};

/// Panes at whole pixels of `depths` different depths.
PaneScene random_panes(std::mt19937& random, std::uint32_t side, std::uint32_t count,
                       std::uint32_t depths);

/// The picture by a sorter on the CPU, in double precision, at one place of each pixel. Only the
/// `nearest` fragments of a pixel count. `quantize` brings colours to what the lists hold.
using Quantize = glm::dvec4 (*)(glm::vec4);
std::vector<glm::dvec4> blended_by_sorting(const PaneScene& scene, Quantize quantize,
                                           glm::dvec2 place = glm::dvec2(0.5),
                                           std::size_t nearest = ~std::size_t{0});
glm::dvec4 quantized_8bit(glm::vec4 color);
glm::dvec4 quantized_half(glm::vec4 color);
glm::dvec4 quantized_565(glm::vec4 color);

/// The fragments that the panes of a scene have.
std::size_t fragments_of(const PaneScene& scene);

class OitTest : public testing_gpu::GpuTest {
  public:
    /// How a scene is captured and resolved.
    struct Ways {
        passes::OitCapture capture;
        passes::OitResolve resolve;
        std::uint32_t samples = 1;
        std::uint32_t words_beyond = 0; ///< what the fragments' buffer is longer than the pool
    };
    static Ways exact_ways() {
        Ways ways;
        ways.resolve.format = passes::OutputFormat::rgba32_sfloat;
        ways.resolve.tiles = passes::TileChoice::all; // one kernel to compile instead of six
        return ways;
    }

    /// Ready to be captured: the scene, and the opaque part of its picture.
    struct Seen {
        Scene scene;
        passes::SceneView view;
    };
    static Seen see(Graph& graph, const PaneScene& panes, std::uint32_t samples = 1);
    static Seen see(Graph& graph, SceneData scene, std::uint32_t width, std::uint32_t height,
                    std::uint32_t samples, glm::vec4 background);

    struct Drawn {
        HostImage color;
        std::vector<std::uint32_t> heads;
        std::vector<std::uint32_t> fragments;
        passes::OitStatus status;
        passes::FragmentLists lists;
        bool beyond_is_untouched = true;
    };
    Drawn draw(const PaneScene& panes, Ways ways);
    Drawn draw(Graph g, const Seen& seen, Ways ways);

    /// Every texel within `tolerance` of the expected value.
    static void expect_near(const HostImage& got, const std::vector<glm::dvec4>& expected,
                            double tolerance, const std::string& what);
};

} // namespace tuff
