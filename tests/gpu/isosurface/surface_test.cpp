#include "tests/gpu/isosurface/surface_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <random>

namespace tuff::testing_gpu {

HostField sampled_field(glm::uvec3 dims, glm::dvec3 origin, double spacing,
                        const std::function<double(glm::dvec3)>& height) {
    HostField field{.dims = dims, .values = {}};
    for (std::uint32_t z = 0; z < dims.z; ++z)
        for (std::uint32_t y = 0; y < dims.y; ++y)
            for (std::uint32_t x = 0; x < dims.x; ++x)
                field.values.push_back(
                    static_cast<float>(height(origin + spacing * glm::dvec3(x, y, z))));
    return field;
}

HostField random_field(glm::uvec3 dims, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-1.0f, 1.0f);
    HostField field{.dims = dims, .values = std::vector<float>(dims.x * dims.y * dims.z)};
    for (float& value : field.values)
        value = number(random);
    return field;
}

double HostSurface::area() const {
    double sum = 0.0;
    for (const HostTriangle& t : triangles) {
        const glm::dvec3 a(positions[t[0]]);
        sum += 0.5 * glm::length(glm::cross(glm::dvec3(positions[t[1]]) - a,
                                            glm::dvec3(positions[t[2]]) - a));
    }
    return sum;
}

double HostSurface::volume() const {
    double sum = 0.0;
    for (const HostTriangle& t : triangles)
        sum += glm::dot(glm::dvec3(positions[t[0]]),
                        glm::cross(glm::dvec3(positions[t[1]]), glm::dvec3(positions[t[2]]))) /
               6.0;
    return sum;
}

std::vector<std::array<std::uint32_t, 2>> open_edges(const HostSurface& surface) {
    std::map<std::array<std::uint32_t, 2>, int> met;
    for (const HostTriangle& t : surface.triangles)
        for (std::size_t i = 0; i < 3; ++i)
            ++met[{t[i], t[(i + 1) % 3]}];
    std::vector<std::array<std::uint32_t, 2>> open;
    for (const auto& [edge, times] : met) {
        const auto back = met.find({edge[1], edge[0]});
        if (times != 1 || back == met.end() || back->second != 1) open.push_back(edge);
    }
    return open;
}

bool has_single_fans(const HostSurface& surface) {
    // Around each vertex of a closed mesh, the edges across from it follow one another in rings.
    std::vector<std::map<std::uint32_t, std::uint32_t>> next(surface.positions.size());
    for (const HostTriangle& t : surface.triangles)
        for (std::size_t i = 0; i < 3; ++i)
            if (!next[t[i]].emplace(t[(i + 1) % 3], t[(i + 2) % 3]).second) return false;
    return std::ranges::all_of(next, [](const auto& ring) {
        if (ring.empty()) return false;
        std::size_t steps = 1;
        for (auto at = ring.find(ring.begin()->second);
             at != ring.end() && at != ring.begin() && steps <= ring.size();
             at = ring.find(at->second))
            ++steps;
        return steps == ring.size();
    });
}

std::vector<std::array<std::uint32_t, 9>> triangle_set(const HostSurface& surface) {
    std::vector<std::array<std::uint32_t, 9>> all;
    for (const HostTriangle& t : surface.triangles) {
        std::array<std::array<std::uint32_t, 3>, 3> corners;
        for (std::size_t i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                corners[i][static_cast<std::size_t>(k)] =
                    std::bit_cast<std::uint32_t>(surface.positions[t[i]][k]);
        std::ranges::rotate(corners, std::ranges::min_element(corners));
        std::array<std::uint32_t, 9> one;
        for (std::size_t i = 0; i < 9; ++i)
            one[i] = corners[i / 3][i % 3];
        all.push_back(one);
    }
    std::ranges::sort(all);
    return all;
}

Image SurfaceTest::volume(Graph& g, const HostField& field) {
    return g.constant_image("field",
                            {.format = Format::r32_sfloat,
                             .extent = {field.dims.x, field.dims.y, field.dims.z},
                             .shape = ImageShape::d3},
                            bytes_of(field.values));
}

Buffer SurfaceTest::values(Graph& g, const HostField& field) {
    return g.constant_buffer("values", {.size = 4 * field.values.size(), .stride = 4},
                             bytes_of(field.values));
}

HostSurface SurfaceTest::surface(Running& running, const std::string& name) {
    HostSurface result{.positions = running.buffer<glm::vec3>(name + " positions"),
                       .normals = running.buffer<glm::vec3>(name + " normals"),
                       .triangles = running.buffer<HostTriangle>(name + " indices"),
                       .behind = {},
                       .draw = running.buffer<std::uint32_t>(name + " draw"),
                       .status = {}};
    result.status = passes::IsosurfaceStatus::read(running.buffer<std::uint32_t>(name + " status"));
    const std::size_t triangles =
        std::min<std::size_t>(result.status.triangles, result.triangles.size());
    const auto last = result.triangles.begin() + static_cast<std::ptrdiff_t>(triangles);
    result.behind.assign(last, result.triangles.end());
    result.triangles.erase(last, result.triangles.end());
    for (const HostTriangle& triangle : result.behind)
        EXPECT_EQ(triangle, HostTriangle{});
    const std::size_t vertices =
        std::min<std::size_t>(result.status.vertices, result.positions.size());
    for (std::size_t i = vertices; i < result.positions.size(); ++i)
        EXPECT_EQ(result.positions[i], glm::vec3(0.0f));
    result.positions.resize(vertices);
    result.normals.resize(vertices);
    EXPECT_EQ(result.draw,
              (std::vector<std::uint32_t>{3 * static_cast<std::uint32_t>(triangles), 1, 0, 0, 0}));
    bool in_range = true;
    for (const HostTriangle& triangle : result.triangles)
        for (const std::uint32_t corner : triangle)
            in_range = in_range && corner < std::max<std::size_t>(vertices, 1);
    EXPECT_TRUE(in_range);
    return result;
}

} // namespace tuff::testing_gpu
