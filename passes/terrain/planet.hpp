#pragma once

#include "passes/terrain/surface.hpp"

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <string_view>

/// A planet whose points are relative to the eye: shaders/terrain/surface.glsl.
namespace tuff::passes {

inline constexpr std::uint32_t kPlanetOctaves = 28; ///< largest number of octaves

/// Axes of a face of the cube: of u, of v, and the normal, which points along the axis for even
/// faces and against it for odd ones.
constexpr std::array<std::uint32_t, 3> face_axes(std::uint32_t face) {
    const std::uint32_t a = face / 2;
    const std::uint32_t b = (a + 1) % 3;
    const std::uint32_t c = (a + 2) % 3;
    if (face % 2 == 0) return {c, b, a};
    return {b, c, a};
}

/// The heights of a planet.
struct PlanetNoise {
    double radius = 1.0;    ///< world units
    double height = 0.0;    ///< amplitude of the first octave
    double frequency = 2.0; ///< cells of the first octave per radius
    double gain = 0.5;
    double ridges = 0.0;
    std::uint32_t octaves = 16;
    std::uint32_t seed = 1;
};

/// Lattice noise in double precision, with its first and second derivatives.
struct NoisePoint {
    double value = 0.0;
    glm::dvec3 slope{0.0};
    glm::dvec3 bend{0.0};  ///< xx, yy, zz
    glm::dvec3 twist{0.0}; ///< yz, zx, xy
};
NoisePoint planet_octave(glm::dvec3 place, std::uint32_t seed);
/// Height of the ground above the sphere, or negative below; `direction` has length 1.
double planet_height(const PlanetNoise& noise, glm::dvec3 direction);

/// Makes a planet. See `describe`.
struct MakePlanet {
    static constexpr std::string_view kName = "terrain/planet";

    glm::dvec3 eye{0.0, 0.0, 3.0};
    bool above_ground = false;
    double radius = 1.0;
    double height = 0.003;
    double frequency = 2.0;
    std::uint32_t octaves = 16;
    double gain = 0.55;
    double ridges = 0.0;
    std::uint32_t seed = 1;
    Surface surface;

    /// The position of the eye after it is raised by the ground below it, if requested.
    glm::dvec3 raised_eye() const;
    PlanetNoise noise() const { return {radius, height, frequency, gain, ridges, octaves, seed}; }

    static void describe(PassInfo<MakePlanet>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
