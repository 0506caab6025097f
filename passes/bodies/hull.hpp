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

/// Convex hulls on the host, and what a solid of even density weighs.
namespace tuff::passes {

inline constexpr std::size_t kMaxHullVertices = 64;
inline constexpr std::size_t kMaxHullFaces = 64;
inline constexpr std::size_t kMaxFaceVertices = 15;

/// Volume, centre and principal moments of a solid of density 1.
struct SolidMass {
    double volume = 0.0;
    glm::dvec3 center{0.0};
    glm::dvec3 inertia{0.0};             ///< principal
    glm::dquat axes{1.0, 0.0, 0.0, 0.0}; ///< turns the principal frame into that of the points
};

/// A convex polyhedron in the frame of its centre and principal axes.
struct Hull {
    struct Face {
        glm::dvec3 normal{0.0};
        double distance = 0.0;
        std::vector<std::uint32_t> vertices; ///< anticlockwise from outside
    };
    std::vector<glm::dvec3> vertices;
    std::vector<Face> faces;
    std::vector<glm::dvec3> directions; ///< of edges, each once
    SolidMass mass;

    double radius() const;        ///< of the sphere about the centre
    glm::dvec3 half_size() const; ///< of the box about the centre
    /// As shaders/bodies/solid.glsl reads it.
    std::vector<glm::vec4> quads() const;
};

/// The hull of points. Errors are sentences: fewer than four points, all in a plane, too many.
std::expected<Hull, std::string> convex_hull(std::span<const glm::vec3> points);

} // namespace tuff::passes
