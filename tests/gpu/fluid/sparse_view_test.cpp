#include "passes/fluid/sparse_draw.hpp"
#include "passes/fluid/sparse_view.hpp"
#include "tests/gpu/fluid/fluid_test.hpp"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

/// fluid/sparse_view: pictures of smoke in bricks.
namespace tuff {
namespace {

using passes::CameraMode;
using passes::FluidPrecision;
using passes::SparseFluid;
using passes::SparseStorage;
using passes::SparseView;
using testing_gpu::Cells;
using testing_gpu::Running;

class SparseViews : public testing_gpu::FluidTest {
  protected:
    /// Smoke that stays as it is.
    static SparseFluid still(Graph& g, glm::uvec3 dims, const Cells& dye, SparseStorage storage,
                             FluidPrecision precision = FluidPrecision::full) {
        SparseFluid pass{.dims = dims,
                         .parameters = {.storage = storage},
                         .precision = precision,
                         .iterations = 1};
        pass.initial_dye = buffer_of(g, "dye", dye);
        return g.add(pass, "smoke");
    }
    static Cells cloud(glm::uvec3 dims) {
        return cells_of(dims, [](glm::ivec3 p) {
            const glm::vec3 off = glm::vec3(p) - glm::vec3(20.0f, 18.0f, 22.0f);
            const float near = std::max(1.0f - glm::length(off) / 13.0f, 0.0f);
            const glm::vec3 far = glm::vec3(p) - glm::vec3(40.0f, 30.0f, 10.0f);
            const float second = std::max(1.0f - glm::length(far) / 6.0f, 0.0f);
            return glm::vec4(near, 0.7f * near + second, near * second, 0.5f * near);
        });
    }
};

TEST_F(SparseViews, PicturesAreThoseOfOneBrickWithAndWithoutEarlyEnds) {
    const glm::uvec3 dims(48, 40, 32);
    const Cells dye = cloud(dims);
    Graph g = graph();
    const auto picture = [&](const std::string& name, SparseStorage storage, float opaque,
                             FluidPrecision precision = FluidPrecision::full) {
        const SparseFluid smoke = still(g, dims, dye, storage, precision);
        SparseView view{.smoke = smoke.smoke, .width = 61, .height = 43, .opaque = opaque};
        view.camera.azimuth = 25.0f;
        view.look.extinction = 1.5f;
        g.output(name, g.add(view).result);
    };
    picture("sparse", SparseStorage::atlas, 0.0f);
    picture("full", SparseStorage::full, 0.0f);
    picture("dense", SparseStorage::dense, 0.0f);
    picture("early", SparseStorage::atlas, 1.0f / 255.0f);
    picture("half", SparseStorage::atlas, 0.0f, FluidPrecision::half);
    // Twice, so that there are bricks around the smoke, with light in them.
    Running running = run(std::move(g), 2);
    ASSERT_TRUE(running);
    const HostImage dense = running.image("dense");
    const auto greatest = [&](const std::string& name) {
        const HostImage image = running.image(name);
        float most = 0.0f;
        for (std::uint32_t y = 0; y < 43; ++y)
            for (std::uint32_t x = 0; x < 61; ++x)
                for (std::size_t c = 0; c < 3; ++c)
                    most = std::max(most, std::abs(image.texel(x, y)[c] - dense.texel(x, y)[c]));
        return most;
    };
    float brightest = 0.0f;
    for (std::uint32_t x = 0; x < 61; ++x)
        brightest = std::max(brightest, dense.texel(x, 22)[0]);
    EXPECT_GT(brightest, 0.3f);
    EXPECT_LE(greatest("sparse"), 2.0f / 255.0f);
    EXPECT_LE(greatest("full"), 2.0f / 255.0f);
    EXPECT_LE(greatest("half"), 4.0f / 255.0f);
    EXPECT_LE(greatest("early"), 4.0f / 255.0f); // what is behind 1/255 is brighter than 1
    EXPECT_GT(greatest("early"), 0.0f);
}

TEST_F(SparseViews, BricksDrawnInBucketsAreThePictureOfRays) {
    const glm::uvec3 dims(48, 40, 32);
    const Cells dye = cloud(dims);
    for (const FluidPrecision precision : {FluidPrecision::full, FluidPrecision::half}) {
        Graph g = graph();
        const SparseFluid smoke = still(g, dims, dye, SparseStorage::atlas, precision);
        SparseView view{.smoke = smoke.smoke, .width = 61, .height = 43, .opaque = 0.0f};
        passes::SparseDraw draw{.smoke = smoke.smoke, .width = 61, .height = 43};
        for (auto* camera : {&view.camera, &draw.camera})
            camera->azimuth = 25.0f;
        view.look.extinction = draw.look.extinction = 0.6f;
        g.output("rays", g.add(view, "rays").result);
        for (const std::uint32_t buckets : {1u, 2u, 7u}) {
            draw.buckets = buckets;
            draw.opaque = buckets == 7 ? 1.0f / 255.0f : 0.0f;
            const std::string name = std::to_string(buckets);
            g.output(name, g.add(draw, "draw" + name).result);
        }
        // From within the smoke.
        view.camera.mode = draw.camera.mode = CameraMode::free;
        view.camera.position = draw.camera.position = {-0.1f, -0.05f, 0.2f};
        view.camera.target = draw.camera.target = {-0.4f, 0.1f, -0.3f};
        view.camera.near_plane = draw.camera.near_plane = 1e-3f;
        view.camera.far_plane = draw.camera.far_plane = 10.0f;
        g.output("within rays", g.add(view, "within_rays").result);
        g.output("within", g.add(draw, "within").result);
        Running running = run(std::move(g), 2);
        ASSERT_TRUE(running);
        const auto expect_alike = [&](const std::string& a, const std::string& b, float most) {
            const HostImage first = running.image(a);
            const HostImage second = running.image(b);
            float sum = 0.0f;
            for (std::uint32_t y = 0; y < 43; ++y)
                for (std::uint32_t x = 0; x < 61; ++x)
                    for (std::size_t c = 0; c < 3; ++c) {
                        ASSERT_NEAR(first.texel(x, y)[c], second.texel(x, y)[c], most)
                            << b << " at " << x << ", " << y;
                        sum += first.texel(x, y)[c];
                    }
            EXPECT_GT(sum, 61.0f * 43.0f * 3.0f * 0.04f);
        };
        // Sums of 16 bits, and a step on the other side of a brick's face.
        expect_alike("rays", "1", 3.0f / 255.0f);
        expect_alike("rays", "2", 3.0f / 255.0f);
        expect_alike("rays", "7", 5.0f / 255.0f);
        expect_alike("within rays", "within", 5.0f / 255.0f);
    }
}

TEST_F(SparseViews, ASlabLetsThroughWhatTheLawSays) {
    const glm::uvec3 dims(32, 32, 48);
    const Cells dye = cells_of(dims, [](glm::ivec3 p) {
        return glm::vec4(glm::vec3(p.z >= 13 && p.z < 35 ? 0.8f : 0.0f), 0.0f);
    });
    for (const float extinction : {0.02f, 0.1f}) {
        Graph g = graph();
        const SparseFluid smoke = still(g, dims, dye, SparseStorage::atlas);
        SparseView view{.smoke = smoke.smoke, .width = 33, .height = 33};
        view.camera.mode = CameraMode::free;
        view.camera.position = {0.0f, 0.0f, 6.0f};
        view.look.step = 0.25f;
        view.look.extinction = extinction;
        view.look.albedo = glm::vec3(0.0f);
        view.look.background = glm::vec3(1.0f);
        g.output("picture", g.add(view).result);
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const double kept = double{running.image("picture").texel(16, 16)[0]};
        // A step more or less, and the picture's 11 bits.
        EXPECT_NEAR(std::log(kept), -0.8 * double{extinction} * 22.0,
                    0.8 * double{extinction} * 0.25 + 1e-3);
    }
}

TEST_F(SparseViews, TheOverlayShowsActiveBricksAlone) {
    const glm::uvec3 dims(64);
    const Cells dye = cells_of(dims, [](glm::ivec3 p) {
        const bool inside = glm::all(glm::greaterThanEqual(p, glm::ivec3(34))) &&
                            glm::all(glm::lessThan(p, glm::ivec3(38)));
        return inside ? glm::vec4(1e-2f) : glm::vec4(0.0f);
    });
    Graph g = graph();
    const SparseFluid smoke = still(g, dims, dye, SparseStorage::atlas);
    SparseView view{.smoke = smoke.smoke, .width = 128, .height = 128, .overlay = 1.0f};
    view.camera.mode = CameraMode::free;
    view.camera.position = {0.0f, 0.0f, 4.0f};
    view.look.background = glm::vec3(0.0f);
    g.output("picture", g.add(view).result);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostImage picture = running.image("picture");
    // The brick from 32 to 40: to the right of the middle, and above it.
    std::uint32_t green = 0;
    for (std::uint32_t y = 0; y < 128; ++y)
        for (std::uint32_t x = 0; x < 128; ++x) {
            if (picture.texel(x, y)[1] < 0.2f) continue;
            ++green;
            ASSERT_GE(x, 62u);
            ASSERT_LE(x, 88u);
            ASSERT_GE(y, 40u);
            ASSERT_LE(y, 66u);
        }
    EXPECT_GT(green, 15u);
    EXPECT_LT(green, 400u);
}

TEST_F(SparseViews, WhatIsBehindShinesThroughTheSmokeBeforeItAndHidesTheRest) {
    // A slab of even smoke, z from 13 to 35 of 48 cells, that the camera sees from along z.
    constexpr float kExtinction = 0.05f;
    constexpr float kAmount = 0.8f;
    constexpr float kEye = 6.0f; // of units of 24 cells, from the middle of the domain
    constexpr float kNear = 0.1f, kFar = 20.0f;
    const glm::uvec3 dims(32, 32, 48);
    const Extent size{34, 34, 1}; // no ray goes along the sides of bricks
    const glm::vec3 color(0.25f, 1.0f, 0.5f);
    const Cells dye = cells_of(dims, [](glm::ivec3 p) {
        return glm::vec4(glm::vec3(p.z >= 13 && p.z < 35 ? kAmount : 0.0f), 0.0f);
    });
    // Surfaces across the view, in cells: in front of the slab, twice within it, and behind it.
    const std::array<float, 4> places{40.0f, 30.0f, 20.0f, 5.0f};
    for (const FluidPrecision precision : {FluidPrecision::full, FluidPrecision::half}) {
        Graph g = graph();
        const SparseFluid smoke = still(g, dims, dye, SparseStorage::atlas, precision);
        SparseView view{.smoke = smoke.smoke, .width = size.width, .height = size.height};
        view.camera.mode = CameraMode::free;
        view.camera.position = {0.0f, 0.0f, kEye};
        view.camera.near_plane = kNear;
        view.camera.far_plane = kFar;
        view.look = {.step = 0.25f,
                     .extinction = kExtinction,
                     .albedo = glm::vec3(0.0f),
                     .glow = 0.0f,
                     .background = {1.0f, 0.0f, 0.0f}};
        passes::SparseDraw draw{.smoke = view.smoke,
                                .width = view.width,
                                .height = view.height,
                                .camera = view.camera,
                                .look = view.look,
                                .buckets = 3};
        const auto add_both = [&](const std::string& name) {
            g.output("rays" + name, g.add(view, "rays" + name).result);
            g.output("drawn" + name, g.add(draw, "drawn" + name).result);
        };
        for (std::size_t i = 0; i < places.size(); ++i) {
            const std::string name = std::to_string(i);
            const float z = kEye - (places[i] - 24.0f) / 24.0f;
            const float clip = kFar / (kFar - kNear) * (1.0f - kNear / z);
            view.behind = draw.behind =
                g.clear(g.image("color" + name, {.format = Format::rgba32_sfloat, .extent = size}),
                        std::array<float, 4>{color.x, color.y, color.z, 1.0f});
            view.behind_depth = draw.behind_depth =
                g.clear(g.image("depth" + name, {.format = Format::r32_sfloat, .extent = size}),
                        std::array<float, 4>{clip, 0.0f, 0.0f, 0.0f});
            add_both(name);
        }
        // A picture with holes, and nothing that ends rays.
        view.behind_depth = draw.behind_depth = {};
        view.behind = draw.behind =
            g.clear(g.image("clear", {.format = Format::rgba32_sfloat, .extent = size}),
                    std::array<float, 4>{color.x, color.y, color.z, 0.0f});
        add_both("4");
        view.behind = draw.behind = {};
        add_both("5");
        Running running = run(std::move(g), 2);
        ASSERT_TRUE(running);
        for (const std::string way : {"rays", "drawn"})
            for (std::size_t i = 0; i < 6; ++i) {
                SCOPED_TRACE(way + std::to_string(i));
                const HostImage picture = running.image(way + std::to_string(i));
                const float to = i < places.size() ? places[i] : 0.0f;
                const float length = 35.0f - std::clamp(to, 13.0f, 35.0f);
                // Near the middle, and a place beside it, where rays are longer.
                for (const std::uint32_t x : {16u, 19u}) {
                    const auto texel = picture.texel(x, 16);
                    const float up = std::tan(glm::radians(0.5f * view.camera.vertical_fov));
                    const float right = up * (static_cast<float>(x) - 16.5f) / 17.0f;
                    const float down = up * 0.5f / 17.0f;
                    const float slant = std::sqrt(1.0f + right * right + down * down);
                    const float kept = std::exp(-kAmount * kExtinction * length * slant);
                    // A step more or less, and the picture's 11 bits.
                    const float most = kept * kAmount * kExtinction * 0.25f + 2e-3f;
                    const glm::vec3 around = i == 5 ? glm::vec3(1.0f, 0.0f, 0.0f) : color;
                    for (int c = 0; c < 3; ++c)
                        EXPECT_NEAR(texel[std::size_t(c)], kept * around[c], most);
                    EXPECT_NEAR(texel[3], i == 4 ? 1.0f - kept : 1.0f, most);
                }
            }
    }
}

TEST_F(SparseViews, WhatIsBehindHasTheSizeOfThePicture) {
    Graph g = graph();
    const SparseFluid smoke = g.add(SparseFluid{.dims = glm::uvec3(16)});
    const Image small = g.image("small", {.format = Format::r32_sfloat, .extent = {8, 8, 1}});
    g.add(SparseView{.smoke = smoke.smoke, .behind = small});
    g.add(passes::SparseDraw{.smoke = smoke.smoke, .behind_depth = small});
    const GraphDesc desc = std::move(g).finish();
    ASSERT_EQ(desc.diagnostics.size(), 2u);
    for (const Diagnostic& diagnostic : desc.diagnostics)
        EXPECT_EQ(diagnostic.code, "image/size-mismatch");
}

} // namespace
} // namespace tuff
