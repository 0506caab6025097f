#include "apps/bench/checks.hpp"
#include "passes/terrain/draw.hpp"
#include "passes/terrain/map.hpp"
#include "passes/terrain/planet.hpp"
#include "passes/terrain/quadtree.hpp"
#include "passes/terrain/shade_planet.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

/// Pictures of as many pixels as the case has elements.
namespace tuff::bench {
namespace {

using passes::QuadTree;
using passes::TreeNode;

constexpr float kWaveHeight = 0.05f;
constexpr float kWave = 12.0f;
constexpr double kViewHeight = 1.1547; // at distance 1, of 60 degrees

Extent wide_picture(const CaseBuilder& c) {
    const double pixels = static_cast<double>(c.size());
    const auto height = std::max(1u, static_cast<std::uint32_t>(std::sqrt(pixels * 9.0 / 16.0)));
    return {static_cast<std::uint32_t>(c.size() / height), height, 1};
}

double aspect_of(Extent extent) {
    return static_cast<double>(extent.width) / static_cast<double>(extent.height);
}

/// From clip coordinates to the world, in double precision.
glm::dmat4 world_from_clip(const passes::CameraParameters& camera, Extent extent) {
    const Camera eye{.position = camera.position,
                     .target = camera.target,
                     .vertical_fov = camera.vertical_fov,
                     .near_plane = camera.near_plane,
                     .far_plane = camera.far_plane};
    const glm::dmat4 projection(eye.projection(static_cast<float>(aspect_of(extent))));
    return glm::inverse(projection * glm::dmat4(eye.view()));
}

glm::dvec3 point_of(const glm::dmat4& from_clip, Extent extent, std::uint32_t x, std::uint32_t y,
                    double depth) {
    const glm::dvec4 at = from_clip * glm::dvec4((x + 0.5) / extent.width * 2.0 - 1.0,
                                                 (y + 0.5) / extent.height * 2.0 - 1.0, depth, 1.0);
    return glm::dvec3(at) / at.w;
}

void output_leaves(CaseBuilder& c, const QuadTree& tree) {
    c.output("keys", tree.keys);
    c.output("status", tree.status);
}

std::vector<TreeNode> read_leaves(CaseResults& results) {
    const auto keys = results.read<std::uint32_t>("keys");
    const auto status = results.read<std::uint32_t>("status");
    const std::size_t count = status.empty() ? 0 : std::min<std::size_t>(status[0], keys.size());
    std::vector<TreeNode> leaves;
    for (std::size_t i = 0; i < count; ++i)
        leaves.push_back(passes::node_of_narrow(keys[i]));
    return leaves;
}

/// A ground of waves, whose height is known: depths are theirs, but for what straight lines between
/// vertices leave out, h^2 (|f_xx| + 2 |f_xz| + |f_zz|) / 8.
void draw(CaseBuilder& c, passes::Stitching stitching) {
    const Extent extent = wide_picture(c);
    const passes::CameraParameters camera{.mode = passes::CameraMode::free,
                                          .position = {0.1f, 0.3f, 0.25f},
                                          .target = {0.0f, 0.0f, -0.1f},
                                          .vertical_fov = 60.0f,
                                          .near_plane = 5e-3f,
                                          .far_plane = 8.0f};
    const passes::Surface surface =
        c.graph()
            .add(passes::MakeSurface{
                .kind = passes::SurfaceKind::sine, .height = kWaveHeight, .waves = {kWave, kWave}})
            .surface;
    const QuadTree tree = c.graph()
                              .add(passes::BuildQuadTree{.surface = surface,
                                                         .camera = camera,
                                                         .width = extent.width,
                                                         .height = extent.height,
                                                         .k = 16.0f,
                                                         .max_level = 10})
                              .tree;
    const passes::DrawTerrain pass = c.add(passes::DrawTerrain{.surface = surface,
                                                               .tree = tree,
                                                               .camera = camera,
                                                               .width = extent.width,
                                                               .height = extent.height,
                                                               .stitching = stitching},
                                           "draw");
    constexpr double kBytesOfPixel = 12.0; // half floats and a depth
    c.add_cost({.bytes = kBytesOfPixel * static_cast<double>(c.size())});
    c.time_only("draw/");
    c.output("depth", pass.depth);
    output_leaves(c, tree);
    c.check([=](CaseResults& results) -> Verdict {
        const std::vector<TreeNode> leaves = read_leaves(results);
        const HostImage depth = results.read_image("depth");
        if (leaves.empty() || depth.empty()) return std::unexpected("there is no result");
        results.set_remark(fmt::format("{} leaves", leaves.size()));
        std::unordered_set<std::uint32_t> keys;
        for (const TreeNode& leaf : leaves)
            keys.insert(passes::narrow_key(leaf));
        const glm::dmat4 from_clip = world_from_clip(camera, extent);
        std::size_t seen = 0, pixels = 0;
        for (std::uint32_t y = 0; y < extent.height; y += 3)
            for (std::uint32_t x = 0; x < extent.width; x += 3, ++pixels) {
                const auto z = static_cast<double>(depth.texel(x, y)[0]);
                if (z >= 1.0) continue;
                const glm::dvec3 at = point_of(from_clip, extent, x, y, z);
                const auto is_leaf = [&](std::uint32_t level) {
                    const double cells = std::ldexp(1.0, static_cast<int>(level));
                    return keys.contains(passes::narrow_key(
                        {level, 0, static_cast<std::uint32_t>((at.x + 0.5) * cells),
                         static_cast<std::uint32_t>((at.z + 0.5) * cells)}));
                };
                std::uint32_t level = 0;
                while (level <= 10 && !is_leaf(level))
                    ++level;
                if (level > 10) continue; // on the border of the square, by rounding
                ++seen;
                // Eight cells a side; those next to coarser leaves are twice as wide. Vertices are
                // moved to sixteenths of a pixel, and depths have 24 bits.
                const double h = std::ldexp(0.25, -static_cast<int>(level));
                const double moved = glm::distance(at, glm::dvec3(camera.position)) * kViewHeight /
                                     (16.0 * extent.height);
                const double slope = std::sqrt(2.0) * kWaveHeight * kWave;
                const double bound =
                    h * h * 4.0 * kWaveHeight * kWave * kWave / 8.0 + moved * (1.0 + slope) + 5e-5;
                const double truth = kWaveHeight * std::sin(kWave * at.x) * std::cos(kWave * at.z);
                if (!(std::abs(at.y - truth) <= bound))
                    return std::unexpected(
                        fmt::format("pixel {}, {} is at height {}, not {}", x, y, at.y, truth));
            }
        if (2 * seen > pixels) return {};
        return std::unexpected(fmt::format("{} of {} pixels show ground", seen, pixels));
    });
}

/// Nothing is covered twice or never, and the middle of a leaf has the color of its level.
void map(CaseBuilder& c) {
    const std::uint32_t size = c.side();
    const passes::Surface surface = c.graph().add(passes::MakeSurface{.height = 0.0f}).surface;
    const QuadTree tree =
        c.graph()
            .add(passes::BuildQuadTree{.surface = surface,
                                       .camera = {.mode = passes::CameraMode::free,
                                                  .position = {0.11f, 0.004f, 0.23f},
                                                  .target = {0.0f, 0.0f, 0.0f},
                                                  .vertical_fov = 60.0f,
                                                  .near_plane = 1e-3f,
                                                  .far_plane = 10.0f},
                                       .max_level = 12})
            .tree;
    const passes::MapTree pass = c.add(passes::MapTree{.tree = tree, .size = size}, "map");
    constexpr double kBytesOfPixel = 3.0 * 8.0; // covers are written and read
    c.add_cost({.bytes = kBytesOfPixel * static_cast<double>(c.size())});
    c.time_only("map/");
    c.output("picture", pass.result);
    output_leaves(c, tree);
    c.check([=](CaseResults& results) -> Verdict {
        const std::vector<TreeNode> leaves = read_leaves(results);
        const HostImage picture = results.read_image("picture");
        if (leaves.empty() || picture.empty()) return std::unexpected("there is no result");
        results.set_remark(fmt::format("{} leaves", leaves.size()));
        for (std::uint32_t y = 0; y < size; ++y)
            for (std::uint32_t x = 0; x < size; ++x)
                if (const auto color = picture.texel(x, y);
                    color[0] == 1.0f && color[1] == 0.0f && color[2] == 1.0f)
                    return std::unexpected(fmt::format("{}, {} is not covered once", x, y));
        std::array<std::array<float, 4>, 15> colors{};
        std::array<bool, 15> known{};
        for (const TreeNode& leaf : leaves) {
            const double side = std::ldexp(size, -static_cast<int>(leaf.level));
            if (side < 6.0) continue; // its middle is on a line
            const auto color = picture.texel(static_cast<std::uint32_t>((leaf.x + 0.5) * side),
                                             static_cast<std::uint32_t>((leaf.y + 0.5) * side));
            if (!known[leaf.level]) colors[leaf.level] = color;
            known[leaf.level] = true;
            if (colors[leaf.level] != color)
                return std::unexpected(fmt::format("leaf {}, {} of level {} has another color",
                                                   leaf.x, leaf.y, leaf.level));
        }
        for (std::size_t a = 0; a < known.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                if (known[a] && known[b] && colors[a] == colors[b])
                    return std::unexpected(fmt::format("levels {} and {} look the same", b, a));
        if (size < 128 || std::ranges::count(known, true) > 2) return {};
        return std::unexpected("there are no levels");
    });
}

/// What the host knows of a planet, in a buffer: octaves add up to the height of the ground.
void planet(CaseBuilder& c) {
    const passes::MakePlanet pass = c.add(passes::MakePlanet{.eye = {0.3, 2.0, -1.1}}, "planet");
    constexpr std::size_t kFirstOctave = 15; // as in shaders/terrain/planet.comp
    constexpr std::size_t kVectors = kFirstOctave + std::size_t{5} * passes::kPlanetOctaves;
    c.add_cost({.bytes = 2.0 * sizeof(glm::vec4) * kVectors});
    c.check<glm::vec4>("words", pass.surface.planet, [pass](std::span<const glm::vec4> words) {
        if (words.size() < kVectors) return Verdict(std::unexpected("there is no result"));
        const glm::dvec3 direction = glm::normalize(pass.eye);
        double height = 0.0;
        for (std::uint32_t i = 0; i < pass.octaves; ++i) {
            const glm::vec4* octave = &words[kFirstOctave + std::size_t{5} * i];
            const double scale = std::ldexp(pass.frequency, static_cast<int>(i));
            const glm::ivec4 cell = std::bit_cast<glm::ivec4>(octave[0]);
            const glm::dvec3 place = glm::dvec3(glm::ivec3(cell)) + glm::dvec3(octave[1]);
            if (!(glm::distance(place, direction * scale) < 1e-6))
                return Verdict(std::unexpected(fmt::format("octave {} is elsewhere", i)));
            height += static_cast<double>(octave[1].w) * static_cast<double>(octave[2].w);
        }
        const double away = glm::length(pass.eye) - pass.radius;
        if (const Verdict up = near(static_cast<double>(words[1].z), away, {.relative = 1e-6}); !up)
            return up;
        return near(static_cast<double>(words[1].x), height, {.absolute = 1e-8, .relative = 1e-5});
    });
}

/// A planet covered with snow, in air that neither scatters nor absorbs: its light is known.
void shade_planet(CaseBuilder& c) {
    const Extent extent = wide_picture(c);
    const passes::CameraParameters camera{.mode = passes::CameraMode::free,
                                          .position = glm::vec3(0.0f),
                                          .target = glm::vec3(0.0f, 0.0f, -1.0f),
                                          .vertical_fov = 50.0f,
                                          .near_plane = 0.5f,
                                          .far_plane = 10.0f};
    const glm::dvec3 eye(0.0, 0.0, 3.0);
    const glm::dmat4 from_clip = world_from_clip(camera, extent);
    const auto normal_at = [=](std::uint64_t i) { // of a sphere of radius 1, or 0
        const glm::dvec3 ray =
            glm::normalize(point_of(from_clip, extent, static_cast<std::uint32_t>(i % extent.width),
                                    static_cast<std::uint32_t>(i / extent.width), 0.9));
        const double along = glm::dot(eye, ray);
        const double square = along * along - glm::dot(eye, eye) + 1.0;
        return square > 0.0 ? eye + (-along - std::sqrt(square)) * ray : glm::dvec3(0.0);
    };
    const auto depths = c.image<float>("depths", Format::r32_sfloat, extent, [&](std::uint64_t i) {
        const glm::dvec3 normal = normal_at(i);
        const double ahead = eye.z - normal.z;
        return normal == glm::dvec3(0.0) ? 1.0 : (10.0 - 0.5 * 10.0 / ahead) / (10.0 - 0.5);
    });
    const auto normals =
        c.image<glm::vec4>("normals", Format::rgba32_sfloat, extent, [&](std::uint64_t i) {
            constexpr float kHigh = 0.002f; // above the snow line
            return glm::vec4(normal_at(i), kHigh);
        });
    passes::ShadePlanet pass{
        .surface = c.graph().add(passes::MakePlanet{.eye = eye, .height = 0.0}).surface,
        .depth = depths.image,
        .normals = normals.image,
        .camera = camera,
        .haze = 0.0f};
    pass = c.add(pass, "shade");
    c.time_only("shade/");
    const glm::dvec3 sun = glm::normalize(glm::dvec3(pass.sun));
    const auto light = static_cast<double>(pass.light);
    c.check("color", pass.color, [=](const HostImage& color) -> Verdict {
        constexpr double kSnow = 0.85;
        std::size_t days = 0, nights = 0;
        for (std::uint32_t y = 0; y < extent.height; y += 3)
            for (std::uint32_t x = 0; x < extent.width; x += 3) {
                const glm::dvec3 normal = normal_at(std::uint64_t{y} * extent.width + x);
                const double up = glm::dot(normal, sun);
                if (normal == glm::dvec3(0.0) || std::abs(up) < 0.3) continue; // sky or dusk
                ++(up > 0.0 ? days : nights);
                const glm::dvec3 by_day = light * (up + glm::dvec3(0.03, 0.05, 0.1));
                const glm::dvec3 wanted = kSnow * (glm::dvec3(0.0015, 0.002, 0.004) +
                                                   (up > 0.0 ? by_day : glm::dvec3(0)));
                const auto found = color.texel(x, y);
                for (int k = 0; k < 3; ++k) // a half has 11 bits
                    if (const Verdict close =
                            near(static_cast<double>(found[static_cast<std::size_t>(k)]), wanted[k],
                                 {.absolute = 1e-5, .relative = 1e-3});
                        !close)
                        return close;
            }
        if (days > 0 && nights > 0) return {};
        return std::unexpected("there is no day or no night");
    });
}

} // namespace

void add_terrain_pictures_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build, std::uint64_t most) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 1u << 12,
                   .most = most,
                   .most_on_software = 1u << 14});
    };
    constexpr std::uint64_t kMax = 1u << 24;
    add(
        passes::DrawTerrain::kName, "snap",
        [](CaseBuilder& c) { draw(c, passes::Stitching::snap); }, kMax);
    add(
        passes::DrawTerrain::kName, "indices",
        [](CaseBuilder& c) { draw(c, passes::Stitching::indices); }, kMax);
    add(passes::MapTree::kName, "whole tree", map, kMax);
    add(passes::MakePlanet::kName, "16 octaves", planet, 1u << 16); // of one size
    add(passes::ShadePlanet::kName, "snow", shade_planet, kMax);
}

} // namespace tuff::bench
