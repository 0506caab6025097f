// Shadows of what is cut away and seen through: against a tracer on the CPU, in double precision,
// that tries every triangle.

#include "passes/bvh/collapse.hpp"
#include "passes/bvh/hardware_build.hpp"
#include "passes/bvh/implicit_build.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/raytrace/light.hpp"
#include "tests/gpu/raytrace/raytrace_fixture.hpp"
#include "tests/gpu/ways_of_rays.hpp"

#include <glm/geometric.hpp>
#include <glm/packing.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tuff {
namespace {

using passes::MakeRayLight;
using passes::MaterialPasses;
using passes::PathTrace;
using passes::TraceWhitted;
using passes::Traversal;

constexpr double kWithoutEnd = std::numeric_limits<double>::max();

/// A point of a triangle on a ray.
struct Crossing {
    double t = 0.0;
    std::size_t face = 0;
    double coverage = 1.0;
    bool doubtful = false; ///< so near an edge, of a texel or the triangle, that rounding decides
};

/// What a ray crosses, and how much light gets through.
class SeeThroughReference {
  public:
    explicit SeeThroughReference(const SceneData& scene) : scene_(scene) {
        for (const SceneDraw& draw : scene_.draws)
            for (std::uint32_t i = 0; i < draw.index_count; i += 3) {
                Face face{.corners = {}, .normal = {}, .draw = &draw};
                for (std::uint32_t c = 0; c < 3; ++c) {
                    const Vertex& vertex =
                        scene_.vertices[static_cast<std::size_t>(draw.vertex_offset) +
                                        scene_.indices[draw.first_index + i + c]];
                    face.corners[c] = {
                        .position = glm::dvec3(glm::dmat4(scene_.transforms[draw.transform].world) *
                                               glm::dvec4(glm::dvec3(vertex.position), 1.0)),
                        .uv = glm::dvec2(vertex.uv0),
                        .alpha = static_cast<double>(glm::unpackUnorm2x16(vertex.color_ba).y)};
                }
                face.normal =
                    glm::normalize(glm::cross(face.corners[1].position - face.corners[0].position,
                                              face.corners[2].position - face.corners[0].position));
                faces_.push_back(face);
            }
    }

    const SceneMaterial& material(std::size_t face) const {
        return scene_.materials[faces_[face].draw->material];
    }
    glm::dvec3 normal(std::size_t face) const { return faces_[face].normal; }

    /// All crossings with t in (0, t_max), the nearest first; not with the triangle `leaves`.
    std::vector<Crossing> crossings(glm::dvec3 origin, glm::dvec3 direction, double t_max,
                                    std::optional<std::size_t> leaves) const {
        std::vector<Crossing> all;
        for (std::size_t i = 0; i < faces_.size(); ++i)
            if (i != leaves)
                if (const auto found = crossing(origin, direction, i))
                    if (found->t > 1e-9 && found->t < t_max) all.push_back(*found);
        std::ranges::sort(all, {}, &Crossing::t);
        return all;
    }

    /// The share of light that gets from the point to t_max; nothing where rounding decides.
    std::optional<double> transmittance(glm::dvec3 origin, glm::dvec3 direction, double t_max,
                                        std::size_t leaves) const {
        double share = 1.0;
        for (const Crossing& at : crossings(origin, direction, t_max, leaves)) {
            if (at.doubtful) return {};
            share *= 1.0 - at.coverage;
        }
        return share;
    }

  private:
    struct FaceCorner {
        glm::dvec3 position;
        glm::dvec2 uv;
        double alpha;
    };
    struct Face {
        std::array<FaceCorner, 3> corners;
        glm::dvec3 normal;
        const SceneDraw* draw;
    };

    /// Moeller and Trumbore's.
    std::optional<Crossing> crossing(glm::dvec3 origin, glm::dvec3 direction, std::size_t i) const {
        const auto& [a, b, c] = faces_[i].corners;
        const glm::dvec3 ab = b.position - a.position;
        const glm::dvec3 ac = c.position - a.position;
        const glm::dvec3 p = glm::cross(direction, ac);
        const double determinant = glm::dot(ab, p);
        if (std::abs(determinant) < 1e-12) return {};
        const glm::dvec3 from_a = origin - a.position;
        const double u = glm::dot(from_a, p) / determinant;
        const glm::dvec3 q = glm::cross(from_a, ab);
        const double v = glm::dot(direction, q) / determinant;
        const double least = std::min({u, v, 1.0 - u - v});
        if (least < -kNear) return {};
        Crossing found{.t = glm::dot(ac, q) / determinant, .face = i};
        found.doubtful = least < kNear;
        look_up(i, u, v, found);
        return found;
    }
    void look_up(std::size_t i, double u, double v, Crossing& found) const {
        const SceneMaterial& m = material(i);
        if (m.alpha_mode == AlphaMode::opaque) return;
        const auto& [a, b, c] = faces_[i].corners;
        const double w = 1.0 - u - v;
        double alpha =
            static_cast<double>(m.base_color.a) * (a.alpha * w + b.alpha * u + c.alpha * v);
        const std::int32_t id = m.base_color_texture.texture;
        if (id >= 0) {
            const SceneTexture& texture = scene_.textures[static_cast<std::size_t>(id)];
            const HostImage& image = scene_.images[texture.image];
            const glm::dvec2 at = (a.uv * w + b.uv * u + c.uv * v) *
                                  glm::dvec2(image.extent.width, image.extent.height);
            for (int axis = 0; axis < 2; ++axis)
                found.doubtful |= std::abs(at[axis] - std::round(at[axis])) < kNearTexels;
            alpha *= static_cast<double>(image.texel(
                std::min(static_cast<std::uint32_t>(std::max(at.x, 0.0)), image.extent.width - 1),
                std::min(static_cast<std::uint32_t>(std::max(at.y, 0.0)),
                         image.extent.height - 1))[3]);
        }
        found.coverage = alpha;
        if (m.alpha_mode == AlphaMode::mask)
            found.coverage = alpha < static_cast<double>(m.alpha_cutoff) ? 0.0 : 1.0;
    }

    static constexpr double kNear = 1e-4;              // of barycentric coordinates
    static constexpr double kNearTexels = 1.0 / 256.0; // the steps of texture coordinates

    SceneData scene_;
    std::vector<Face> faces_;
};

struct ReferenceLight {
    bool is_sun = true;
    glm::dvec3 place{0.0}; ///< of the sun a unit direction
    double strength = 1.0;
};

/// What the camera of SceneBuilder sees in a pixel of white matt things; nothing where rounding
/// decides.
std::optional<double> seen_radiance(const SeeThroughReference& scene, const ReferenceLight& light,
                                    glm::dvec2 pixel) {
    const glm::dvec3 eye(pixel, 10.0); // at the near plane
    const glm::dvec3 down(0.0, 0.0, -1.0);
    double radiance = 0.0;
    double throughput = 1.0;
    for (const Crossing& at : scene.crossings(eye, down, kWithoutEnd, {})) {
        if (at.doubtful) return {};
        const glm::dvec3 place = eye + at.t * down;
        const glm::dvec3 way = light.is_sun ? light.place : light.place - place;
        const double squared = glm::dot(way, way);
        glm::dvec3 normal = scene.normal(at.face);
        if (normal.z < 0.0) normal = -normal;
        const double cosine = glm::dot(normal, way) / std::sqrt(squared);
        if (cosine > 0.0) {
            const auto share =
                scene.transmittance(place, way, light.is_sun ? kWithoutEnd : 1.0, at.face);
            if (!share) return {};
            radiance += throughput * at.coverage * *share * light.strength * cosine /
                        (squared * std::numbers::pi);
        }
        throughput *= 1.0 - at.coverage;
        if (throughput == 0.0) break;
    }
    return radiance;
}

std::vector<std::array<std::uint8_t, 4>> alphas(const std::vector<std::uint8_t>& values) {
    std::vector<std::array<std::uint8_t, 4>> texels;
    for (const std::uint8_t value : values)
        texels.push_back({255, 255, 255, value});
    return texels;
}

class SeeThroughShadowsTest : public RaytraceTest {
  protected:
    static constexpr float kSunAzimuth = 24.0f;
    static constexpr float kSunElevation = 17.0f;
    static constexpr glm::vec3 kLamp{0.3f, -0.2f, 11.25f}; // between the panes

    static ReferenceLight sun() {
        return {.is_sun = true,
                .place =
                    glm::normalize(glm::dvec3(passes::sun_direction(kSunAzimuth, kSunElevation))),
                .strength = 3.0};
    }
    static ReferenceLight lamp() {
        return {.is_sun = false, .place = glm::dvec3(kLamp), .strength = 300.0};
    }

    /// White ground seen in [-2, 2]^2 below what the camera does not see: a masked square, two
    /// blended panes before each other, and something opaque.
    static SceneBuilder panes_above_ground() {
        SceneBuilder scene;
        scene.camera(2.0f);
        scene.quad(scene.material(SceneBuilder::plain()), scaled(8.0f));
        SceneMaterial mask = SceneBuilder::plain({1, 1, 1, 0.9f});
        mask.alpha_mode = AlphaMode::mask;
        mask.base_color_texture.texture = scene.texture(
            5, 3, alphas({0, 255, 60, 200, 0, 255, 0, 255, 0, 90, 20, 220, 255, 30, 255}));
        scene.quad(scene.material(mask),
                   moved(4.2f, 3.0f, 10.8f) * turned(20, {1, 2, 0}) * scaled(1.4f));
        SceneMaterial textured = SceneBuilder::plain({1, 1, 1, 0.8f});
        textured.alpha_mode = AlphaMode::blend;
        textured.base_color_texture.texture =
            scene.texture(3, 3, alphas({40, 128, 230, 255, 0, 90, 170, 10, 255}));
        SceneBuilder::Quad tinted;
        tinted.color.a = 0.75f;
        scene.quad(scene.material(textured), moved(4.0f, 2.4f, 11.0f) * scaled(1.9f), tinted);
        SceneMaterial plain = SceneBuilder::plain({1, 1, 1, 0.35f});
        plain.alpha_mode = AlphaMode::blend;
        scene.quad(scene.material(plain),
                   moved(4.6f, 3.6f, 11.5f) * turned(-15, {0, 1, 0}) * scaled(1.5f));
        scene.quad(0, moved(6.2f, 3.3f, 13.0f) * scaled(0.4f));
        scene.quad(scene.material(plain), moved(0.5f, 0.3f, 11.1f) * scaled(0.06f));
        scene.quad(scene.material(mask), moved(0.2f, -0.4f, 11.2f) * scaled(0.05f));
        scene.quad(scene.material(plain), moved(0, 0, 11.4f) * scaled(2.0f)); // beyond the lamp
        return scene;
    }
    /// A pane that is seen as well as it casts a shadow, on its own triangles not.
    static SceneBuilder panes_in_sight() {
        SceneBuilder scene = panes_above_ground();
        SceneMaterial pane = SceneBuilder::plain({1, 1, 1, 0.5f});
        pane.alpha_mode = AlphaMode::blend;
        scene.quad(scene.material(pane),
                   moved(-0.4f, 0.3f, 2.0f) * turned(12, {1, 0.3f, 0}) * scaled(0.8f));
        return scene;
    }

    template <typename Pass>
    static Pass lit_by(const ReferenceLight& light, std::uint32_t side) {
        Pass pass = dark<Pass>(side);
        pass.specular = 0.0f;
        pass.bounces = 4;
        if (light.is_sun)
            pass.sun = {.azimuth = kSunAzimuth,
                        .elevation = kSunElevation,
                        .intensity = static_cast<float>(light.strength),
                        .size = 0.0f};
        return pass;
    }
    static void expect_reference(const HostImage& picture, const SceneData& scene,
                                 const ReferenceLight& light, const std::string& what) {
        SCOPED_TRACE(what);
        ASSERT_FALSE(picture.empty());
        const SeeThroughReference reference(scene);
        const std::uint32_t side = picture.extent.width;
        std::uint32_t skipped = 0;
        for (std::uint32_t y = 0; y < side; ++y)
            for (std::uint32_t x = 0; x < side; ++x) {
                const auto expected = seen_radiance(
                    reference, light, {4.0 * (x + 0.5) / side - 2.0, 2.0 - 4.0 * (y + 0.5) / side});
                if (!expected) {
                    ++skipped;
                    continue;
                }
                ASSERT_NEAR(at(picture, x, y).x, *expected, 1e-5 + 1e-5 * *expected)
                    << x << ", " << y;
            }
        EXPECT_LT(skipped, side * side / 5) << "pixels where rounding decides";
    }
    template <typename Pass>
    static Pass with_lamp(Graph& g, Pass pass, const ReferenceLight& light) {
        if constexpr (requires { pass.lights; })
            if (!light.is_sun)
                pass.lights.push_back(
                    g.add(MakeRayLight{.position = kLamp,
                                       .intensity = static_cast<float>(light.strength)})
                        .light);
        return pass;
    }
    template <typename Pass>
    HostImage trace_in(const SceneData& scene, Pass pass, const ReferenceLight& light) {
        Graph g = graph();
        pass.scene = add_scene(g, "scene", pack_scene(SceneData(scene)));
        g.output("color", g.add(with_lamp(g, pass, light)).color);
        testing_gpu::Running running = run(std::move(g));
        return running ? running.image("color") : HostImage{};
    }
};

TEST_F(SeeThroughShadowsTest, LightComesThroughMasksAndPanes) {
    const SceneData scene = panes_in_sight().finish();
    for (const std::uint32_t side : {16u, 37u, 64u})
        for (const ReferenceLight& light : {sun(), lamp()})
            expect_reference(trace_in(scene, lit_by<TraceWhitted>(light, side), light), scene,
                             light, (light.is_sun ? "sun " : "lamp ") + std::to_string(side));
}

// At the first hit the path tracer tries the sun for certain.
TEST_F(SeeThroughShadowsTest, LightComesThroughToPaths) {
    const SceneData scene = panes_above_ground().finish();
    PathTrace pass = lit_by<PathTrace>(sun(), 37);
    pass.jitter = false;
    pass.bounces = 0;
    expect_reference(trace_in(scene, pass, sun()), scene, sun(), "paths");
}

TEST_F(SeeThroughShadowsTest, LightComesThroughByEveryTraversal) {
    const SceneData scene = panes_in_sight().finish();
    for (const ReferenceLight& light : {sun(), lamp()}) {
        Graph g = graph();
        TraceWhitted pass = lit_by<TraceWhitted>(light, 24);
        pass.scene = add_scene(g, "scene", pack_scene(SceneData(scene)));
        pass = with_lamp(g, pass, light);
        const passes::TriangleMesh mesh = g.add(passes::Triangles{.scene = pass.scene}).mesh;
        std::vector<std::string> names;
        const auto add = [&](const std::string& name, const passes::Bvh& bvh, Traversal traversal) {
            pass.bvh = bvh;
            pass.traversal = traversal;
            g.output(name, g.add(pass).color);
            names.push_back(name);
        };
        const passes::Bvh binary = g.add(passes::LbvhBuild{.mesh = mesh}).bvh;
        const passes::Bvh heap = g.add(passes::ImplicitBuild{.mesh = mesh}).bvh;
        add("brute force", passes::without_hierarchy(mesh), Traversal::automatic);
        add("stack", binary, Traversal::stack);
        add("trail", binary, Traversal::bit_trail);
        add("wide", g.add(passes::CollapseBvh{.source = binary}).bvh, Traversal::automatic);
        add("heap by stack", heap, Traversal::stack);
        add("heap by trail", heap, Traversal::bit_trail);
        testing_gpu::Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const HostImage first = running.image(names.front());
        expect_reference(first, scene, light, names.front());
        for (const std::string& name : names)
            EXPECT_EQ(running.image(name).texels, first.texels) << name;
    }
}

TEST_F(SeeThroughShadowsTest, LightComesThroughByTheDevicesRays) {
    const std::vector<DeviceCaps> ways = testing_gpu::ways_of_rays(device().caps());
    if (ways.empty()) GTEST_SKIP() << "the device sends no rays of its own";
    const SceneData scene = panes_in_sight().finish();
    for (const DeviceCaps& way : ways) {
        Graph g = graph();
        g.set_target(way);
        TraceWhitted pass = lit_by<TraceWhitted>(sun(), 24);
        pass.scene = add_scene(g, "scene", pack_scene(SceneData(scene)));
        const passes::TriangleMesh mesh = g.add(passes::Triangles{.scene = pass.scene}).mesh;
        pass.bvh = g.add(passes::HardwareBuild{.mesh = mesh}).bvh;
        g.output("color", g.add(pass).color);
        testing_gpu::Running running = run(std::move(g));
        ASSERT_TRUE(running);
        expect_reference(running.image("color"), scene, sun(),
                         way.ray_query ? "ray queries" : "ray-tracing pipeline");
    }
}

/// Panes and masks above each other, `textured` of them with a texture of their own, opaque
/// materials among them.
SceneBuilder stack_of_panes(int textured) {
    SceneBuilder scene;
    scene.camera(2.0f);
    scene.quad(scene.material(SceneBuilder::plain()), scaled(8.0f));
    for (int i = 0; i < 30; ++i) {
        const float f = static_cast<float>(i);
        SceneMaterial material = SceneBuilder::plain({1, 1, 1, 0.1f + 0.02f * f});
        if (i % 6 != 5) material.alpha_mode = i % 3 == 0 ? AlphaMode::mask : AlphaMode::blend;
        material.alpha_cutoff = 0.04f;
        if (i < textured)
            material.base_color_texture.texture =
                scene.texture(2, 3,
                              alphas({static_cast<std::uint8_t>(9 * i), 200, 0, 90, 40,
                                      static_cast<std::uint8_t>(250 - 8 * i)}));
        const float half = material.alpha_mode == AlphaMode::opaque ? 0.15f : 0.7f;
        scene.quad(scene.material(material),
                   moved(4.4f + 1.1f * std::sin(3.0f * f), 3.2f + 1.1f * std::cos(5.0f * f),
                         10.5f + 0.02f * f) *
                       turned(f, {0, 0, 1}) * scaled(half));
    }
    return scene;
}

// Light that is lost is summed up in whole numbers: not a bit depends on the batches, which are of
// twelve textures, of one, or without any.
TEST_F(SeeThroughShadowsTest, ManyTexturesLetTheSameLightThrough) {
    TUFF_ONLY_ON(lavapipe);
    for (const int textured : {0, 12, 13, 30}) {
        const SceneData scene = stack_of_panes(textured).finish();
        TraceWhitted pass = lit_by<TraceWhitted>(sun(), 29);
        const HostImage batches = trace_in(scene, pass, sun());
        expect_reference(batches, scene, sun(), std::to_string(textured));
        pass.materials = MaterialPasses::each;
        EXPECT_EQ(trace_in(scene, pass, sun()).texels, batches.texels) << textured;
        pass.scheduling = passes::PathScheduling::all;
        EXPECT_EQ(trace_in(scene, pass, sun()).texels, batches.texels) << textured;
        PathTrace paths = lit_by<PathTrace>(sun(), 29);
        paths.bounces = 0;
        paths.jitter = false;
        expect_reference(trace_in(scene, paths, sun()), scene, sun(), "paths");
    }
}

} // namespace
} // namespace tuff
