#pragma once

#include "passes/bvh/bvh.hpp"

namespace tuff::passes {

/// What is asked about rays.
enum class RayQuestion : std::uint8_t { closest, any };

/// A ray of a buffer.
struct RayRecord {
    glm::vec3 origin{0.0f};
    float t_max = 0.0f; ///< the greatest t of a hit
    glm::vec3 direction{0.0f};
    std::uint32_t leaves = ~0u; ///< the triangle that it starts on and cannot hit, or ~0

    static constexpr std::string_view kStructName = "Ray";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(RayRecord, origin), TUFF_MEMBER(RayRecord, t_max),
                          TUFF_MEMBER(RayRecord, direction), TUFF_MEMBER(RayRecord, leaves)};
    }
};

/// The closest hit of a ray.
struct HitRecord {
    float t = 0.0f;               ///< the ray's greatest where nothing is hit
    std::uint32_t triangle = ~0u; ///< or ~0
    glm::vec2 barycentric{0.0f};  ///< weights of its second and third vertex

    static constexpr std::string_view kStructName = "Hit";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(HitRecord, t), TUFF_MEMBER(HitRecord, triangle),
                          TUFF_MEMBER(HitRecord, barycentric)};
    }
};

/// Finds what rays in a buffer hit. See `describe`.
struct CastRays {
    static constexpr std::string_view kName = "bvh/cast";

    static constexpr std::uint32_t kRayWords = sizeof(RayRecord) / sizeof(std::uint32_t);
    static constexpr std::uint32_t kHitWords = sizeof(HitRecord) / sizeof(std::uint32_t);

    Bvh bvh;
    Buffer rays;
    Buffer starts; ///< optional
    Buffer left;   ///< optional
    RayQuestion question = RayQuestion::closest;
    Traversal traversal = Traversal::automatic;
    TriangleTest test = TriangleTest::watertight;
    bool with_work = false;
    bool with_ends = false;

    Buffer hits;
    Buffer work;
    Buffer ends;
    Buffer hit_instances;

    static void describe(PassInfo<CastRays>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::RayQuestion> {
    static constexpr std::array<std::string_view, 2> names{"closest", "any"};
};
