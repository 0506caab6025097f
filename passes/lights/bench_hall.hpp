#pragma once

#include "apps/bench/case.hpp"
#include "apps/bench/checks.hpp"
#include "passes/lights/cull.hpp"
#include "passes/lights/generate.hpp"

#include <glm/geometric.hpp>
#include <glm/gtc/packing.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

/// Many lights over a hall of columns. A size is pixels of a picture of 16:9: 2073600 is 1920 x
/// 1080.
namespace tuff::bench {

inline Extent hall_extent(const CaseBuilder& c) {
    const double pixels = static_cast<double>(c.size());
    const auto height = std::max(1u, static_cast<std::uint32_t>(std::sqrt(pixels * 9.0 / 16.0)));
    return {static_cast<std::uint32_t>(c.size() / height), height, 1};
}

/// A floor, columns that stand on it, and sky.
struct Hall {
    Scene scene;
    Extent extent;
    ImageInput<float> depth;
    Image normal;
    Image albedo;
    glm::dmat4 world_from_clip{1.0};

    passes::CameraParameters camera() const { return {.mode = passes::CameraMode::file}; }
    glm::dvec3 point(std::uint32_t x, std::uint32_t y, double depth_there) const {
        const glm::dvec4 at =
            world_from_clip * glm::dvec4((x + 0.5) / extent.width * 2.0 - 1.0,
                                         (y + 0.5) / extent.height * 2.0 - 1.0, depth_there, 1.0);
        return glm::dvec3(at) / at.w;
    }
    /// In double precision, places of all pixels of a picture; far away where nothing is.
    float depth_at(std::uint32_t x, std::uint32_t y) const {
        return depth.texels()[std::size_t{y} * extent.width + x];
    }
};

struct HallHit {
    float depth = 1.0f;
    glm::vec3 normal{0.0f};
};

inline HallHit look_into_hall(const glm::mat4& clip_from_world, glm::vec3 from, glm::vec3 along) {
    constexpr float kColumnRadius = 0.35f;
    constexpr float kColumnHeight = 5.0f;
    constexpr float kEndOfFloor = 60.0f;
    float away = along.y < 0.0f ? -from.y / along.y : 1e30f;
    glm::vec3 normal(0, 1, 0);
    for (int row = 0; row < 10; ++row)
        for (int side = -2; side <= 2; ++side) {
            const glm::vec2 middle(3.0f * static_cast<float>(side) + 1.5f,
                                   -3.5f * static_cast<float>(row));
            const glm::vec2 d(along.x, along.z);
            const glm::vec2 o = glm::vec2(from.x, from.z) - middle;
            const float a = glm::dot(d, d);
            const float b = glm::dot(o, d);
            const float root = b * b - a * (glm::dot(o, o) - kColumnRadius * kColumnRadius);
            const float t = root > 0.0f ? (-b - std::sqrt(root)) / a : -1.0f;
            const glm::vec3 at = from + t * along;
            if (!(t > 0.0f && t < away && at.y > 0.0f && at.y < kColumnHeight)) continue;
            away = t;
            normal = glm::vec3(at.x - middle.x, 0.0f, at.z - middle.y) / kColumnRadius;
        }
    if (away >= kEndOfFloor) return {};
    const glm::vec4 clip = clip_from_world * glm::vec4(from + away * along, 1.0f);
    return {.depth = clip.z / clip.w, .normal = normal};
}

inline Camera hall_camera() {
    Camera camera;
    camera.position = {0.0f, 3.0f, 6.0f};
    camera.target = {0.0f, 1.2f, -6.0f};
    camera.vertical_fov = 55.0f;
    camera.near_plane = 0.2f;
    camera.far_plane = 80.0f;
    return camera;
}

inline glm::mat4 hall_clip_from_world(const Camera& camera, Extent extent) {
    return camera.projection(static_cast<float>(extent.width) / static_cast<float>(extent.height)) *
           camera.view();
}

inline Hall make_hall(CaseBuilder& c) {
    const Camera camera = hall_camera();
    auto data = std::make_shared<SceneData>();
    data->cameras.push_back({.name = "eye", .camera = camera});
    Hall hall{.extent = hall_extent(c)};
    hall.scene.data = data;
    const glm::mat4 clip_from_world = hall_clip_from_world(camera, hall.extent);
    hall.world_from_clip = glm::inverse(glm::dmat4(clip_from_world));
    const std::uint64_t pixels = std::uint64_t{hall.extent.width} * hall.extent.height;
    std::vector<HallHit> hits(pixels);
    for (std::uint64_t i = 0; i < pixels; ++i) {
        const auto x = static_cast<std::uint32_t>(i % hall.extent.width);
        const auto y = static_cast<std::uint32_t>(i / hall.extent.width);
        const glm::vec3 far(hall.point(x, y, 1.0));
        hits[i] =
            look_into_hall(clip_from_world, camera.position, glm::normalize(far - camera.position));
    }
    hall.depth = c.image<float>("depth", Format::r32_sfloat, hall.extent,
                                [&](std::uint64_t i) { return hits[i].depth; });
    hall.normal =
        c.image<std::uint64_t>("normal", Format::rgba16_sfloat, hall.extent, [&](std::uint64_t i) {
             return glm::packHalf4x16(glm::vec4(hits[i].normal, 1));
         }).image;
    hall.albedo =
        c.image<std::uint64_t>("albedo", Format::rgba16_sfloat, hall.extent, [](std::uint64_t) {
             return glm::packHalf4x16(glm::vec4(0.6f, 0.55f, 0.5f, 1.0f));
         }).image;
    return hall;
}

/// Lights in the hall, which fill as much of it as 1,024 of a range of about one unit do.
inline passes::Lights lights_in_hall(CaseBuilder& c, std::uint32_t count) {
    const float range = std::cbrt(1024.0f / static_cast<float>(count));
    return c.graph()
        .add(passes::GenerateLights{.count = count,
                                    .low = {-8, 0, -34},
                                    .high = {8, 5, 5},
                                    .least_range = 0.6f * range,
                                    .greatest_range = 1.2f * range,
                                    .spots = 0.25f})
        .lights;
}

/// `pass` with the hall's picture and camera.
template <typename Pass>
Pass in_hall(Pass pass, const Hall& hall) {
    pass.depth = hall.depth.image;
    pass.scene = hall.scene;
    pass.camera = hall.camera();
    return pass;
}

/// The outputs "by_lists" and "by_all" lights: equal within rounding to half floats.
inline Verdict pictures_agree(CaseResults& results, Tolerance tolerance) {
    const HostImage by_lists = results.read_image("by_lists");
    const HostImage by_all = results.read_image("by_all");
    if (by_lists.empty() || by_lists.texels.size() != by_all.texels.size())
        return std::unexpected("there is no result");
    double sum = 0.0;
    for (std::uint32_t y = 0; y < by_all.extent.height; y += 3)
        for (std::uint32_t x = 0; x < by_all.extent.width; x += 3)
            for (std::size_t k = 0; k < 3; ++k) {
                const double wanted = static_cast<double>(by_all.texel(x, y)[k]);
                sum += wanted;
                const Verdict close =
                    near(static_cast<double>(by_lists.texel(x, y)[k]), wanted, tolerance);
                if (!close) return close;
            }
    return sum > 0.0 ? Verdict() : std::unexpected("the picture is black");
}

} // namespace tuff::bench
