#include "passes/volume/shadow.hpp"
#include "tests/gpu/volume/mesh_test.hpp"

#include <tuff/graph_runner.hpp>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <map>

/// Meshes of media and their shadows, against integrals in double precision.
namespace tuff {
namespace {

using passes::EyeInside;
using passes::MediaLights;
using passes::MeshMedium;
using passes::OutputFormat;
using passes::TriangleMesh;
using passes::VolumeFragments;
using passes::VolumeShadow;
using testing_gpu::ball_mesh;
using testing_gpu::BallMesh;
using testing_gpu::is_near_an_edge;
using testing_gpu::kBehind;
using testing_gpu::kEyeModes;
using testing_gpu::kNoOpaque;
using testing_gpu::look_through;
using testing_gpu::Looked;
using testing_gpu::Running;
using testing_gpu::shaken;
using testing_gpu::Stay;
using testing_gpu::stay_in;
using testing_gpu::stay_of;
using testing_gpu::TestBox;
using testing_gpu::TestSphere;
using testing_gpu::TestView;
using testing_gpu::worst_difference;

const MediaLights kLights{.even = {0.1f, 0.2f, 0.3f}, .sun = {1.0f, 0.9f, 0.8f}, .second = {}};

class VolumeMeshes : public testing_gpu::MeshTest {
  protected:
    static VolumeFragments pass(const TestView& view) {
        return {.camera = view.camera,
                .lights = kLights,
                .fragments_per_pixel = 16,
                .least_transmittance = 0.0f,
                .format = OutputFormat::rgba32_sfloat};
    }
    Looked look_at(const std::vector<TestBox>& boxes, const TestView& view, VolumeFragments looking,
                   float distance = kNoOpaque) {
        Graph g = graph();
        for (const TestBox& test : boxes)
            looking.meshes.push_back(medium_of(g, test));
        looking.opaque = opaque(g, view, glm::vec4(kBehind, distance));
        return look(std::move(g), looking);
    }
};

double worst_light(const Looked& got, const std::vector<TestBox>& boxes, const TestView& view,
                   double far = 1e30) {
    return worst_difference(got.result, [&](std::uint32_t x, std::uint32_t y) {
        if (is_near_an_edge(boxes, view, x, y)) {
            const auto texel = got.result.texel(x, y);
            return glm::dvec3(texel[0], texel[1], texel[2]);
        }
        std::vector<Stay> stays;
        for (const TestBox& test : boxes)
            stays.push_back(stay_of(test, view, x, y));
        return look_through(stays, far, kLights).over(kBehind);
    });
}

const TestBox kOuter{.low = {-1.0f, -0.8f, -1.1f},
                     .high = {1.1f, 0.9f, 1.0f},
                     .extinction = {0.3f, 0.6f, 0.1f},
                     .emission = {0.2f, 0.0f, 0.1f},
                     .scatter = {0.1f, 0.4f, 0.0f}};
const TestBox kInner{.low = {-0.4f, -0.5f, -0.6f},
                     .high = {0.5f, 0.3f, 0.2f},
                     .extinction = {2.0f, 0.0f, 1.0f},
                     .emission = {0.0f, 0.3f, 0.1f}};
const TestBox kBeside{.low = {0.2f, -1.2f, -0.3f},
                      .high = {1.6f, 0.4f, 1.4f},
                      .extinction = {0.5f, 1.5f, 0.7f},
                      .scatter = {0.5f, 0.5f, 0.5f}};

TEST_F(VolumeMeshes, AreTheirClosedFormWhereverTheEyeIs) {
    TestView view;
    const std::vector<TestBox> boxes{kOuter, kInner, kBeside};
    const std::map<std::string, glm::vec3> eyes{{"outside", {0.3f, 0.2f, 4.0f}},
                                                {"inside one", {-0.7f, 0.1f, 0.6f}},
                                                {"inside two", {0.1f, -0.1f, 0.0f}}};
    for (const auto& [where, eye] : eyes) {
        view.camera.position = eye;
        view.camera.target = eye + glm::vec3(0.1f, -0.05f, -1.0f);
        const std::uint32_t inside = where == "outside" ? 0 : where == "inside one" ? 1 : 2;
        for (const EyeInside mode : kEyeModes) {
            VolumeFragments looking = pass(view);
            looking.eye_inside = mode;
            const Looked open = look_at(boxes, view, looking);
            EXPECT_LE(worst_light(open, boxes, view), 2e-6) << where << ", mode " << int(mode);
            EXPECT_EQ(open.status.odd_pixels, 0u);
            EXPECT_EQ(open.status.pixels_without_room, 0u);
            EXPECT_EQ(open.status.fewest_inside, inside) << where << ", mode " << int(mode);
            EXPECT_EQ(open.status.most_inside, inside) << where << ", mode " << int(mode);
            // What is opaque hides the exits of some.
            const Looked closed = look_at(boxes, view, looking, 1.3f);
            EXPECT_LE(worst_light(closed, boxes, view, static_cast<double>(1.3f)), 2e-6)
                << where << ", mode " << int(mode);
        }
    }
}

TEST_F(VolumeMeshes, AreWhatBallsOfTheSameShapeAre) {
    const TestView view;
    const TestSphere sphere{.radius = 1.3f,
                            .extinction = {0.8f, 0.4f, 1.2f},
                            .emission = {0.1f, 0.5f, 0.0f},
                            .scatter = {0.3f, 0.1f, 0.9f}};
    double before = 0.0;
    for (const std::uint32_t side : {8u, 16u, 32u}) {
        Graph g = graph();
        VolumeFragments looking = pass(view);
        const BallMesh ball = ball_mesh(side, sphere.radius);
        looking.meshes.push_back({.mesh = mesh(g, ball.positions, ball.indices),
                                  .extinction = sphere.extinction,
                                  .emission = sphere.emission,
                                  .scatter = sphere.scatter});
        looking.opaque = opaque(g, view, glm::vec4(kBehind, kNoOpaque));
        const Looked got = look(std::move(g), looking);
        EXPECT_EQ(got.status.odd_pixels, 0u);
        double sum = 0.0;
        double count = 0.0;
        for (std::uint32_t y = 0; y < view.height; ++y)
            for (std::uint32_t x = 0; x < view.width; ++x) {
                const Stay stay = stay_in(sphere, view.eye(), view.ray(x, y));
                if (!(stay.leaves - stay.enters > 0.8)) continue; // contours
                const glm::dvec3 wanted = look_through({stay}, 1e30, kLights).over(kBehind);
                const auto texel = got.result.texel(x, y);
                sum += std::abs(static_cast<double>(texel[0]) - wanted.r);
                count += 1.0;
            }
        const double mean = sum / count;
        if (side > 8) {
            EXPECT_LT(mean, before / 3.0) << side;
        }
        if (side == 32) {
            EXPECT_LE(mean, 2e-3);
        }
        before = mean;
    }
}

TEST_F(VolumeMeshes, MixWithBallsAndKeepToTheirCapacities) {
    TestView view;
    view.camera.position.z = 3.0f; // faces in most texels
    const TestSphere ball{.center = {0.2f, 0.1f, 0.3f},
                          .radius = 0.9f,
                          .extinction = {0.5f, 2.0f, 1.0f},
                          .scatter = {0.4f, 0.1f, 0.2f}};
    const auto run_with = [&](std::uint32_t fragments) {
        Graph g = graph();
        VolumeFragments looking = pass(view);
        looking.fragments_per_pixel = fragments;
        looking.meshes = {medium_of(g, kOuter), medium_of(g, kInner)};
        looking.spheres = spheres(g, {ball});
        looking.opaque = opaque(g, view, glm::vec4(kBehind, kNoOpaque));
        return look(std::move(g), looking);
    };
    const Looked got = run_with(16);
    const auto wanted = [&](std::uint32_t x, std::uint32_t y, const std::vector<TestBox>& boxes) {
        std::vector<Stay> stays{stay_in(ball, view.eye(), view.ray(x, y))};
        for (const TestBox& test : boxes)
            stays.push_back(stay_of(test, view, x, y));
        return look_through(stays, 1e30, kLights).over(kBehind);
    };
    const auto unless_edge = [&](const Looked& looked, const std::vector<TestBox>& boxes) {
        return worst_difference(looked.result, [&](std::uint32_t x, std::uint32_t y) {
            const auto texel = looked.result.texel(x, y);
            // Contours of the ball are a matter of rounding.
            return is_near_an_edge({kOuter, kInner}, view, x, y) ||
                           shaken({ball}, kLights, view.eye(), view.ray(x, y)) > 2e-5
                       ? glm::dvec3(texel[0], texel[1], texel[2])
                       : wanted(x, y, boxes);
        });
    };
    EXPECT_LE(unless_edge(got, {kOuter, kInner}), 5e-6);
    EXPECT_GT(got.status.fragments_needed, 0u);

    const Looked none = run_with(0); // no mesh is shown, and no half of one
    EXPECT_LE(unless_edge(none, {}), 5e-6);
    EXPECT_EQ(none.status.fragments_needed, got.status.fragments_needed);
    EXPECT_GT(none.status.pixels_without_room, 300u);
    const Looked few = run_with(1);
    EXPECT_GT(few.status.pixels_without_room, 0u);
    EXPECT_EQ(few.status.odd_pixels, 0u);

    // Frame by frame the pools of faces and of tiles grow.
    GraphRunner runner(device());
    for (int frame = 0; frame < 3; ++frame) {
        const auto grown = runner.grow_pools();
        ASSERT_TRUE(grown);
        EXPECT_EQ(grown->size(), frame == 2 ? 2u : 0u); // seen when the third begins
        if (frame == 1) {
            ASSERT_TRUE(runner.executor()->execute());
            continue;
        }
        Graph g = graph();
        g.set_pools(runner.pools());
        VolumeFragments looking = pass(view);
        looking.fragments_per_pixel = 0;
        looking.tile_capacity = 0;
        looking.meshes = {medium_of(g, kOuter), medium_of(g, kInner)};
        looking.spheres = spheres(g, {ball});
        looking.opaque = opaque(g, view, glm::vec4(kBehind, kNoOpaque));
        output(g, g.add(looking));
        ASSERT_TRUE(runner.take(std::move(g).finish(), shaders()));
        ASSERT_TRUE(runner.executor()->execute());
    }
    EXPECT_EQ(runner.pools().size(), 2u);
    EXPECT_THAT(*runner.executor()->warnings(), testing::IsEmpty());
    EXPECT_EQ(runner.executor()->read_image("result")->texels, got.result.texels);
}

TEST_F(VolumeMeshes, AroundTheEyeAreNotShownWhereTheirFacesFindNoRoom) {
    TestView view;
    view.camera.position = {0.1f, -0.1f, 0.0f};
    view.camera.target = view.camera.position + glm::vec3(0.1f, -0.05f, -1.0f);
    for (const EyeInside mode : kEyeModes) {
        VolumeFragments looking = pass(view);
        looking.eye_inside = mode;
        looking.fragments_per_pixel = 0;
        const Looked got = look_at({kOuter, kInner}, view, looking);
        EXPECT_EQ(got.status.pixels_without_room, view.width * view.height) << int(mode);
        EXPECT_EQ(worst_difference(got.result, [](auto, auto) { return glm::dvec3(kBehind); }), 0.0)
            << int(mode);
    }
}

TEST_F(VolumeMeshes, ThatAreThinBlendLikeSurfacesWithAlpha) {
    TestView view{.width = 8, .height = 8};
    view.camera.vertical_fov = 0.5f; // rays are all but parallel
    const glm::vec3 color(0.9f, 0.4f, 0.1f);
    constexpr float kAlpha = 0.6f;
    for (const float thickness : {1.0f, 0.1f}) {
        const glm::vec3 extinction(-std::log(1.0f - kAlpha) / thickness);
        Graph g = graph();
        VolumeFragments looking = pass(view);
        looking.meshes = {medium_of(g, {.low = {-1.0f, -1.0f, 0.0f},
                                        .high = {1.0f, 1.0f, thickness},
                                        .extinction = extinction,
                                        .emission = extinction * color})};
        looking.opaque = opaque(g, view, glm::vec4(kBehind, kNoOpaque));
        EXPECT_LE(worst_difference(
                      look(std::move(g), looking).result,
                      [&](auto, auto) { return glm::dvec3(glm::mix(kBehind, color, kAlpha)); }),
                  2e-5)
            << thickness;
    }
}

TEST_F(VolumeMeshes, ThatAreOpenAreFlagged) {
    const TestView view;
    Graph g = graph();
    VolumeFragments looking = pass(view);
    MeshMedium open = box(g, {-1, -1, -1}, {1, 1, 1}, 2); // the front alone
    open.extinction = glm::vec3(1.0f);
    looking.meshes = {open};
    looking.opaque = opaque(g, view, glm::vec4(kBehind, kNoOpaque));
    const Looked got = look(std::move(g), looking);
    EXPECT_GT(got.status.odd_pixels, 0u);
    for (std::uint32_t y = 0; y < view.height; ++y)
        for (std::uint32_t x = 0; x < view.width; ++x)
            for (const float number : got.result.texel(x, y))
                EXPECT_TRUE(std::isfinite(number));
}

TEST_F(VolumeMeshes, ThatMissTheirFrontsAreFlagged) {
    const TestView view;
    for (const EyeInside mode : kEyeModes) {
        Graph g = graph();
        VolumeFragments looking = pass(view);
        looking.eye_inside = mode;
        MeshMedium open = box(g, {-1, -1, -1}, {1, 1, 1}, 12, 2);
        open.extinction = glm::vec3(1.0f);
        // The eye is in this one, and it is closed.
        looking.meshes = {medium_of(g, {.low = glm::vec3(-8.0f), .high = glm::vec3(8.0f)}), open};
        looking.opaque = opaque(g, view, glm::vec4(kBehind, kNoOpaque));
        const Looked got = look(std::move(g), looking);
        EXPECT_EQ(got.status.odd_pixels, 0u) << int(mode);
        EXPECT_EQ(got.status.fewest_inside, 1u) << int(mode);
        EXPECT_EQ(got.status.most_inside, 2u) << int(mode);
        const Diagnostics warnings = got.status.warnings();
        ASSERT_EQ(warnings.size(), 1u) << int(mode);
        EXPECT_EQ(warnings[0].code, "volume/open-mesh");
    }
}

TEST_F(VolumeMeshes, ThatReachTheNearPlaneAreClosed) {
    // The eye is nearer to a face than the near plane: outside and inside, in sight of the face
    // alone, and so that the face is in part of the picture.
    TestView view;
    view.camera.near_plane = 0.05f;
    const std::vector<TestBox> boxes{kOuter, kInner};
    const float face = kOuter.high.z;
    const std::pair<glm::vec3, glm::vec3> views[] = {
        {{0.1f, 0.05f, face + 0.004f}, {0.1f, -0.05f, -1.0f}},
        {{0.1f, 0.05f, face - 0.004f}, {0.1f, -0.05f, -1.0f}},
        {{0.1f, 0.05f, face - 0.004f}, {0.1f, -0.05f, 1.0f}},
        {{0.9f, 0.05f, face + 0.004f}, {1.0f, 0.1f, -0.2f}},
        {{-0.9f, 0.05f, face - 0.004f}, {1.0f, 0.1f, 0.2f}},
    };
    for (const auto& [eye, direction] : views) {
        view.camera.position = eye;
        view.camera.target = eye + direction;
        for (const EyeInside mode : kEyeModes) {
            VolumeFragments looking = pass(view);
            looking.eye_inside = mode;
            const Looked got = look_at(boxes, view, looking);
            const std::string which = fmt::format("{}, {}, mode {}", eye.z, direction.z, int(mode));
            const std::uint32_t inside = eye.z < face ? 1 : 0;
            EXPECT_EQ(got.status.fewest_inside, inside) << which;
            EXPECT_EQ(got.status.most_inside, inside) << which;
            EXPECT_THAT(got.status.warnings(), testing::IsEmpty()) << which;
            EXPECT_LE(worst_light(got, boxes, view), 2e-6) << which;
        }
    }
}

TEST_F(VolumeMeshes, ThatOnlyReflectAddTheirLight) {
    const TestView view;
    Graph g = graph();
    VolumeFragments looking = pass(view);
    looking.reflected = {0.25f, 0.5f, 1.0f};
    MeshMedium glass = box(g, {-1, -1, -1}, {1, 1, 1});
    glass.reflectance = 1.0f; // a mirror on both sides, and nothing within
    looking.meshes = {glass};
    looking.opaque = opaque(g, view, glm::vec4(kBehind, kNoOpaque));
    const Looked got = look(std::move(g), looking);
    const auto texel = got.result.texel(view.width / 2, view.height / 2);
    for (std::size_t c = 0; c < 3; ++c) {
        const auto i = static_cast<int>(c);
        EXPECT_NEAR(texel[c], kBehind[i] + 2.0f * looking.reflected[i], 1e-6f);
    }
}

TEST_F(VolumeMeshes, LieInTheShadowsOfOthers) {
    // Light from straight above; two blocks above the medium, whose shadows overlap.
    const TestView view;
    TestBox medium{.low = {-1.2f, -1.0f, -0.5f},
                   .high = {1.2f, 0.6f, 0.5f},
                   .extinction = {0.4f, 0.8f, 0.2f},
                   .emission = {0.05f, 0.0f, 0.0f},
                   .scatter = {0.4f, 0.7f, 0.1f}};
    const TestBox blocks[] = {{.low = {-0.6f, 0.7f, -0.3f}, .high = {0.2f, 0.9f, 0.9f}},
                              {.low = {-0.1f, 1.0f, -0.9f}, .high = {0.5f, 1.3f, 0.2f}}};
    constexpr float kLength = 6.0f;
    for (const EyeInside mode : kEyeModes) {
        TestView from = view;
        if (mode == EyeInside::near_state) { // the eye in a shadow, outside of the medium
            from.camera.position = {0.0f, 0.3f, 0.8f};
            from.camera.target = {0.1f, 0.1f, -1.0f};
        }
        Graph g = graph();
        VolumeFragments looking = pass(from);
        looking.eye_inside = mode;
        looking.meshes.push_back(medium_of(g, medium));
        std::vector<TestBox> edges{medium};
        for (const TestBox& block : blocks) {
            VolumeShadow shadow{.mesh = box(g, block.low, block.high).mesh,
                                .azimuth = 0.0f,
                                .elevation = 90.0f,
                                .length = kLength};
            looking.meshes.push_back(g.add(shadow).shadow);
            TestBox below = block;
            below.low.y = block.high.y - kLength;
            edges.push_back(below);
        }
        looking.opaque = opaque(g, from, glm::vec4(kBehind, kNoOpaque));
        const Looked got = look(std::move(g), looking);
        EXPECT_EQ(got.status.odd_pixels, 0u);
        const double worst = worst_difference(got.result, [&](std::uint32_t x, std::uint32_t y) {
            const auto texel = got.result.texel(x, y);
            if (is_near_an_edge(edges, from, x, y)) return glm::dvec3(texel[0], texel[1], texel[2]);
            std::vector<Stay> stays{stay_of(medium, from, x, y)};
            for (std::size_t i = 1; i < edges.size(); ++i) {
                stays.push_back(stay_of(edges[i], from, x, y));
                stays.back().shadow_of = 1;
            }
            return look_through(stays, 1e30, kLights).over(kBehind);
        });
        EXPECT_LE(worst, 1e-5) << int(mode);
    }
    // A shadow behind the medium changes nothing.
    std::vector<Looked> both;
    for (const bool shaded : {false, true}) {
        Graph g = graph();
        VolumeFragments looking = pass(view);
        looking.meshes.push_back(medium_of(g, medium));
        if (shaded) {
            VolumeShadow shadow{.mesh = box(g, {-2.0f, 2.0f, -3.0f}, {2.0f, 2.2f, -1.0f}).mesh,
                                .azimuth = 0.0f,
                                .elevation = 90.0f,
                                .length = kLength};
            looking.meshes.push_back(g.add(shadow).shadow);
        }
        looking.opaque = opaque(g, view, glm::vec4(kBehind, kNoOpaque));
        both.push_back(look(std::move(g), looking));
    }
    EXPECT_LE(worst_difference(both[0].result, both[1].result), 1e-6);
}

TEST_F(VolumeMeshes, CastClosedShadowsWhateverTheirShape) {
    // Of a ball, of part of one, and of triangles that share no vertices: no pixel is odd.
    const TestView view;
    BallMesh ball = ball_mesh(6, 0.8f);
    BallMesh part = ball;
    part.indices.resize(part.indices.size() / 2);
    BallMesh apart;
    for (const std::uint32_t index : ball.indices) {
        apart.indices.push_back(static_cast<std::uint32_t>(apart.positions.size()));
        apart.positions.push_back(ball.positions[index]);
    }
    std::vector<std::vector<float>> pictures;
    for (const BallMesh& caster : {ball, part, apart}) {
        Graph g = graph();
        VolumeFragments looking = pass(view);
        MeshMedium mist = box(g, {-1.2f, -1.1f, -1.0f}, {1.2f, 1.1f, 1.0f});
        mist.extinction = mist.scatter = glm::vec3(0.2f);
        VolumeShadow shadow{.mesh = mesh(g, caster.positions, caster.indices),
                            .azimuth = 70.0f,
                            .elevation = 35.0f,
                            .length = 2.5f};
        looking.meshes = {mist, g.add(shadow).shadow};
        looking.opaque = opaque(g, view, glm::vec4(kBehind, kNoOpaque));
        const Looked got = look(std::move(g), looking);
        EXPECT_EQ(got.status.odd_pixels, 0u);
        pictures.emplace_back();
        for (std::uint32_t y = 0; y < view.height; ++y)
            for (std::uint32_t x = 0; x < view.width; ++x)
                pictures.back().push_back(got.result.texel(x, y)[0]);
    }
    EXPECT_EQ(pictures[0], pictures[2]);
    EXPECT_NE(pictures[0], pictures[1]);
}

TEST_F(VolumeMeshes, MistakesAreOneDiagnosticEach) {
    const TestView view;
    const auto expect_one = [&](auto change, std::string_view code) {
        Graph g = graph();
        VolumeFragments looking = pass(view);
        looking.opaque = opaque(g, view, glm::vec4(kBehind, kNoOpaque));
        change(g, looking);
        g.add(looking);
        const auto plan = compile(std::move(g).finish(), device().caps());
        ASSERT_FALSE(plan) << code;
        ASSERT_EQ(plan.error().size(), 1u) << to_string(plan.error());
        EXPECT_EQ(plan.error()[0].code, code);
    };
    expect_one([](Graph&, VolumeFragments& p) { p.opaque = {}; }, "graph/unconnected");
    expect_one([](Graph&, VolumeFragments& p) { p.list_capacity = 0; }, "pass/out-of-range");
    expect_one([](Graph&, VolumeFragments& p) { p.softness = std::nanf(""); }, "pass/out-of-range");
    expect_one([](Graph&, VolumeFragments& p) { p.camera.target = p.camera.position; },
               "scene/bad-camera");
    expect_one(
        [](Graph& g, VolumeFragments& p) {
            p.meshes.assign(257, box(g, {0, 0, 0}, {1, 1, 1}));
        },
        "volume/too-many-media");
    expect_one(
        [](Graph& g, VolumeFragments& p) {
            p.meshes.push_back(box(g, {0, 0, 0}, {1, 1, 1}));
            p.meshes.back().shadow_of = 9;
        },
        "volume/too-many-lights");
    expect_one(
        [](Graph& g, VolumeFragments& p) {
            p.spheres = spheres(g, {TestSphere{}});
            p.spheres.count = 2;
        },
        "primitives/too-short");
    expect_one([](Graph& g, VolumeFragments&) { g.add(VolumeShadow{}); }, "graph/unconnected");
}

TEST_F(VolumeMeshes, WarnOfWhatTheStatusCounts) {
    EXPECT_TRUE(passes::VolumeStatus{}.warnings().empty());
    const passes::VolumeStatus all{.dropped_spheres = 1,
                                   .list_overflows = 2,
                                   .fragments_needed = 30,
                                   .pixels_without_room = 4,
                                   .odd_pixels = 5,
                                   .tile_entries_needed = 60,
                                   .tiles_without_room = 7};
    EXPECT_EQ(all.warnings().size(), 5u);
    const passes::VolumeStatus around{.most_inside = 3, .fewest_inside = 3};
    EXPECT_TRUE(around.warnings().empty());
    const passes::VolumeStatus apart{.most_inside = 3, .fewest_inside = 2};
    EXPECT_EQ(apart.warnings().size(), 1u);
}

} // namespace
} // namespace tuff
