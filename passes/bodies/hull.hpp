#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

/// Convex hulls on the host, and the mass properties of solids of uniform density.
namespace tuff::passes {

inline constexpr std::size_t kMaxHullVertices = 64;
inline constexpr std::size_t kMaxHullFaces = 64;
inline constexpr std::size_t kMaxFaceVertices = 15;

/// Volume, center and principal moments of a solid of density 1.
struct SolidMass {
    double volume = 0.0;
    glm::dvec3 center{0.0};
    glm::dvec3 inertia{0.0};             ///< principal
    glm::dquat axes{1.0, 0.0, 0.0, 0.0}; ///< rotates the principal frame into that of the points
};

/// A convex polyhedron in the frame of its center and principal axes.
struct Hull {
    struct Face {
        glm::dvec3 normal{0.0};
        double distance = 0.0;
        std::vector<std::uint32_t> vertices; ///< counter-clockwise from outside
    };
    std::vector<glm::dvec3> vertices;
    std::vector<Face> faces;
    std::vector<glm::dvec3> directions; ///< directions of edges, without duplicates
    SolidMass mass;

    double radius() const;        ///< radius of the bounding sphere around the center
    glm::dvec3 half_size() const; ///< half sides of the box around the center
    /// The data that shaders/bodies/solid.glsl reads.
    std::vector<glm::vec4> quads() const;
};

/// The convex hull of points. The error is a sentence: fewer than four points, all in a plane, too
/// many.
std::expected<Hull, std::string> convex_hull(std::span<const glm::vec3> points);

} // namespace tuff::passes
