// raytrace/whitted against a tracer of its own on the CPU: recursive, in double precision.

#include "tests/gpu/raytrace/raytrace_fixture.hpp"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

namespace tuff {
namespace {

constexpr double kHalfTurn = std::numbers::pi;

struct Corner {
    glm::dvec3 position;
    glm::dvec3 normal;
};
struct Face {
    Corner corners[3];
    const SceneMaterial* material;
};
struct Found {
    double t = std::numeric_limits<double>::max();
    const Face* face = nullptr;
    double u = 0.0;
    double v = 0.0;
};

/// A point or spot light.
struct Lamp {
    glm::dvec3 position;
    double intensity;
    glm::dvec3 axis{0.0, -1.0, 0.0}; // unit
    double inner = -2.0;             // cosines, of a point less than all
    double outer = -3.0;
};

/// A sun and lamps, opaque materials without textures, no light from around.
class ReferenceTracer {
  public:
    ReferenceTracer(const SceneData& scene, glm::dvec3 sun, double irradiance)
        : sun_(sun), irradiance_(irradiance) {
        for (const SceneDraw& draw : scene.draws)
            for (std::uint32_t i = 0; i < draw.index_count; i += 3) {
                Face face{.corners = {}, .material = &scene.materials[draw.material]};
                for (std::uint32_t c = 0; c < 3; ++c) {
                    const Vertex& vertex =
                        scene.vertices[static_cast<std::size_t>(draw.vertex_offset) +
                                       scene.indices[draw.first_index + i + c]];
                    const SceneTransform& place = scene.transforms[draw.transform];
                    face.corners[c] = {glm::dvec3(glm::dmat4(place.world) *
                                                  glm::dvec4(glm::dvec3(vertex.position), 1.0)),
                                       glm::dmat3(glm::dmat4(place.normal)) *
                                           glm::dvec3(vertex.normal)};
                }
                faces_.push_back(face);
            }
    }

    std::vector<Lamp> lamps;

    glm::dvec3 radiance(glm::dvec3 origin, glm::dvec3 direction, int bounces) const {
        const Found hit = closest(origin, direction);
        if (!hit.face) return glm::dvec3(0.0);
        const Corner* c = hit.face->corners;
        glm::dvec3 front = glm::normalize(
            glm::cross(c[1].position - c[0].position, c[2].position - c[0].position));
        glm::dvec3 normal = glm::normalize(c[0].normal * (1 - hit.u - hit.v) + c[1].normal * hit.u +
                                           c[2].normal * hit.v);
        if (glm::dot(front, direction) > 0.0) {
            front = -front;
            normal = -normal;
        }
        const glm::dvec3 view = -direction;
        const glm::dvec3 place = origin + hit.t * direction + 1e-6 * front;
        const SceneMaterial& m = *hit.face->material;
        const glm::dvec3 color(m.base_color);
        const double metallic = static_cast<double>(m.metallic);
        const double roughness = static_cast<double>(m.roughness);
        const glm::dvec3 base = color * (1.0 - metallic);
        const glm::dvec3 f0 = glm::mix(glm::dvec3(0.04), color, metallic);
        const auto fresnel = [&](double cosine) {
            return f0 + (1.0 - f0) * std::pow(1.0 - std::clamp(cosine, 0.0, 1.0), 5.0);
        };
        glm::dvec3 sum(m.emissive);
        const auto lit = [&](glm::dvec3 light, double irradiance, double distance) {
            const double n_l = glm::dot(normal, light);
            if (n_l <= 0.0 || glm::dot(front, light) <= 0.0) return glm::dvec3(0.0);
            if (closest(place, light).t < distance) return glm::dvec3(0.0);
            const glm::dvec3 h = glm::normalize(view + light);
            const glm::dvec3 f = fresnel(glm::dot(view, h));
            const double a = std::max(roughness * roughness, 0.002);
            const double n_h = glm::dot(normal, h);
            const double n_v = std::max(glm::dot(normal, view), 1e-4);
            const double d = a * a / (kHalfTurn * std::pow(n_h * n_h * (a * a - 1.0) + 1.0, 2.0));
            const double smith = 0.5 / (n_l * std::sqrt(n_v * n_v * (1 - a * a) + a * a) +
                                        n_v * std::sqrt(n_l * n_l * (1 - a * a) + a * a));
            return irradiance * n_l * (base * (1.0 - f) / kHalfTurn + f * d * smith);
        };
        sum += lit(sun_, irradiance_, std::numeric_limits<double>::max());
        for (const Lamp& lamp : lamps) {
            const double distance = glm::distance(lamp.position, place);
            const glm::dvec3 light = (lamp.position - place) / distance;
            const double share = std::clamp(
                (glm::dot(-light, lamp.axis) - lamp.outer) / (lamp.inner - lamp.outer), 0.0, 1.0);
            sum += lit(light, lamp.intensity * share * share / (distance * distance), distance);
        }
        if (bounces == 0) return sum;
        glm::dvec3 mirror = glm::reflect(direction, normal);
        const double below = glm::dot(mirror, front);
        if (below <= 0.0) mirror = glm::normalize(mirror + (1e-3 - below) * front);
        return sum + (1.0 - roughness) * fresnel(glm::dot(normal, view)) *
                         radiance(place, mirror, bounces - 1);
    }

  private:
    Found closest(glm::dvec3 origin, glm::dvec3 direction) const {
        Found best;
        for (const Face& face : faces_) {
            const glm::dvec3 ab = face.corners[1].position - face.corners[0].position;
            const glm::dvec3 ac = face.corners[2].position - face.corners[0].position;
            const glm::dvec3 p = glm::cross(direction, ac);
            const double determinant = glm::dot(ab, p);
            if (determinant == 0.0) continue;
            const glm::dvec3 from = origin - face.corners[0].position;
            const double u = glm::dot(from, p) / determinant;
            const glm::dvec3 q = glm::cross(from, ab);
            const double v = glm::dot(direction, q) / determinant;
            const double t = glm::dot(ac, q) / determinant;
            if (u < 0 || v < 0 || u + v > 1 || t < 0 || t >= best.t) continue;
            best = {t, &face, u, v};
        }
        return best;
    }

    std::vector<Face> faces_;
    glm::dvec3 sun_;
    double irradiance_;
};

using WhittedReference = RaytraceTest;

TEST_F(WhittedReference, PicturesAreThoseOfARecursiveTracer) {
    SceneBuilder builder;
    Camera camera;
    camera.position = {0.5f, 2.0f, 6.0f};
    camera.target = {0, 0.4f, 0};
    builder.camera(camera);
    builder.quad(builder.material(SceneBuilder::plain({0.5f, 0.6f, 0.5f, 1}, 0, 0.2f)),
                 turned(-90, {1, 0, 0}) * scaled(5.0f));
    const float roughness[] = {0.0f, 0.3f, 0.8f};
    for (int i = 0; i < 3; ++i)
        builder.sphere(builder.material(SceneBuilder::plain(
                           {0.9f, 0.5f, 0.3f, 1}, static_cast<float>(i != 1), roughness[i])),
                       moved(1.3f * static_cast<float>(i - 1), 0.61f, 0) * scaled(0.6f), 7);
    SceneMaterial lamp = SceneBuilder::plain({0.1f, 0.1f, 0.1f, 1});
    lamp.emissive = {0.3f, 0.6f, 0.9f};
    builder.quad(builder.material(lamp), moved(0, 1.5f, -2.5f) * scaled(1.5f));
    const SceneData scene = std::move(builder).finish();

    constexpr std::uint32_t kSide = 48;
    auto pass = dark<passes::TraceWhitted>(kSide);
    pass.bounces = 2;
    pass.sun = {.azimuth = 35.0f, .elevation = 40.0f, .intensity = 1.5f};
    Graph g = graph();
    pass.scene = add_scene(g, "scene", pack_scene(SceneData(scene)));
    pass.lights = {g.add(passes::MakeRayLight{.position = {-2, 2.5f, 1.5f}, .intensity = 8}).light,
                   g.add(passes::MakeRayLight{.kind = passes::LightKind::spot,
                                              .position = {2, 3, 1},
                                              .direction = {-1, -2, -1},
                                              .intensity = 15,
                                              .inner_angle = 15,
                                              .outer_angle = 35})
                       .light};
    g.output("color", g.add(pass).color);
    testing_gpu::Running running = run(std::move(g));
    const HostImage picture = running ? running.image("color") : HostImage{};
    ASSERT_FALSE(picture.empty());

    const double azimuth = 35.0 * kHalfTurn / 180.0;
    const double elevation = 40.0 * kHalfTurn / 180.0;
    ReferenceTracer reference(scene,
                              {std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                               std::cos(azimuth) * std::cos(elevation)},
                              1.5);
    reference.lamps = {{.position = {-2, 2.5, 1.5}, .intensity = 8},
                       {.position = {2, 3, 1},
                        .intensity = 15,
                        .axis = glm::normalize(glm::dvec3(-1, -2, -1)),
                        .inner = std::cos(glm::radians(15.0)),
                        .outer = std::cos(glm::radians(35.0))}};
    const glm::dmat4 back =
        glm::inverse(glm::dmat4(camera.projection(1.0f)) * glm::dmat4(camera.view()));
    double squares = 0.0;
    int off = 0;
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x) {
            glm::dvec4 far = back * glm::dvec4(2.0 * (x + 0.5) / kSide - 1.0,
                                               2.0 * (y + 0.5) / kSide - 1.0, 1.0, 1.0);
            const glm::dvec3 eye(camera.position);
            const glm::dvec3 expected =
                glm::min(reference.radiance(eye, glm::normalize(glm::dvec3(far) / far.w - eye), 2),
                         glm::dvec3(4.0));
            const double difference =
                glm::distance(glm::min(at(picture, x, y), glm::dvec3(4.0)), expected);
            // Edges of faces and shadows fall on one side or the other.
            if (difference > 1e-2)
                ++off;
            else
                squares += difference * difference;
        }
    RecordProperty("off", off);
    EXPECT_LT(std::sqrt(squares / (kSide * kSide)), 1.0 / 255.0);
    EXPECT_LE(off, static_cast<int>(kSide * kSide / 100));
}

} // namespace
} // namespace tuff
