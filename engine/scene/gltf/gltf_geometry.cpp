#include "scene/gltf/gltf_geometry.hpp"

#include "scene/gltf/gltf_accessor.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tuff::gltf {
namespace {

Diagnostic warning(const char* code, std::string message) {
    return {.code = code,
            .severity = Severity::warning,
            .message = std::move(message),
            .where = {},
            .hint = {}};
}

class Reader {
  public:
    Reader(const tinygltf::Model& model, const tinygltf::Primitive& primitive,
           const std::string& owner, std::vector<Vertex>& vertices)
        : model_(model), primitive_(primitive), owner_(owner), vertices_(vertices) {}

    bool has(const std::string& name) const { return primitive_.attributes.contains(name); }

    /// Reads attribute `name` with `low` to `high` components and calls `put(vertex, values)` for
    /// each vertex. An absent attribute is no error.
    template <typename Put>
    Result<void> attribute(const std::string& name, std::size_t low, std::size_t high, Put put) {
        const auto found = primitive_.attributes.find(name);
        if (found == primitive_.attributes.end()) return {};
        const std::string owner = fmt::format("{}: {}", owner_, name);
        auto array = read_floats(model_, found->second, owner);
        if (!array) return propagate(std::move(array));
        if (array->components < low || array->components > high)
            return fail("gltf/attribute-mismatch",
                        fmt::format("{} has {} components", owner, array->components));
        if (name == "POSITION") vertices_.resize(array->count());
        if (array->count() != vertices_.size())
            return fail("gltf/attribute-mismatch",
                        fmt::format("{} has {} elements for {} positions", owner, array->count(),
                                    vertices_.size()));
        for (std::size_t i = 0; i < vertices_.size(); ++i)
            put(vertices_[i], std::span<const float>(array->values)
                                  .subspan(i * array->components, array->components));
        return {};
    }

  private:
    const tinygltf::Model& model_;
    const tinygltf::Primitive& primitive_;
    const std::string& owner_;
    std::vector<Vertex>& vertices_;
};

Result<void> read_vertices(Reader& reader) {
    using Values = std::span<const float>;
    const auto vec3 = [](Values v) { return glm::vec3(v[0], v[1], v[2]); };
    Result<void> done;
    const auto read = [&](const char* name, std::size_t low, std::size_t high, auto put) {
        if (done) done = reader.attribute(name, low, high, put);
    };
    read("POSITION", 3, 3, [&](Vertex& v, Values p) { v.position = vec3(p); });
    read("NORMAL", 3, 3, [&](Vertex& v, Values n) { v.normal = vec3(n); });
    read("TANGENT", 4, 4, [&](Vertex& v, Values t) { v.tangent = {t[0], t[1], t[2], t[3]}; });
    read("TEXCOORD_0", 2, 2, [](Vertex& v, Values t) { v.uv0 = {t[0], t[1]}; });
    read("TEXCOORD_1", 2, 2, [](Vertex& v, Values t) { v.uv1 = {t[0], t[1]}; });
    read("COLOR_0", 3, 4, [](Vertex& v, Values c) {
        v.color_rg = pack_unorm16(c[0], c[1]);
        v.color_ba = pack_unorm16(c[2], c.size() > 3 ? c[3] : 1.0f);
    });
    return done;
}

/// What `indices` refer to, as a triangle list.
std::vector<std::uint32_t> unroll(int mode, std::vector<std::uint32_t> indices) {
    if (mode == TINYGLTF_MODE_TRIANGLE_STRIP) return unroll_strip(indices);
    if (mode == TINYGLTF_MODE_TRIANGLE_FAN) return unroll_fan(indices);
    indices.resize(indices.size() / 3 * 3);
    return indices;
}

/// A direction perpendicular to unit vector `n`.
glm::vec3 any_perpendicular(glm::vec3 n) {
    const glm::vec3 axis = std::abs(n.x) < 0.7f ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
    return glm::normalize(glm::cross(axis, n));
}

Result<std::vector<std::uint32_t>> read_corners(const tinygltf::Model& model,
                                                const tinygltf::Primitive& primitive,
                                                std::size_t vertex_count,
                                                const std::string& owner) {
    if (primitive.indices < 0) {
        std::vector<std::uint32_t> all(vertex_count);
        std::iota(all.begin(), all.end(), 0u);
        return all;
    }
    auto indices = read_indices(model, primitive.indices, owner + ": indices");
    if (!indices) return indices;
    const auto beyond = std::find_if(indices->begin(), indices->end(),
                                     [&](std::uint32_t index) { return index >= vertex_count; });
    if (beyond != indices->end())
        return fail(
            "gltf/index-out-of-range",
            fmt::format("{}: index {} at position {} is out of range, there are {} vertices", owner,
                        *beyond, beyond - indices->begin(), vertex_count),
            "the file is damaged; export it again");
    return indices;
}

} // namespace

std::vector<std::uint32_t> unroll_strip(const std::vector<std::uint32_t>& strip) {
    std::vector<std::uint32_t> list;
    if (strip.size() < 3) return list;
    list.reserve((strip.size() - 2) * 3);
    for (std::size_t i = 0; i + 2 < strip.size(); ++i) {
        const std::size_t odd = i % 2; // every second triangle turns the other way
        list.insert(list.end(), {strip[i], strip[i + 1 + odd], strip[i + 2 - odd]});
    }
    return list;
}

std::vector<std::uint32_t> unroll_fan(const std::vector<std::uint32_t>& fan) {
    std::vector<std::uint32_t> list;
    if (fan.size() < 3) return list;
    list.reserve((fan.size() - 2) * 3);
    for (std::size_t i = 0; i + 2 < fan.size(); ++i)
        list.insert(list.end(), {fan[i + 1], fan[i + 2], fan[0]});
    return list;
}

void make_tangents(Geometry& geometry, std::uint32_t uv_set) {
    std::vector<glm::vec3> along_u(geometry.vertices.size(), glm::vec3(0.0f));
    std::vector<glm::vec3> along_v(geometry.vertices.size(), glm::vec3(0.0f));
    for (std::size_t i = 0; i < geometry.indices.size(); i += 3) {
        const std::uint32_t* corner = &geometry.indices[i];
        const Vertex& a = geometry.vertices[corner[0]];
        const Vertex& b = geometry.vertices[corner[1]];
        const Vertex& c = geometry.vertices[corner[2]];
        const auto uv = [uv_set](const Vertex& v) { return uv_set == 0 ? v.uv0 : v.uv1; };
        const glm::vec2 du = uv(b) - uv(a);
        const glm::vec2 dv = uv(c) - uv(a);
        const float determinant = du.x * dv.y - dv.x * du.y;
        if (determinant == 0.0f || !std::isfinite(determinant)) continue;
        const glm::vec3 e1 = b.position - a.position;
        const glm::vec3 e2 = c.position - a.position;
        const float area = glm::length(area_normal(a, b, c));
        const float sign = determinant < 0.0f ? -1.0f : 1.0f;
        const glm::vec3 u = area * unit_or(sign * (e1 * dv.y - e2 * du.y), glm::vec3(0.0f));
        const glm::vec3 v = area * unit_or(sign * (e2 * du.x - e1 * dv.x), glm::vec3(0.0f));
        for (int k = 0; k < 3; ++k) {
            along_u[corner[k]] += u;
            along_v[corner[k]] += v;
        }
    }
    for (std::size_t i = 0; i < geometry.vertices.size(); ++i) {
        Vertex& vertex = geometry.vertices[i];
        const glm::vec3 n = vertex.normal;
        const glm::vec3 t = unit_or(along_u[i] - n * glm::dot(n, along_u[i]), any_perpendicular(n));
        // glTF: bitangent = cross(normal, tangent) * w, along growing v of the image, which points
        // down in it; the texture's green axis points up, against v.
        const float w = glm::dot(glm::cross(n, t), along_v[i]) > 0.0f ? -1.0f : 1.0f;
        vertex.tangent = glm::vec4(t, w);
    }
}

Result<Geometry> read_geometry(const tinygltf::Model& model, const tinygltf::Primitive& primitive,
                               std::optional<std::uint32_t> tangent_uv, const std::string& owner,
                               Diagnostics& warnings) {
    Geometry geometry;
    if (primitive.mode < TINYGLTF_MODE_POINTS || primitive.mode > TINYGLTF_MODE_TRIANGLE_FAN)
        return fail("gltf/schema", fmt::format("{}: there is no mode {}", owner, primitive.mode));
    if (primitive.mode < TINYGLTF_MODE_TRIANGLES) {
        warnings.push_back(warning("gltf/skipped-primitive",
                                   fmt::format("{}: points and lines are not drawn", owner)));
        return geometry;
    }
    Reader reader(model, primitive, owner, geometry.vertices);
    if (!reader.has("POSITION")) {
        warnings.push_back(
            warning("gltf/skipped-primitive", fmt::format("{}: it has no positions", owner)));
        return geometry;
    }
    if (auto read = read_vertices(reader); !read) return propagate(std::move(read));
    for (std::size_t i = 0; i < geometry.vertices.size(); ++i)
        if (!is_finite(geometry.vertices[i].position))
            return fail("gltf/not-finite",
                        fmt::format("{}: position {} is infinite or not a number", owner, i),
                        "the file is damaged; export it again");
    auto corners = read_corners(model, primitive, geometry.vertices.size(), owner);
    if (!corners) return propagate(std::move(corners));
    geometry.indices = unroll(primitive.mode, std::move(*corners));

    if (!reader.has("NORMAL")) {
        geometry.origins = geometry.indices;
        make_flat(geometry);
    } else if (const std::size_t bad = repair_normals(geometry); bad != 0) {
        warnings.push_back(warning(
            "gltf/bad-normals",
            fmt::format("{}: {} normals have no direction and were computed from the triangles",
                        owner, bad)));
    }
    // Tangents without normals are to be ignored, as the specification says.
    const bool has_tangents = reader.has("TANGENT") && reader.has("NORMAL");
    if (!has_tangents)
        for (Vertex& vertex : geometry.vertices)
            vertex.tangent = {1.0f, 0.0f, 0.0f, 1.0f};
    const std::string uv = fmt::format("TEXCOORD_{}", tangent_uv.value_or(0));
    if (tangent_uv && !has_tangents && reader.has(uv)) make_tangents(geometry, *tangent_uv);
    return geometry;
}

} // namespace tuff::gltf
