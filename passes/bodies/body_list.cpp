#include "passes/bodies/body_list.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuff::passes {
namespace {

glm::vec4 as_vec4(glm::quat q) {
    return {q.x, q.y, q.z, q.w};
}
glm::quat as_quat(glm::vec4 v) {
    return {v.w, v.x, v.y, v.z};
}

void append_packed(std::vector<glm::vec4>& quads, std::span<const float> values) {
    for (std::size_t i = 0; i < values.size(); i += 4) {
        glm::vec4 quad(0.0f);
        for (std::size_t k = 0; k < std::min<std::size_t>(4, values.size() - i); ++k)
            quad[static_cast<int>(k)] = values[i + k];
        quads.push_back(quad);
    }
}

glm::dvec3 box_inertia(glm::dvec3 half) {
    const glm::dvec3 s = half * half;
    return glm::dvec3(s.y + s.z, s.x + s.z, s.x + s.y) / 3.0;
}

/// Of mass 1: a cylinder and two half balls.
glm::dvec3 capsule_inertia(double r, double h) {
    const double cylinder = 2.0 * h;
    const double balls = 4.0 / 3.0 * r;
    const double all = cylinder + balls;
    const double c = cylinder / all;
    const double b = balls / all;
    const double along = c * r * r / 2.0 + b * 0.4 * r * r;
    const double across =
        c * (r * r / 4.0 + h * h / 3.0) + b * (0.4 * r * r + h * h + 0.75 * h * r);
    return {across, along, across};
}

bool is_mass(float mass) {
    return std::isfinite(mass) && mass > 0.0f && std::isfinite(1.0f / mass);
}

} // namespace

std::uint32_t BodyList::add(ShapeKind kind, glm::vec3 size_of, glm::dvec3 unit_inertia,
                            float radius, const BodyStart& start, bool moves) {
    const bool dynamic = moves && is_mass(start.mass);
    if (moves && start.mass != 0.0f && !dynamic) ++mended; // 0 is how users say it
    const double inverse = dynamic ? 1.0 / static_cast<double>(start.mass) : 0.0;
    places.emplace_back(start.place, static_cast<float>(inverse));
    turns.push_back(as_vec4(glm::normalize(start.turn)));
    motions.push_back({.velocity = dynamic ? start.velocity : glm::vec3(0.0f),
                       .friction = start.friction,
                       .spin = dynamic ? start.spin : glm::vec3(0.0f),
                       .restitution = start.restitution});
    const glm::vec3 inertia = dynamic ? glm::vec3(inverse / unit_inertia) : glm::vec3(0.0f);
    shapes.push_back({.size = size_of,
                      .kind = static_cast<std::uint32_t>(kind),
                      .inverse_inertia = inertia,
                      .geometry = static_cast<std::uint32_t>(geometry.size())});
    if (dynamic) largest = std::max(largest, 2.0f * radius);
    if (dynamic || radius < 1e6f) {
        low = glm::min(low, start.place - radius);
        high = glm::max(high, start.place + radius);
    }
    return size() - 1;
}

std::uint32_t BodyList::sphere(float radius, const BodyStart& start) {
    const double r = static_cast<double>(radius);
    return add(ShapeKind::sphere, glm::vec3(radius), glm::dvec3(0.4 * r * r), radius, start);
}

std::uint32_t BodyList::capsule(float radius, float half_length, const BodyStart& start) {
    return add(ShapeKind::capsule, {radius, half_length, 0.0f},
               capsule_inertia(static_cast<double>(radius), static_cast<double>(half_length)),
               radius + half_length, start);
}

std::uint32_t BodyList::box(glm::vec3 half_size, const BodyStart& start) {
    return add(ShapeKind::box, half_size, box_inertia(glm::dvec3(half_size)),
               glm::length(half_size), start);
}

std::uint32_t BodyList::hull(const Hull& hull, const BodyStart& start) {
    BodyStart moved = start;
    moved.place += start.turn * glm::vec3(hull.mass.center);
    moved.turn = start.turn * glm::quat(hull.mass.axes);
    const std::uint32_t id =
        add(ShapeKind::hull, glm::vec3(hull.half_size()), hull.mass.inertia / hull.mass.volume,
            static_cast<float>(hull.radius()), moved);
    const std::vector<glm::vec4> quads = hull.quads();
    geometry.insert(geometry.end(), quads.begin(), quads.end());
    return id;
}

std::uint32_t BodyList::plane(const BodyStart& start) {
    return add(ShapeKind::plane, glm::vec3(0.0f), glm::dvec3(1.0), 1e9f, start, false);
}

std::uint32_t BodyList::heights(glm::uvec2 points, glm::vec2 extent, std::span<const float> values,
                                const BodyStart& start) {
    float top = 0.0f;
    for (const float value : values)
        top = std::max(top, std::abs(value));
    const std::uint32_t id = add(ShapeKind::heights, {0.5f * extent.x, top, 0.5f * extent.y},
                                 glm::dvec3(1.0), 0.5f * glm::length(extent), start, false);
    geometry.push_back(std::bit_cast<glm::vec4>(glm::uvec4(points, 0u, 0u)));
    append_packed(geometry, values);
    return id;
}

std::uint32_t BodyList::distances(glm::uvec3 points, float spacing, std::span<const float> values,
                                  const BodyStart& start) {
    const glm::vec3 half = 0.5f * spacing * glm::vec3(points - 1u);
    const std::uint32_t id =
        add(ShapeKind::distances, half, glm::dvec3(1.0), glm::length(half), start, false);
    geometry.push_back(
        std::bit_cast<glm::vec4>(glm::uvec4(points, std::bit_cast<std::uint32_t>(spacing))));
    append_packed(geometry, values);
    return id;
}

std::uint32_t BodyList::field_on_device(ShapeKind kind, glm::vec3 half_size,
                                        std::uint32_t geometry_first, const BodyStart& start) {
    const std::uint32_t id =
        add(kind, half_size, glm::dvec3(1.0), glm::length(half_size), start, false);
    shapes.back().geometry = geometry_first;
    return id;
}

void BodyList::set_inertia(glm::vec3 principal) {
    glm::vec3& inverse = shapes.back().inverse_inertia;
    if (places.back().w == 0.0f) return;
    const glm::vec3 r(shapes.back().size);
    const float longest = std::max({r.x, r.y, r.z});
    for (int axis = 0; axis < 3; ++axis) {
        const bool good = is_mass(principal[axis]);
        mended += good ? 0 : 1;
        inverse[axis] =
            good ? 1.0f / principal[axis] : places.back().w / (0.4f * longest * longest);
    }
}

JointRecord& BodyList::joint(JointKind kind, std::uint32_t first, std::uint32_t second,
                             glm::vec3 place, glm::vec3 axis) {
    const auto seen = [&](std::uint32_t body, glm::vec3 v) {
        return glm::inverse(as_quat(turns[body])) * v;
    };
    JointRecord record{.first = first, .second = second, .kind = static_cast<std::uint32_t>(kind)};
    record.first_anchor = seen(first, place - glm::vec3(places[first]));
    record.second_anchor = seen(second, place - glm::vec3(places[second]));
    record.first_axis = seen(first, glm::normalize(axis));
    record.second_axis = seen(second, glm::normalize(axis));
    record.turn = as_vec4(glm::inverse(as_quat(turns[first])) * as_quat(turns[second]));
    for (const auto& [body, anchor] :
         {std::pair(first, record.first_anchor), std::pair(second, record.second_anchor)})
        if (places[body].w != 0.0f) largest = std::max(largest, 2.0f * glm::length(anchor));
    joints.push_back(record);
    return joints.back();
}

Bodies BodyList::upload(Graph& graph) const {
    const auto array = [&]<typename T>(std::string_view name, std::vector<T> values) {
        if (values.empty()) values.push_back(T{});
        Buffer buffer = constant_array(graph, name, values);
        return buffer;
    };
    Bodies bodies{.places = array("places", places),
                  .turns = array("turns", turns),
                  .motions = array("motions", motions),
                  .shapes = array("shapes", shapes),
                  .rest = array("rest", std::vector<glm::vec2>(places.size(), glm::vec2(0.0f))),
                  .geometry = array("geometry", geometry),
                  .joints = {},
                  .count = size(),
                  .joint_count = static_cast<std::uint32_t>(joints.size())};
    const auto bad_joints = std::ranges::count_if(joints, [&](const JointRecord& joint) {
        return joint.first == joint.second || std::max(joint.first, joint.second) >= size();
    });
    if (bad_joints > 0)
        graph.report(warning("bodies/bad-joint",
                             fmt::format("{} joints connect a body with itself or with a body "
                                         "that does not exist: they do nothing",
                                         bad_joints),
                             "give each joint two different, existing bodies"));
    if (!joints.empty()) {
        bodies.joints = array("joints", joints);
        std::vector<glm::uvec2> apart;
        for (const JointRecord& joint : joints)
            apart.emplace_back(std::min(joint.first, joint.second),
                               std::max(joint.first, joint.second));
        std::ranges::sort(
            apart, [](glm::uvec2 a, glm::uvec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
        bodies.apart_count = static_cast<std::uint32_t>(apart.size());
        bodies.apart = array("apart", apart);
    }
    for (const ShapeRecord& shape : shapes)
        bodies.kinds |= 1u << shape.kind;
    if (largest > 0.0f) bodies.largest = largest;
    if (low.x <= high.x) {
        bodies.low = low - bodies.largest;
        bodies.high = high + bodies.largest;
    }
    return bodies;
}

} // namespace tuff::passes
