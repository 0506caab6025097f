#include "apps/bench/checks.hpp"
#include "passes/lights/cull.hpp"
#include "passes/lights/generate.hpp"
#include "passes/lights/list.hpp"
#include "passes/lights/shade.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

/// Many lights over a hall of columns. A size is pixels of a picture of 16:9: 2073600 is 1920 x
/// 1080.
namespace tuff::bench {
namespace {

using passes::CullLights;
using passes::GenerateLights;
using passes::ShadeLights;

constexpr std::uint64_t kCheckedLightPixels = 64;

Extent hall_extent(const CaseBuilder& c) {
    const double pixels = static_cast<double>(c.size());
    const auto height = std::max(1u, static_cast<std::uint32_t>(std::sqrt(pixels * 9.0 / 16.0)));
    return {static_cast<std::uint32_t>(c.size() / height), height, 1};
}

/// A floor, columns that stand on it, and sky.
struct Hall {
    Scene scene;
    Extent extent;
    ImageInput<float> depth;
    ImageInput<glm::vec4> normal;
    ImageInput<glm::vec4> albedo;
    glm::dmat4 world_from_clip{1.0};

    passes::CameraParameters camera() const { return {.mode = passes::CameraMode::file}; }
    glm::dvec3 point(std::uint32_t x, std::uint32_t y, double depth_there) const {
        const glm::dvec4 at =
            world_from_clip * glm::dvec4((x + 0.5) / extent.width * 2.0 - 1.0,
                                         (y + 0.5) / extent.height * 2.0 - 1.0, depth_there, 1.0);
        return glm::dvec3(at) / at.w;
    }
};

struct HallHit {
    float depth = 1.0f;
    glm::vec3 normal{0.0f};
};

HallHit look(const glm::mat4& clip_from_world, glm::vec3 from, glm::vec3 along) {
    float away = along.y < 0.0f ? -from.y / along.y : 1e30f;
    glm::vec3 normal(0, 1, 0);
    constexpr float kRadius = 0.35f;
    constexpr float kHeight = 5.0f;
    for (int row = 0; row < 10; ++row)
        for (int side = -2; side <= 2; ++side) {
            const glm::vec2 middle(3.0f * static_cast<float>(side) + 1.5f,
                                   -3.5f * static_cast<float>(row));
            const glm::vec2 d(along.x, along.z);
            const glm::vec2 o = glm::vec2(from.x, from.z) - middle;
            const float a = glm::dot(d, d);
            const float b = glm::dot(o, d);
            const float root = b * b - a * (glm::dot(o, o) - kRadius * kRadius);
            const float t = root > 0.0f ? (-b - std::sqrt(root)) / a : -1.0f;
            const glm::vec3 at = from + t * along;
            if (!(t > 0.0f && t < away && at.y > 0.0f && at.y < kHeight)) continue;
            away = t;
            normal = glm::vec3(at.x - middle.x, 0.0f, at.z - middle.y) / kRadius;
        }
    if (away >= 60.0f) return {};
    const glm::vec4 clip = clip_from_world * glm::vec4(from + away * along, 1.0f);
    return {.depth = clip.z / clip.w, .normal = normal};
}

Hall make_hall(CaseBuilder& c) {
    Camera camera;
    camera.position = {0.0f, 3.0f, 6.0f};
    camera.target = {0.0f, 1.2f, -6.0f};
    camera.vertical_fov = 55.0f;
    camera.near_plane = 0.2f;
    camera.far_plane = 80.0f;
    auto data = std::make_shared<SceneData>();
    data->cameras.push_back({.name = "eye", .camera = camera});
    Hall hall{.extent = hall_extent(c)};
    hall.scene.data = data;
    const glm::mat4 clip_from_world = camera.projection(static_cast<float>(hall.extent.width) /
                                                        static_cast<float>(hall.extent.height)) *
                                      camera.view();
    hall.world_from_clip = glm::inverse(glm::dmat4(clip_from_world));
    const std::uint64_t pixels = std::uint64_t{hall.extent.width} * hall.extent.height;
    std::vector<HallHit> hits(pixels);
    for (std::uint64_t i = 0; i < pixels; ++i) {
        const auto x = static_cast<std::uint32_t>(i % hall.extent.width);
        const auto y = static_cast<std::uint32_t>(i / hall.extent.width);
        const glm::vec3 far(hall.point(x, y, 1.0));
        hits[i] = look(clip_from_world, camera.position, glm::normalize(far - camera.position));
    }
    hall.depth = c.image<float>("depth", Format::r32_sfloat, hall.extent,
                                [&](std::uint64_t i) { return hits[i].depth; });
    hall.normal = c.image<glm::vec4>("normal", Format::rgba32_sfloat, hall.extent,
                                     [&](std::uint64_t i) { return glm::vec4(hits[i].normal, 1); });
    hall.albedo = c.image<glm::vec4>("albedo", Format::rgba32_sfloat, hall.extent,
                                     [](std::uint64_t) { return glm::vec4(0.6f, 0.55f, 0.5f, 1); });
    return hall;
}

/// Lights in the hall, as many for each cube of it as 1,024 of a range of one unit are.
passes::Lights lights_in_hall(CaseBuilder& c, std::uint32_t count) {
    const float range = std::cbrt(1024.0f / static_cast<float>(count));
    return c.graph()
        .add(GenerateLights{.count = count,
                            .low = {-8, 0, -34},
                            .high = {8, 5, 5},
                            .least_range = 0.6f * range,
                            .greatest_range = 1.2f * range,
                            .spots = 0.25f})
        .lights;
}

/// Of some pixels, each light that reaches one is in its list. Says how many pixels try.
Verdict none_is_missing(const Hall& hall, const passes::LightGrid& grid, CaseResults& results) {
    const auto masks = results.read<std::uint32_t>("masks");
    const auto bounds = results.read<glm::vec4>("bounds");
    const auto spheres = results.read<glm::vec4>("spheres");
    const auto shades = results.read<passes::LightShade>("shades");
    if (masks.size() != std::size_t{grid.list_count()} * grid.words || spheres.size() < grid.count)
        return std::unexpected("there is no result");
    std::uint64_t tried = 0, needed = 0, seen = 0;
    for (std::uint64_t k = 0; k < kCheckedLightPixels; ++k) {
        const std::uint32_t x = hash32(2 * k) % hall.extent.width;
        const std::uint32_t y = hash32(2 * k + 1) % hall.extent.height;
        const float depth = hall.depth.texels()[std::size_t{y} * hall.extent.width + x];
        if (depth >= 1.0f) continue;
        ++seen;
        const std::size_t tile = std::size_t{y / grid.side} * grid.tiles_x() + x / grid.side;
        const std::size_t list =
            tile * grid.lists_a_tile + (grid.lists_a_tile == 2 && depth > bounds[tile].y ? 1 : 0);
        const glm::dvec3 point = hall.point(x, y, static_cast<double>(depth));
        for (std::uint32_t i = 0; i < grid.count; ++i) {
            const glm::dvec3 from_light = point - glm::dvec3(spheres[i]);
            const double away = glm::length(from_light);
            const bool listed = masks[list * grid.words + i / 32] >> (i % 32) & 1;
            const bool lit = away < static_cast<double>(spheres[i].w) * (1.0 - 1e-5) &&
                             (shades[i].cos_outer < -1.0f ||
                              glm::dot(glm::dvec3(shades[i].direction), from_light) >
                                  (static_cast<double>(shades[i].cos_outer) + 1e-5) * away);
            tried += listed;
            needed += lit;
            if (lit && !listed)
                return std::unexpected(fmt::format("light {} is missing at {}, {}", i, x, y));
        }
    }
    results.set_remark(fmt::format(
        "{:.1f} lights a pixel, {:.1f} reach it",
        static_cast<double>(tried) / static_cast<double>(std::max<std::uint64_t>(seen, 1)),
        static_cast<double>(needed) / static_cast<double>(std::max<std::uint64_t>(seen, 1))));
    return {};
}

void add_cull_case(CaseList& cases, std::string name, std::uint32_t count, CullLights pass) {
    cases.add({.pass = std::string(CullLights::kName),
               .name = std::move(name),
               .build =
                   [count, pass](CaseBuilder& c) {
                       const Hall hall = make_hall(c);
                       CullLights connected = pass;
                       connected.lights = lights_in_hall(c, count);
                       connected.depth = hall.depth.image;
                       connected.scene = hall.scene;
                       connected.camera = hall.camera();
                       connected = c.add(connected, "cull");
                       c.time_only("cull/");
                       c.output("masks", connected.grid.masks);
                       c.output("bounds", connected.grid.bounds);
                       c.output("spheres", connected.lights.spheres);
                       c.output("shades", connected.lights.shades);
                       c.check([hall, grid = connected.grid](CaseResults& results) {
                           return none_is_missing(hall, grid, results);
                       });
                   },
               .most_on_software = 1u << 16});
}

/// The picture by lists, and by all lights: equal within rounding.
Verdict is_same_picture(CaseResults& results) {
    const HostImage by_lists = results.read_image("by_lists");
    const HostImage by_all = results.read_image("by_all");
    if (by_lists.empty() || by_lists.texels.size() != by_all.texels.size())
        return std::unexpected("there is no result");
    for (std::uint32_t y = 0; y < by_all.extent.height; y += 3)
        for (std::uint32_t x = 0; x < by_all.extent.width; x += 3)
            for (std::size_t k = 0; k < 3; ++k) {
                const double wanted = static_cast<double>(by_all.texel(x, y)[k]);
                const Verdict close = near(static_cast<double>(by_lists.texel(x, y)[k]), wanted,
                                           {.absolute = 1e-4, .relative = 1e-3}); // half floats
                if (!close) return close;
            }
    return {};
}

void add_shade_case(CaseList& cases, std::string name, std::uint32_t count, CullLights culling) {
    cases.add({.pass = std::string(ShadeLights::kName),
               .name = std::move(name),
               .build =
                   [count, culling](CaseBuilder& c) {
                       const Hall hall = make_hall(c);
                       CullLights lists = culling;
                       lists.lights = lights_in_hall(c, count);
                       lists.depth = hall.depth.image;
                       lists.scene = hall.scene;
                       lists.camera = hall.camera();
                       lists = c.graph().add(lists);
                       ShadeLights pass{.lights = lists.lights,
                                        .grid = lists.grid,
                                        .depth = hall.depth.image,
                                        .normal = hall.normal.image,
                                        .albedo = hall.albedo.image,
                                        .scene = hall.scene,
                                        .camera = hall.camera()};
                       c.output("by_lists", c.add(pass, "shade").result);
                       c.time_only("shade/");
                       pass.grid = {};
                       c.output("by_all", c.graph().add(pass, "all").result);
                       c.check(is_same_picture);
                   },
               .most_on_software = 1u << 14});
}

/// All lights are in their box, with ranges between the two that are given.
void generated(CaseBuilder& c) {
    const auto count = static_cast<std::uint32_t>(c.size());
    const GenerateLights pass = c.add(GenerateLights{.count = count});
    c.check<glm::vec4>("spheres", pass.lights.spheres, [count](std::span<const glm::vec4> got) {
        if (got.size() != count) return Verdict(std::unexpected("there is no result"));
        for (const glm::vec4& sphere : got)
            for (int axis = 0; axis < 3; ++axis)
                if (!(std::abs(sphere[axis]) <= 1.0f && sphere.w >= 0.1f && sphere.w <= 0.3f))
                    return Verdict(std::unexpected("a light is outside of the box"));
        return Verdict();
    });
}

/// Numbers of some pixels are those of the bits of their masks.
void heat(CaseBuilder& c) {
    const Hall hall = make_hall(c);
    CullLights lists{.lights = lights_in_hall(c, 256),
                     .depth = hall.depth.image,
                     .scene = hall.scene,
                     .camera = hall.camera(),
                     .split = passes::DepthSplit::none};
    lists = c.graph().add(lists);
    c.output("numbers", c.add(passes::LightHeat{.grid = lists.grid,
                                                .depth = hall.depth.image,
                                                .scene = hall.scene,
                                                .camera = hall.camera()},
                              "heat")
                            .numbers);
    c.output("masks", lists.grid.masks);
    c.time_only("heat/");
    c.check([hall, grid = lists.grid](CaseResults& results) -> Verdict {
        const HostImage numbers = results.read_image("numbers");
        const auto masks = results.read<std::uint32_t>("masks");
        if (numbers.empty() || masks.empty()) return std::unexpected("there is no result");
        for (std::uint64_t k = 0; k < kCheckedLightPixels; ++k) {
            const std::uint32_t x = hash32(2 * k) % hall.extent.width;
            const std::uint32_t y = hash32(2 * k + 1) % hall.extent.height;
            const bool shown = hall.depth.texels()[std::size_t{y} * hall.extent.width + x] < 1.0f;
            const std::size_t tile = std::size_t{y / grid.side} * grid.tiles_x() + x / grid.side;
            int wanted = 0;
            for (std::uint32_t w = 0; shown && w < grid.words; ++w)
                wanted += std::popcount(masks[tile * grid.words + w]);
            if (numbers.texel(x, y)[0] != static_cast<float>(wanted))
                return std::unexpected(fmt::format("{}, {} has another number", x, y));
        }
        return {};
    });
}

} // namespace

void add_lights_cases(CaseList& cases) {
    using passes::CullTest, passes::DepthSplit, passes::MacroTiles;
    add_cull_case(cases, "1024 lights", 1024, {});
    add_cull_case(cases, "1024 lights by planes in one list", 1024,
                  {.test = CullTest::planes, .split = DepthSplit::none});
    add_cull_case(cases, "1024 lights exact", 1024, {.test = CullTest::exact});
    add_cull_case(cases, "1024 lights by pixels", 1024, {.test = CullTest::pixels});
    add_cull_case(cases, "2048 lights by macro tiles", 2048, {.macro = MacroTiles::on});
    add_cull_case(cases, "16384 lights by macro tiles", 16384, {.macro = MacroTiles::on});
    cases.add({.pass = std::string(GenerateLights::kName),
               .name = "default",
               .build = generated,
               .most = passes::kMostLights});
    cases.add({.pass = std::string(passes::LightHeat::kName),
               .name = "256 lights",
               .build = heat,
               .most_on_software = 1u << 16});
    add_shade_case(cases, "1024 lights", 1024, {});
    add_shade_case(cases, "1024 lights of lists by pixels", 1024, {.test = CullTest::pixels});
}

} // namespace tuff::bench
