#include "passes/terrain/planet.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kCubeFaces = 6;
constexpr double kFaceUnits = 1073741824.0; // 2^30: half a face
constexpr std::uint32_t kPlanetWords = 4 * (3 + 2 * kCubeFaces + 5 * kPlanetOctaves);

glm::uvec3 hashed(glm::uvec3 v) { // pcg3d of shaders/include/hash.glsl
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

glm::dvec3 lattice_gradient(glm::i64vec3 cell, std::uint32_t seed) {
    const glm::uvec3 words = hashed(glm::uvec3(cell) + glm::uvec3(seed * 0x9e3779b9u, seed, 0u));
    return glm::dvec3(words >> 16u) * (2.0 / 65535.0) - 1.0;
}

double fade(double t) {
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}
double fade_slope(double t) {
    return 30.0 * t * t * (t - 1.0) * (t - 1.0);
}
double fade_bend(double t) {
    return 60.0 * t * (2.0 * t - 1.0) * (t - 1.0);
}

double folded(double noise, double ridges) {
    return noise + ridges * (1.0 - 2.0 * std::abs(noise) - noise);
}

/// What the kernel that fills the buffer is given.
struct PlanetTerms {
    std::vector<glm::ivec4> anchors{kCubeFaces};
    std::vector<glm::vec4> rests{kCubeFaces};
    std::vector<glm::ivec4> cells{kPlanetOctaves};
    std::vector<glm::vec4> parts{kPlanetOctaves};
    std::vector<glm::vec4> slopes{kPlanetOctaves};
    std::vector<glm::vec4> bends{kPlanetOctaves};
    std::vector<glm::vec4> twists{kPlanetOctaves};
};

/// Where the ray to the eye meets a face, or the plane of one that it passes near.
void set_anchor(PlanetTerms& terms, std::uint32_t face, glm::dvec3 direction) {
    const auto [u, v, normal] = face_axes(face);
    const auto at = [&](std::uint32_t axis) { return direction[static_cast<int>(axis)]; };
    const double across = face % 2 == 0 ? at(normal) : -at(normal);
    // Pairs of units are counted in 32 bits: at most 0.9 of a half face beyond either edge.
    constexpr double kMaxBeyond = 1.9;
    if (!(across > 0.0) || std::abs(at(u)) > kMaxBeyond * across ||
        std::abs(at(v)) > kMaxBeyond * across) {
        terms.anchors[face] = glm::ivec4(0);
        return;
    }
    const glm::dvec2 c0 = glm::dvec2(at(u), at(v)) / across;
    const glm::dvec2 units = (c0 + 1.0) * kFaceUnits;
    const glm::dvec2 low = glm::floor(0.5 * units);
    terms.anchors[face] = {static_cast<std::int32_t>(low.x), static_cast<std::int32_t>(low.y), 1,
                           0};
    terms.rests[face] = {units.x - 2.0 * low.x, units.y - 2.0 * low.y,
                         std::sqrt(1.0 + glm::dot(c0, c0)), 0.0};
}

void set_octave(PlanetTerms& terms, const PlanetNoise& noise, std::uint32_t i,
                glm::dvec3 direction) {
    const double scale = std::ldexp(noise.frequency, static_cast<int>(i));
    const glm::dvec3 place = direction * scale;
    const glm::dvec3 low = glm::floor(place);
    const NoisePoint here = planet_octave(place, noise.seed + i);
    terms.cells[i] = glm::ivec4(glm::ivec3(low), 0);
    terms.parts[i] = glm::vec4(place - low, noise.height * std::pow(noise.gain, i));
    terms.slopes[i] = glm::vec4(here.slope, here.value);
    terms.bends[i] = glm::vec4(here.bend, scale);
    terms.twists[i] = glm::vec4(here.twist, 0.0);
}

template <typename T>
std::span<const T> all_of(const std::vector<T>& values) {
    return values;
}

} // namespace

NoisePoint planet_octave(glm::dvec3 place, std::uint32_t seed) {
    const glm::dvec3 low = glm::floor(place);
    const glm::dvec3 part = place - low;
    // weights[axis][side][derivative]
    double weights[3][2][3];
    for (int axis = 0; axis < 3; ++axis) {
        const double t = part[axis];
        weights[axis][1][0] = fade(t);
        weights[axis][1][1] = fade_slope(t);
        weights[axis][1][2] = fade_bend(t);
        weights[axis][0][0] = 1.0 - fade(t);
        weights[axis][0][1] = -fade_slope(t);
        weights[axis][0][2] = -fade_bend(t);
    }
    NoisePoint point;
    for (int corner = 0; corner < 8; ++corner) {
        const glm::ivec3 side(corner & 1, corner >> 1 & 1, corner >> 2);
        const glm::dvec3 g = lattice_gradient(glm::i64vec3(low) + glm::i64vec3(side), seed);
        const double rise = glm::dot(g, part - glm::dvec3(side));
        const auto w = [&](int axis, int derivative) {
            return weights[axis][side[axis]][derivative];
        };
        const auto product = [&](int a, int b, int c) { return w(0, a) * w(1, b) * w(2, c); };
        point.value += product(0, 0, 0) * rise;
        const glm::dvec3 first(product(1, 0, 0), product(0, 1, 0), product(0, 0, 1));
        point.slope += first * rise + product(0, 0, 0) * g;
        const glm::dvec3 second(product(2, 0, 0), product(0, 2, 0), product(0, 0, 2));
        point.bend += second * rise + 2.0 * first * g;
        const glm::dvec3 mixed(product(0, 1, 1), product(1, 0, 1), product(1, 1, 0));
        point.twist +=
            mixed * rise + glm::dvec3(first.y * g.z + first.z * g.y, first.z * g.x + first.x * g.z,
                                      first.x * g.y + first.y * g.x);
    }
    return point;
}

double planet_height(const PlanetNoise& noise, glm::dvec3 direction) {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < noise.octaves; ++i) {
        const double scale = std::ldexp(noise.frequency, static_cast<int>(i));
        sum += noise.height * std::pow(noise.gain, i) *
               folded(planet_octave(direction * scale, noise.seed + i).value, noise.ridges);
    }
    return sum;
}

glm::dvec3 MakePlanet::raised_eye() const {
    if (!above_ground) return eye;
    const glm::dvec3 direction = glm::normalize(eye);
    return eye + direction * std::max(planet_height(noise(), direction), 0.0);
}

void MakePlanet::describe(PassInfo<MakePlanet>& info) {
    info.summary("A planet with mountains and a sea, seen from an eye that may stand on it")
        .details(
            "The surface is a cube's, six squares, pulled onto a sphere, and octaves of noise "
            "above it; below 0 there is sea. Its points, and those of all that is made of it, are "
            "relative to the eye, so cameras that look at it stand at the origin and their axes "
            "are the planet's. Points are off by less than a millionth of their distance from the "
            "ground below the eye: places on the cube are whole numbers, of which the kernels see "
            "differences to that point alone. The finest trees have 28 levels, cells of 5 cm on "
            "a planet of the size of the Earth. The buffer that says so is made again for each "
            "eye. Errors: terrain/bad-eye.")
        .source("Cozzi and Ring, \"3D Engine Design for Virtual Globes\", 2011 (coordinates "
                "relative to the eye); Perlin, \"Improving Noise\", SIGGRAPH 2002")
        .complexity("O(octaves)");
    info.parameter("eye", &MakePlanet::eye, "from the planet's middle, in double precision")
        .unit("world units");
    info.parameter("above_ground", &MakePlanet::above_ground,
                   "raise the eye by the height of the ground below it, or of the sea");
    info.parameter("radius", &MakePlanet::radius, "of the sea")
        .range(1e-3, 1e9)
        .unit("world units");
    info.parameter("height", &MakePlanet::height, "of the first octave of the mountains")
        .range(0.0, 1e8)
        .unit("world units");
    info.parameter("frequency", &MakePlanet::frequency, "cells of the first octave a radius")
        .range(0.1, 16.0);
    info.parameter("octaves", &MakePlanet::octaves, "each of twice the frequency of the one before")
        .range(0, kPlanetOctaves);
    info.parameter("gain", &MakePlanet::gain, "height of an octave over the one before")
        .range(0.0, 1.0);
    info.parameter("ridges", &MakePlanet::ridges, "0 hills, 1 sharp crests").range(0.0, 1.0);
    info.parameter("seed", &MakePlanet::seed, "another planet").range(0, 65535);
    info.output("surface", &MakePlanet::surface, "for the other passes of terrain");
}

void MakePlanet::build(Graph& graph) {
    const glm::dvec3 at = raised_eye();
    const double away = glm::length(at);
    if (!std::isfinite(away) || away < radius * 1e-3) {
        graph.error("terrain/bad-eye",
                    fmt::format("the eye ({}, {}, {}) has no ground below it", eye.x, eye.y, eye.z),
                    "it is a point outside of the planet, from its middle");
        return;
    }
    const glm::dvec3 direction = at / away;
    const PlanetNoise all = noise();
    PlanetTerms terms;
    for (std::uint32_t face = 0; face < kCubeFaces; ++face)
        set_anchor(terms, face, direction);
    double reach = 0.0;
    for (std::uint32_t i = 0; i < octaves; ++i) {
        set_octave(terms, all, i, direction);
        reach += height * std::pow(gain, i);
    }
    const double ground = planet_height(all, direction);
    const double up = away - radius;

    ComputeNodeBuilder node = graph.compute("terrain/planet");
    node.set("anchor", glm::vec4(direction, radius));
    node.set("above", glm::vec4(ground, ground - up, up, 0.0));
    node.set("noise", glm::vec4(octaves, ridges, seed, 0.0));
    node.set("anchors", all_of(terms.anchors));
    node.set("rests", all_of(terms.rests));
    node.set("cells", all_of(terms.cells));
    node.set("parts", all_of(terms.parts));
    node.set("slopes", all_of(terms.slopes));
    node.set("bends", all_of(terms.bends));
    node.set("twists", all_of(terms.twists));
    const Buffer made = node.write("words", array(graph, "planet", kPlanetWords));
    node.dispatch(1);

    const auto size = static_cast<float>(radius);
    surface = {.planet = made,
               .kind = SurfaceKind::planet,
               .ground = {2.0f * size, 1.0f, 0.0f, static_cast<float>(ridges)},
               .shape = {size, 0.0f, 0.0f, 2.0f * size},
               .bounds = {0.0f, static_cast<float>(reach)}};
}

TUFF_PASS(MakePlanet)

} // namespace tuff::passes
