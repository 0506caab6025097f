#include "tests/gpu/lights/lights_test.hpp"

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace tuff {

using passes::CameraMode;
using testing_gpu::bytes_of;

namespace {

Camera camera_of_columns(Projection kind) {
    Camera camera;
    camera.position = {0.5f, 2.0f, 7.0f};
    camera.target = {0.0f, 0.8f, 0.0f};
    camera.kind = kind;
    camera.vertical_fov = 50.0f;
    camera.orthographic_height = 6.0f;
    camera.near_plane = 0.25f;
    camera.far_plane = 60.0f;
    return camera;
}

struct Seen {
    double away = std::numeric_limits<double>::infinity();
    glm::dvec3 normal{0.0};
    glm::dvec3 color{0.0};
};

/// What a ray meets first: the floor y = 0 or one of four upright columns.
Seen trace(glm::dvec3 from, glm::dvec3 along) {
    Seen seen;
    if (along.y < 0.0 && from.y > 0.0)
        seen = {.away = -from.y / along.y, .normal = {0, 1, 0}, .color = {0.7, 0.6, 0.5}};
    constexpr std::array<glm::dvec3, 4> kColumns{
        {{-2.0, 0.4, 0.0}, {0.6, 0.3, 3.5}, {2.2, 0.6, -3.0}, {-0.7, 0.15, 5.2}}};
    for (const glm::dvec3& column : kColumns) { // x, radius, z
        const glm::dvec2 d(along.x, along.z);
        const glm::dvec2 o(from.x - column.x, from.z - column.z);
        const double a = glm::dot(d, d);
        const double b = glm::dot(o, d);
        const double root = b * b - a * (glm::dot(o, o) - column.y * column.y);
        if (a == 0.0 || root < 0.0) continue;
        const double away = (-b - std::sqrt(root)) / a;
        const glm::dvec3 at = from + away * along;
        if (away <= 0.0 || away >= seen.away || at.y < 0.0 || at.y > 2.5) continue;
        seen = {.away = away,
                .normal = glm::dvec3(at.x - column.x, 0.0, at.z - column.z) / column.y,
                .color = {0.3, 0.5, 0.8}};
    }
    return seen;
}

} // namespace

glm::dmat4 LitPicture::projection() const {
    return glm::dmat4(scene->cameras[0].camera.projection(static_cast<float>(width) /
                                                          static_cast<float>(height)));
}

glm::dmat4 LitPicture::view() const {
    return glm::dmat4(scene->cameras[0].camera.view());
}

double LitPicture::distance_at(double depth_of_it) const {
    const glm::dmat4 p = projection();
    return -(p[3][2] - depth_of_it * p[3][3]) / (depth_of_it * p[2][3] - p[2][2]);
}

glm::dvec3 LitPicture::seen_at(std::uint32_t x, std::uint32_t y, double depth_of_it) const {
    const glm::dvec4 clip((x + 0.5) / width * 2.0 - 1.0, (y + 0.5) / height * 2.0 - 1.0,
                          depth_of_it, 1.0);
    const glm::dvec4 at = glm::inverse(projection()) * clip;
    return {at.x / at.w, at.y / at.w, -at.z / at.w};
}

LitPicture columns(std::uint32_t width, std::uint32_t height, Projection kind) {
    auto scene = std::make_shared<SceneData>();
    scene->cameras.push_back({.name = "eye", .camera = camera_of_columns(kind)});
    LitPicture picture{.width = width, .height = height, .scene = std::move(scene)};
    const glm::dmat4 clip_from_world = picture.projection() * picture.view();
    const glm::dmat4 world_from_clip = glm::inverse(clip_from_world);
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            const auto at = [&](double depth) {
                const glm::dvec4 point =
                    world_from_clip * glm::dvec4((x + 0.5) / width * 2.0 - 1.0,
                                                 (y + 0.5) / height * 2.0 - 1.0, depth, 1.0);
                return glm::dvec3(point) / point.w;
            };
            const glm::dvec3 from = at(0.0);
            const glm::dvec3 along = at(1.0) - from;
            const Seen seen = trace(from, along);
            const bool hit = seen.away < 1.0;
            double depth = 1.0;
            if (hit) {
                const glm::dvec4 clip = clip_from_world * glm::dvec4(from + seen.away * along, 1.0);
                depth = clip.z / clip.w;
            }
            picture.depth.push_back(static_cast<float>(depth));
            picture.normal.emplace_back(seen.normal, hit ? 1.0 : 0.0);
            picture.albedo.emplace_back(seen.color, hit ? 1.0 : 0.0);
        }
    return picture;
}

HostLights random_lights(std::uint32_t count, std::uint32_t seed, float spots, float range) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> one(0.0f, 1.0f);
    const auto between = [&](float low, float high) { return low + (high - low) * one(random); };
    HostLights lights;
    for (std::uint32_t i = 0; i < count; ++i) {
        // Behind the camera, too, and about it.
        lights.spheres.emplace_back(between(-4, 4), between(-0.5f, 3), between(-10, 9),
                                    range * between(0.2f, 1.0f));
        passes::LightShade shade{.color = {between(0, 2), between(0, 2), between(0, 2)}};
        if (one(random) < spots) {
            const float outer =
                between(0.3f, 2.2f); // radians: narrow ones to those above 90 degrees
            shade.direction =
                glm::normalize(glm::vec3(between(-1, 1), between(-1, 0.5f), between(-1, 1.01f)));
            shade.cos_outer = std::cos(outer);
            shade.cos_inner = std::cos(outer * between(0.0f, 0.8f));
        }
        lights.shades.push_back(shade);
    }
    return lights;
}

bool reaches(const HostLights& lights, std::size_t light, glm::dvec3 point) {
    const glm::vec4 sphere = lights.spheres[light];
    const passes::LightShade& shade = lights.shades[light];
    const glm::dvec3 from_light = point - glm::dvec3(sphere);
    const double away = glm::length(from_light);
    if (!(away < static_cast<double>(sphere.w))) return false;
    return shade.cos_outer < -1.0f || glm::dot(glm::dvec3(shade.direction), from_light) >
                                          static_cast<double>(shade.cos_outer) * away;
}

glm::dvec3 reflected_light(const HostLights& lights, std::size_t i, glm::dvec3 point,
                           glm::dvec3 normal, glm::dvec3 view, glm::dvec3 color, double roughness,
                           double metallic) {
    if (!reaches(lights, i, point)) return glm::dvec3(0.0);
    const passes::LightShade& shade = lights.shades[i];
    const glm::dvec3 to_light = glm::dvec3(lights.spheres[i]) - point;
    const double away = glm::length(to_light);
    const glm::dvec3 l = to_light / away;
    const double n_l = glm::dot(normal, l);
    if (n_l <= 0.0) return glm::dvec3(0.0);
    const double window = std::pow(
        std::max(1.0 - std::pow(away / static_cast<double>(lights.spheres[i].w), 4), 0.0), 2);
    double cone = 1.0;
    if (shade.cos_outer >= -1.0f) {
        const auto outer = static_cast<double>(shade.cos_outer);
        const auto inner = static_cast<double>(shade.cos_inner);
        const double share =
            (glm::dot(glm::dvec3(shade.direction), -l) - outer) / std::max(inner - outer, 1e-4);
        cone = std::pow(std::clamp(share, 0.0, 1.0), 2);
    }
    const glm::dvec3 h = glm::normalize(l + view);
    const double alpha = std::max(roughness * roughness, 0.002);
    const double n_h = glm::dot(normal, h), v_h = glm::dot(view, h);
    const double n_v = std::max(glm::dot(normal, view), 1e-4);
    const double a2 = alpha * alpha;
    const double d = a2 / (std::numbers::pi * std::pow(n_h * n_h * (a2 - 1.0) + 1.0, 2));
    const double visibility = 0.5 / (n_l * std::sqrt(n_v * n_v * (1 - a2) + a2) +
                                     n_v * std::sqrt(n_l * n_l * (1 - a2) + a2));
    const glm::dvec3 f0 = glm::mix(glm::dvec3(0.04), color, metallic);
    const glm::dvec3 fresnel = f0 + (1.0 - f0) * std::pow(1.0 - v_h, 5);
    const glm::dvec3 diffuse = color * (1.0 - metallic) / std::numbers::pi;
    return glm::dvec3(shade.color) * (n_l * cone * window / std::max(away * away, 1e-4)) *
           (diffuse * (1.0 - fresnel) + fresnel * (d * visibility));
}

TrueSets::TrueSets(const LitPicture& picture, const HostLights& lights)
    : words_(std::max((lights.count() + 31) / 32, 1u)),
      sets_(std::size_t{picture.width} * picture.height * words_) {
    const glm::dmat4 world_from_view = glm::inverse(picture.view());
    for (std::uint32_t y = 0; y < picture.height; ++y)
        for (std::uint32_t x = 0; x < picture.width; ++x) {
            const std::size_t pixel = std::size_t{y} * picture.width + x;
            if (!picture.shows(pixel)) continue;
            const glm::dvec3 seen =
                picture.seen_at(x, y, static_cast<double>(picture.depth[pixel]));
            const glm::dvec3 point(world_from_view * glm::dvec4(seen.x, seen.y, -seen.z, 1.0));
            for (std::uint32_t i = 0; i < lights.count(); ++i)
                if (reaches(lights, i, point)) sets_[pixel * words_ + i / 32] |= 1u << (i % 32);
        }
}

Image LightsTest::depth_of(Graph& g, const LitPicture& picture) {
    return g.constant_image(
        "depth", {.format = Format::r32_sfloat, .extent = {picture.width, picture.height, 1}},
        bytes_of(picture.depth));
}

passes::Lights LightsTest::lights_of(Graph& g, const HostLights& lights) {
    HostLights some = lights;
    if (some.spheres.empty()) {
        some.spheres.emplace_back(0.0f);
        some.shades.emplace_back();
    }
    return {.spheres = g.constant_buffer(
                "spheres", {.size = some.spheres.size() * sizeof(glm::vec4), .stride = 16},
                bytes_of(some.spheres)),
            .shades = g.constant_buffer(
                "shades", {.size = some.shades.size() * sizeof(passes::LightShade), .stride = 32},
                bytes_of(some.shades)),
            .count = lights.count()};
}

passes::CullLights LightsTest::connected(Graph& g, const LitPicture& picture,
                                         const HostLights& lights, passes::CullLights pass) {
    pass.lights = lights_of(g, lights);
    pass.depth = depth_of(g, picture);
    pass.scene = scene_of(picture);
    pass.camera.mode = CameraMode::file;
    return pass;
}

passes::ShadeLights LightsTest::shading(Graph& g, const LitPicture& picture,
                                        const passes::Lights& lights, passes::LightGrid grid) {
    const ImageDesc desc{.format = Format::rgba32_sfloat,
                         .extent = {picture.width, picture.height, 1}};
    passes::ShadeLights pass{.lights = lights,
                             .grid = grid,
                             .depth = depth_of(g, picture),
                             .normal = g.constant_image("normal", desc, bytes_of(picture.normal)),
                             .albedo = g.constant_image("albedo", desc, bytes_of(picture.albedo)),
                             .scene = scene_of(picture),
                             .background = {0.25f, 0.5f, 0.75f, 1.0f},
                             .storage = passes::LitStorage::rgba32_sfloat};
    pass.camera.mode = CameraMode::file;
    return pass;
}

HostGrid LightsTest::culled(const LitPicture& picture, const HostLights& lights,
                            const passes::CullLights& pass) {
    Graph g = graph();
    const passes::LightGrid grid = g.add(connected(g, picture, lights, pass)).grid;
    g.output("masks", grid.masks);
    g.output("bounds", grid.bounds);
    g.output("status", grid.status);
    testing_gpu::Running running = run(std::move(g));
    return {.grid = grid,
            .masks = running.buffer<std::uint32_t>("masks"),
            .bounds = running.buffer<glm::vec4>("bounds"),
            .status = running.buffer<std::uint32_t>("status")};
}

} // namespace tuff
