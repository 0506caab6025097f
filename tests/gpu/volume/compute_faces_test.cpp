#include "passes/volume/shadow.hpp"
#include "tests/gpu/volume/mesh_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

/// Faces of media that compute kernels find: the light is that of the closed form, and of faces
/// that the device draws.
namespace tuff {
namespace {

using passes::EyeInside;
using passes::FaceRasterizer;
using passes::MediaLights;
using passes::MeshMedium;
using passes::OutputFormat;
using passes::VolumeFragments;
using passes::VolumeShadow;
using testing_gpu::ball_mesh;
using testing_gpu::BallMesh;
using testing_gpu::is_near_an_edge;
using testing_gpu::kBehind;
using testing_gpu::kNoOpaque;
using testing_gpu::look_through;
using testing_gpu::Looked;
using testing_gpu::Stay;
using testing_gpu::stay_of;
using testing_gpu::TestBox;
using testing_gpu::TestView;
using testing_gpu::worst_difference;

const MediaLights kFaceLights{.even = {0.1f, 0.2f, 0.3f}, .sun = {1.0f, 0.9f, 0.8f}, .second = {}};

class ComputedFaces : public testing_gpu::MeshTest {
  protected:
    static VolumeFragments pass(Graph& g, const TestView& view, FaceRasterizer rasterizer,
                                float distance = kNoOpaque) {
        return {.opaque = opaque(g, view, glm::vec4(kBehind, distance)),
                .camera = view.camera,
                .lights = kFaceLights,
                .fragments_per_pixel = 16,
                .rasterizer = rasterizer,
                .least_transmittance = 0.0f,
                .format = OutputFormat::rgba32_sfloat};
    }
};

glm::dvec3 light_of(const std::vector<TestBox>& boxes, const TestView& view, double far,
                    std::uint32_t x, std::uint32_t y) {
    std::vector<Stay> stays;
    for (const TestBox& test : boxes)
        stays.push_back(stay_of(test, view, x, y));
    return look_through(stays, far, kFaceLights).over(kBehind);
}

/// Texels off by more than `tolerance`, those at edges left out: how many, of how many.
struct TexelsOff {
    std::size_t off = 0;
    std::size_t all = 0;
};
TexelsOff texels_off(const HostImage& got, const std::vector<TestBox>& edges, const TestView& view,
                     double tolerance,
                     const std::function<glm::dvec3(std::uint32_t, std::uint32_t)>& expected) {
    TexelsOff compared;
    for (std::uint32_t y = 0; y < view.height; ++y)
        for (std::uint32_t x = 0; x < view.width; ++x) {
            if (is_near_an_edge(edges, view, x, y)) continue;
            ++compared.all;
            const auto texel = got.texel(x, y);
            const glm::dvec3 wanted = expected(x, y);
            bool off = false;
            for (int c = 0; c < 3; ++c)
                off |= !(std::abs(static_cast<double>(texel[static_cast<std::size_t>(c)]) -
                                  wanted[c]) <= tolerance);
            compared.off += off;
        }
    return compared;
}

const std::vector<TestBox> kBoxes{{.low = {-1.0f, -0.8f, -1.1f},
                                   .high = {1.1f, 0.9f, 1.0f},
                                   .extinction = {0.3f, 0.6f, 0.1f},
                                   .emission = {0.2f, 0.0f, 0.1f},
                                   .scatter = {0.1f, 0.4f, 0.0f}},
                                  {.low = {-0.4f, -0.5f, -0.6f},
                                   .high = {0.5f, 0.3f, 0.2f},
                                   .extinction = {2.0f, 0.0f, 1.0f},
                                   .emission = {0.0f, 0.3f, 0.1f}},
                                  {.low = {0.2f, -1.2f, -0.3f},
                                   .high = {1.6f, 0.4f, 1.4f},
                                   .extinction = {0.5f, 1.5f, 0.7f},
                                   .scatter = {0.5f, 0.5f, 0.5f}}};

TEST_F(ComputedFaces, AreTheClosedFormWhereverTheEyeIs) {
    // Sizes of whole groups of pixels, and not; a picture of one row.
    struct From {
        glm::vec3 eye;
        std::uint32_t inside;
        std::uint32_t width;
        std::uint32_t height;
    };
    const From froms[] = {
        {{0.3f, 0.2f, 4.0f}, 0, 32, 24},
        {{-0.7f, 0.1f, 0.6f}, 1, 37, 23},
        {{0.1f, -0.1f, 0.0f}, 2, 9, 1},
        {{0.3f, 0.05f, 1.004f}, 1, 32, 24}}; // nearer to a face than the near plane
    for (const From& from : froms)
        for (const float distance : {kNoOpaque, 1.3f}) {
            TestView view{.width = from.width, .height = from.height};
            view.camera.near_plane = 0.05f;
            view.camera.position = from.eye;
            view.camera.target = from.eye + glm::vec3(0.1f, -0.05f, -1.0f);
            Graph g = graph();
            VolumeFragments looking = pass(g, view, FaceRasterizer::compute, distance);
            for (const TestBox& test : kBoxes)
                looking.meshes.push_back(medium_of(g, test));
            const Looked got = look(std::move(g), looking);
            const std::string what = fmt::format("eye at {}, opaque at {}", from.eye.z, distance);
            const TexelsOff compared =
                texels_off(got.result, kBoxes, view, 2e-6, [&](std::uint32_t x, std::uint32_t y) {
                    return light_of(kBoxes, view,
                                    std::isinf(distance) ? 1e30 : static_cast<double>(distance), x,
                                    y);
                });
            EXPECT_EQ(compared.off, 0u) << what;
            EXPECT_GT(4 * compared.all, std::size_t{view.width} * view.height) << what;
            EXPECT_EQ(got.status.odd_pixels, 0u) << what;
            EXPECT_EQ(got.status.pixels_without_room, 0u) << what;
            EXPECT_EQ(got.status.fewest_inside, from.inside) << what;
            EXPECT_EQ(got.status.most_inside, from.inside) << what;
        }
}

TEST_F(ComputedFaces, OfABallAreThoseThatTheDeviceDraws) {
    const TestView view{.width = 61, .height = 47};
    const BallMesh ball = ball_mesh(8, 1.3f);
    Graph g = graph();
    std::vector<VolumeFragments> both;
    for (const auto rasterizer : {FaceRasterizer::device, FaceRasterizer::compute}) {
        VolumeFragments looking = pass(g, view, rasterizer);
        looking.meshes.push_back({.mesh = mesh(g, ball.positions, ball.indices),
                                  .extinction = {0.8f, 0.4f, 1.2f},
                                  .emission = {0.1f, 0.5f, 0.0f},
                                  .scatter = {0.3f, 0.1f, 0.9f},
                                  .reflectance = 0.04f});
        both.push_back(looking);
    }
    const std::vector<Looked> looked = look_all(std::move(g), both);
    EXPECT_EQ(looked[1].status.odd_pixels, 0u);
    // Where two triangles meet, and at the contour, either rasterizer may have a pixel: their grids
    // differ by up to a sixteenth of one. The plane of a neighbour is a little off there.
    std::size_t off = 0;
    double sum = 0.0;
    for (std::uint32_t y = 0; y < view.height; ++y)
        for (std::uint32_t x = 0; x < view.width; ++x) {
            const auto a = looked[0].result.texel(x, y);
            const auto b = looked[1].result.texel(x, y);
            double most = 0.0;
            for (std::size_t c = 0; c < 3; ++c)
                most = std::max(most, std::abs(static_cast<double>(a[c]) - b[c]));
            off += most > 0.02;
            sum += most;
        }
    const std::size_t pixels = std::size_t{view.width} * view.height;
    EXPECT_LT(off, pixels / 50);
    EXPECT_LT(sum / static_cast<double>(pixels), 1e-3);
    EXPECT_GT(looked[1].status.fragments_needed, pixels / 4);
    // Two faces at each pixel of the contour.
    EXPECT_NEAR(looked[1].status.fragments_needed, looked[0].status.fragments_needed, 60);
}

TEST_F(ComputedFaces, OfShadowsAreDrawnAsFarAsThereAreSome) {
    const TestView view;
    const TestBox medium{.low = {-1.2f, -1.0f, -0.5f},
                         .high = {1.2f, 0.6f, 0.5f},
                         .extinction = {0.4f, 0.8f, 0.2f},
                         .scatter = {0.4f, 0.7f, 0.1f}};
    const TestBox block{.low = {-0.6f, 0.7f, -0.3f}, .high = {0.2f, 0.9f, 0.9f}};
    constexpr float kLength = 6.0f;
    Graph g = graph();
    VolumeFragments looking = pass(g, view, FaceRasterizer::compute);
    looking.meshes.push_back(medium_of(g, medium));
    const VolumeShadow shadow{.mesh = box(g, block.low, block.high).mesh,
                              .azimuth = 0.0f,
                              .elevation = 90.0f,
                              .length = kLength};
    looking.meshes.push_back(g.add(shadow).shadow); // an indirect draw
    TestBox below = block;
    below.low.y = block.high.y - kLength;
    below.shadow_of = 1;
    const Looked got = look(std::move(g), looking);
    EXPECT_EQ(got.status.odd_pixels, 0u);
    const std::vector<TestBox> boxes{medium, below};
    const TexelsOff compared =
        texels_off(got.result, boxes, view, 1e-5, [&](std::uint32_t x, std::uint32_t y) {
            return light_of(boxes, view, 1e30, x, y);
        });
    EXPECT_EQ(compared.off, 0u);
    EXPECT_GT(4 * compared.all, std::size_t{view.width} * view.height);
}

TEST_F(ComputedFaces, ReflectAlongTheNormalsOfTheirVertices) {
    const TestView view;
    // The same comes from all around: what counts is Fresnel's share, by the normals.
    Graph g = graph();
    std::vector<VolumeFragments> all;
    for (const auto rasterizer : {FaceRasterizer::device, FaceRasterizer::compute}) {
        VolumeFragments looking = pass(g, view, rasterizer);
        looking.reflected = {0.25f, 0.5f, 1.0f};
        MeshMedium glass = box(g, {-1, -1, -1}, {1, 1, 1});
        glass.reflectance = 0.04f;
        const std::vector<glm::vec3> normals(glass.mesh.vertex_count, glm::vec3(0.6f, 0.0f, 0.8f));
        glass.normals = g.constant_buffer("normals", {.size = normals.size() * 12, .stride = 4},
                                          testing_gpu::bytes_of(normals));
        MeshMedium plain = box(g, {-3, -3, -5}, {3, 3, -4}); // has normals of its triangles
        plain.reflectance = 0.5f;
        looking.meshes = {plain, glass};
        all.push_back(looking);
    }
    const std::vector<Looked> looked = look_all(std::move(g), all);
    const std::vector<TestBox> edges{{.low = {-1, -1, -1}, .high = {1, 1, 1}},
                                     {.low = {-3, -3, -5}, .high = {3, 3, -4}}};
    const auto drawn = [&](std::uint32_t x, std::uint32_t y) {
        const auto texel = looked[0].result.texel(x, y);
        return glm::dvec3(texel[0], texel[1], texel[2]);
    };
    // Radiance is stored in nine bits: a few fall to the next step, which is 1/512 of it.
    const TexelsOff compared = texels_off(looked[1].result, edges, view, 2e-6, drawn);
    EXPECT_LE(compared.off, compared.all / 50);
    EXPECT_EQ(texels_off(looked[1].result, edges, view, 4e-3, drawn).off, 0u);
    EXPECT_GT(4 * compared.all, std::size_t{view.width} * view.height);
    // And there is something: more than what lies behind.
    EXPECT_GT(looked[1].result.texel(view.width / 2, view.height / 2)[2], kBehind.z + 0.05f);
}

TEST_F(ComputedFaces, FindNoRoomAndAreFlaggedAsThoseThatTheDeviceDraws) {
    TestView view;
    view.camera.position = {0.0f, 0.0f, 3.0f}; // most pixels have faces, two and more
    Graph g = graph();
    VolumeFragments none = pass(g, view, FaceRasterizer::compute);
    none.fragments_per_pixel = 0;
    none.meshes = {medium_of(g, kBoxes[0]), medium_of(g, kBoxes[1])};
    VolumeFragments few = none;
    few.fragments_per_pixel = 1;
    VolumeFragments open = pass(g, view, FaceRasterizer::compute);
    open.meshes = {box(g, {-1, -1, -1}, {1, 1, 1}, 2)}; // the front alone
    open.meshes[0].extinction = glm::vec3(1.0f);
    // A vertex that there is not is none of the next mesh's.
    VolumeFragments bad = pass(g, view, FaceRasterizer::compute);
    bad.meshes = {medium_of(g, kBoxes[0]), medium_of(g, kBoxes[1])};
    bad.meshes[0].mesh = mesh(g, {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, {0, 1, 5});
    const std::vector<Looked> looked = look_all(std::move(g), {none, few, open, bad});
    EXPECT_EQ(worst_difference(looked[0].result, [](auto, auto) { return glm::dvec3(kBehind); }),
              0.0);
    EXPECT_GT(looked[0].status.pixels_without_room, 100u);
    EXPECT_EQ(looked[0].status.fragments_needed, looked[1].status.fragments_needed);
    EXPECT_GT(looked[1].status.pixels_without_room, 0u);
    EXPECT_LT(looked[1].status.pixels_without_room, looked[0].status.pixels_without_room);
    EXPECT_EQ(looked[1].status.odd_pixels, 0u);
    EXPECT_GT(looked[2].status.odd_pixels, 0u);
    const TexelsOff compared = texels_off(
        looked[3].result, {kBoxes[1]}, view, 2e-6,
        [&](std::uint32_t x, std::uint32_t y) { return light_of({kBoxes[1]}, view, 1e30, x, y); });
    EXPECT_EQ(compared.off, 0u);
    EXPECT_EQ(looked[3].status.odd_pixels, 0u);
}

TEST_F(ComputedFaces, AreRefusedWhereTheEyeNeedsImages) {
    const TestView view;
    const auto code_of = [&](EyeInside mode, FaceRasterizer rasterizer) {
        Graph g = graph();
        VolumeFragments looking = pass(g, view, rasterizer);
        looking.eye_inside = mode;
        looking.meshes = {box(g, {-1, -1, -1}, {1, 1, 1})};
        output(g, g.add(looking));
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    };
    for (const EyeInside mode : {EyeInside::near_pass, EyeInside::near_state})
        EXPECT_EQ(code_of(mode, FaceRasterizer::compute), "volume/whole-lists");
    EXPECT_EQ(code_of(EyeInside::whole_lists, FaceRasterizer::compute), "");
}

// Where 32-bit floats cannot be blended, faces are counted for each medium: the same light.
class CountedNearState : public ComputedFaces {
  protected:
    Graph unblended(std::uint64_t most_bytes) {
        DeviceCaps caps = device().caps();
        caps.float32_blending = false;
        caps.max_storage_buffer_bytes = std::min(caps.max_storage_buffer_bytes, most_bytes);
        Graph g(shaders());
        g.set_target(caps);
        return g;
    }
    static constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 27;
};

TEST_F(CountedNearState, IsTheClosedFormWhereverTheEyeIs) {
    struct From {
        glm::vec3 eye;
        std::uint32_t inside;
    };
    for (const From& from : {From{{0.3f, 0.2f, 4.0f}, 0}, From{{-0.7f, 0.1f, 0.6f}, 1},
                             From{{0.1f, -0.1f, 0.0f}, 2}, From{{0.3f, -0.1f, 0.1f}, 3}})
        for (const EyeInside mode : {EyeInside::near_pass, EyeInside::near_state}) {
            TestView view{.width = 37, .height = 23};
            view.camera.near_plane = 0.05f;
            view.camera.position = from.eye;
            view.camera.target = from.eye + glm::vec3(0.1f, -0.05f, -1.0f);
            Graph g = unblended(kMaxBytes);
            // What is opaque hides faces, so that lists alone would not tell where the eye is.
            VolumeFragments looking = pass(g, view, FaceRasterizer::device, 0.9f);
            looking.eye_inside = mode;
            for (const TestBox& test : kBoxes)
                looking.meshes.push_back(medium_of(g, test));
            const Looked got = look(std::move(g), looking);
            const TexelsOff compared =
                texels_off(got.result, kBoxes, view, 2e-6, [&](std::uint32_t x, std::uint32_t y) {
                    return light_of(kBoxes, view, 0.9, x, y);
                });
            EXPECT_EQ(compared.off, 0u) << "of " << compared.all << ", eye in " << from.inside;
            EXPECT_GT(compared.all, 300u);
            EXPECT_EQ(got.status.most_inside, from.inside);
            EXPECT_EQ(got.status.odd_pixels, 0u);
        }
}

// An odd number of media, one around another, and shadows of more lights than two images count:
// what blending gives, to the rounding of its sums.
TEST_F(CountedNearState, IsWhatBlendingGives) {
    if (!device().caps().float32_blending) GTEST_SKIP() << "the device blends no 32-bit floats";
    TestView view{.width = 29, .height = 21};
    view.camera.near_plane = 0.05f;
    view.camera.position = {0.05f, 0.02f, 0.1f};
    view.camera.target = {0.1f, 0.0f, -1.0f};
    HostImage pictures[2];
    for (const bool blends : {false, true}) {
        Graph g = blends ? graph() : unblended(kMaxBytes);
        VolumeFragments looking = pass(g, view, FaceRasterizer::device, 1.5f);
        looking.eye_inside = EyeInside::near_state;
        looking.lights.third = {0.4f, 0.1f, 0.3f};
        looking.lights.seventh = {0.2f, 0.5f, 0.1f};
        for (std::uint32_t i = 0; i < 7; ++i) {
            const float side = 0.3f + 0.2f * static_cast<float>(i);
            TestBox nested{.low = glm::vec3(-side), .high = glm::vec3(side)};
            nested.extinction = {0.1f * static_cast<float>(i), 0.3f, 1.0f / (1.0f + side)};
            nested.emission = {0.0f, 0.05f * static_cast<float>(i), 0.1f};
            nested.scatter = {0.2f, 0.1f, 0.3f};
            if (i == 2) nested.shadow_of = 1;
            if (i == 3) nested.shadow_of = 3;
            if (i == 5) nested.shadow_of = 7;
            looking.meshes.push_back(medium_of(g, nested));
        }
        pictures[blends] = look(std::move(g), looking).result;
    }
    ASSERT_FALSE(pictures[0].empty());
    EXPECT_LT(worst_difference(pictures[0], pictures[1]), 2e-6);
}

TEST_F(CountedNearState, IsRefusedWhereABufferDoesNotHoldIt) {
    const TestView view{.width = 64, .height = 64};
    const auto code_of = [&](std::uint64_t most_bytes) {
        Graph g = unblended(most_bytes);
        VolumeFragments looking = pass(g, view, FaceRasterizer::device);
        looking.eye_inside = EyeInside::near_state;
        looking.fragments_per_pixel = 1;
        for (int i = 0; i < 5; ++i) // three words a pixel
            looking.meshes.push_back(box(g, {-1, -1, -1}, {1, 1, 1}));
        output(g, g.add(looking));
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    };
    EXPECT_EQ(code_of(64 * 64 * 12 - 1), "volume/no-blending");
    EXPECT_EQ(code_of(kMaxBytes), "");
}

} // namespace
} // namespace tuff
