#pragma once

#include "passes/bodies/bodies.hpp"
#include "passes/bodies/hull.hpp"

#include <glm/gtc/quaternion.hpp>

#include <functional>

namespace tuff::passes {

/// The initial state of a body, without its shape.
struct BodyStart {
    glm::vec3 place{0.0f};
    glm::quat turn{1.0f, 0.0f, 0.0f, 0.0f};
    float mass = 1.0f; ///< not positive or not finite: the body never moves
    glm::vec3 velocity{0.0f};
    glm::vec3 spin{0.0f};
    float friction = 0.5f;
    float restitution = 0.0f;
};

/// A list of bodies on the host. Functions that add a body return its index.
class BodyList {
  public:
    std::uint32_t sphere(float radius, const BodyStart& start);
    std::uint32_t capsule(float radius, float half_length, const BodyStart& start);
    std::uint32_t box(glm::vec3 half_size, const BodyStart& start);
    /// Adds a hull. Its points are relative to `start.place`. Its body has the frame of
    /// `hull.mass`.
    std::uint32_t hull(const Hull& hull, const BodyStart& start);
    /// Adds the half-space below the plane through `place`.
    std::uint32_t plane(const BodyStart& start);
    /// Adds heights over x and z, in rows of x, around the body's position.
    std::uint32_t heights(glm::uvec2 points, glm::vec2 size, std::span<const float> values,
                          const BodyStart& start);
    /// Adds signed distances on a lattice around the body's position, x fastest.
    std::uint32_t distances(glm::uvec3 points, float spacing, std::span<const float> values,
                            const BodyStart& start);

    /// Adds heights or distances whose geometry the device writes, from the vec4 `geometry_first`
    /// on. `half_size` as in a `ShapeRecord`.
    std::uint32_t field_on_device(ShapeKind kind, glm::vec3 half_size, std::uint32_t geometry_first,
                                  const BodyStart& start);

    /// Adds a joint at a point in the world, with an axis in the world. Its two bodies do not
    /// collide.
    JointRecord& joint(JointKind kind, std::uint32_t first, std::uint32_t second, glm::vec3 place,
                       glm::vec3 axis = {0.0f, 0.0f, 1.0f});
    /// Replaces the principal moments of inertia of the last body. Moments that are not positive
    /// and finite become those of a sphere of the same mass (counted).
    void set_inertia(glm::vec3 principal);

    std::uint32_t size() const { return static_cast<std::uint32_t>(places.size()); }
    /// Makes constants of a graph. The box in which bodies are expected contains all of them, with
    /// space above.
    Bodies upload(Graph& graph) const;

    std::vector<glm::vec4> places;
    std::vector<glm::vec4> turns;
    std::vector<MotionRecord> motions;
    std::vector<ShapeRecord> shapes;
    std::vector<glm::vec4> geometry;
    std::vector<JointRecord> joints;
    float largest = 0.0f;     ///< largest diameter of a moving body, or of the extent of its joints
    std::uint32_t mended = 0; ///< masses and moments that were not valid
    glm::vec3 low{1e9f};
    glm::vec3 high{-1e9f};

  private:
    std::uint32_t add(ShapeKind kind, glm::vec3 size, glm::dvec3 unit_inertia, float radius,
                      const BodyStart& start, bool moves = true);
};

} // namespace tuff::passes
