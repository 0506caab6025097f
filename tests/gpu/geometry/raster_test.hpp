#pragma once

#include "tests/gpu/geometry/raster_reference.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

/// What the tests of the compute rasterizer share.
namespace tuff::testing_gpu {

/// A scene to draw: what, from where, and how large the picture is.
struct RasterCase {
    std::string name;
    RasterMesh mesh;
    RasterSetup setup;
};

/// Clip coordinates that are the pixels of a picture: (0, 0) is its upper left corner, z is depth.
glm::mat4 pixels_to_clip(std::uint32_t width, std::uint32_t height);
/// A perspective view from (0, 0, 0) along -z with a near plane at 1 and a far one at 100.
glm::mat4 perspective_view(std::uint32_t width, std::uint32_t height);

/// Triangles at which rasterizers go wrong, in several pictures.
std::vector<RasterCase> raster_cases();
const RasterCase& case_named(const std::vector<RasterCase>& cases, std::string_view name);

class RasterTest : public GpuTest {
  protected:
    static passes::TriangleMesh mesh(Graph& g, const RasterMesh& source, std::string_view name);
    static Image occluder(Graph& g, const RasterSetup& setup, std::string_view name);

    template <typename Pass>
    static Pass pass_of(Graph& g, const RasterCase& one, Pass pass) {
        pass.mesh = mesh(g, one.mesh, one.name);
        pass.width = one.setup.width;
        pass.height = one.setup.height;
        pass.clip_from_mesh = one.setup.clip_from_mesh;
        pass.cull = one.setup.cull;
        pass.occluder = occluder(g, one.setup, one.name);
        return pass;
    }

    /// What two ways have in common.
    static std::vector<RasterFragment> nearest(const RasterReference& reference);
    static std::string difference(const std::vector<RasterFragment>& got,
                                  const std::vector<RasterFragment>& wanted, std::uint32_t width);
    static void expect_status(const passes::RasterStatus& got, const RasterReference& wanted);

    static void output(Graph& g, const std::string& name, const passes::Visibility& visibility) {
        g.output(name + ".keys", visibility.keys);
        g.output(name + ".status", visibility.status);
    }
    static std::vector<RasterFragment> keys(Running& running, const std::string& name) {
        return running.buffer<RasterFragment>(name + ".keys");
    }
    static passes::RasterStatus status(Running& running, const std::string& name) {
        const auto words = running.buffer<std::uint32_t>(name + ".status");
        return words.size() == passes::RasterStatus::kWords ? passes::RasterStatus::read(words)
                                                            : passes::RasterStatus{};
    }

    static void output(Graph& g, const std::string& name, const passes::FragmentLists& lists) {
        g.output(name + ".heads", lists.heads);
        g.output(name + ".fragments", lists.fragments);
        g.output(name + ".count", lists.count);
        g.output(name + ".status", lists.status);
    }
    /// The fragments of each pixel, sorted; those that did not fit are none.
    static std::vector<std::vector<RasterFragment>> lists(Running& running, const std::string& name,
                                                          std::uint32_t capacity);
};

} // namespace tuff::testing_gpu
