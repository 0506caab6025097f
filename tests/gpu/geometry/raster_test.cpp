#include "tests/gpu/geometry/raster_test.hpp"

#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tuff::testing_gpu {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

RasterCase pixel_case(std::string name, std::uint32_t width, std::uint32_t height,
                      RasterMesh mesh = {}) {
    return {.name = std::move(name),
            .mesh = std::move(mesh),
            .setup = {
                .clip_from_mesh = pixels_to_clip(width, height), .width = width, .height = height}};
}

/// Of all sizes, in and around the picture, at depths of which some are equal.
RasterMesh random_mesh(std::uint32_t count, float width, float height, float size,
                       std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> unit(0.0f, 1.0f);
    RasterMesh mesh;
    for (std::uint32_t i = 0; i < count; ++i) {
        const glm::vec3 at(unit(random) * width, unit(random) * height, 0.0f);
        const bool flat = i % 4 == 0;
        const float depth = 0.125f * std::floor(unit(random) * 8.0f);
        const auto corner = [&] {
            return at + glm::vec3((unit(random) - 0.5f) * size, (unit(random) - 0.5f) * size,
                                  flat ? depth : unit(random));
        };
        mesh.add(corner(), corner(), corner());
    }
    return mesh;
}

/// Corners on middles and corners of pixels: every edge passes middles.
RasterMesh tie_mesh(std::uint32_t count, std::uint32_t side) {
    std::mt19937 random(11);
    RasterMesh mesh;
    const auto corner = [&] {
        return glm::vec3(0.5f * static_cast<float>(random() % (2 * side + 8)) - 2.0f,
                         0.5f * static_cast<float>(random() % (2 * side + 8)) - 2.0f,
                         0.25f * static_cast<float>(random() % 5));
    };
    for (std::uint32_t i = 0; i < count; ++i)
        mesh.add(corner(), corner(), corner());
    return mesh;
}

/// Thinner than a fraction of a pixel, long and short; without area; with broken corners.
RasterMesh broken_mesh() {
    RasterMesh mesh;
    for (int i = 0; i < 60; ++i) {
        const auto f = static_cast<float>(i);
        mesh.add({0.3f * f, 1.0f, 0.2f}, {40.0f - f, 39.0f, 0.8f}, {40.1f - f, 39.0f, 0.5f});
        mesh.add({f, f, 0.5f}, {f, f, 0.5f}, {f + 3.0f, f, 0.5f});
        mesh.add({f, 2.0f, 0.5f}, {f + 9.0f, 2.0f, 0.4f}, {f + 3.0f, 2.0f, 0.1f});
        mesh.add({f, 3.001f, 0.5f}, {f + 0.001f, 3.0f, 0.4f}, {f, 3.0f, 0.1f});
    }
    mesh.add({1, 1, std::nanf("")}, {5, 1, 0}, {1, 5, 0});
    mesh.add({1, 1, 0}, {kInfinity, 1, 0}, {1, 5, 0});
    mesh.add({1, 1, 0}, {5, 1, 0}, {1, -kInfinity, 0});
    mesh.indices.insert(mesh.indices.end(), {0, 1, 100'000, ~0u, 1, 2});
    mesh.add({20, 20, 0.0f}, {30, 20, 0.5f}, {20, 30, 1.0f});
    return mesh;
}

/// Far larger than the picture, some beyond where screen coordinates end.
RasterMesh huge_mesh() {
    RasterMesh mesh;
    for (const float far : {300.0f, 4000.0f, 30'000.0f, 40'000.0f, 1e6f, 1e9f}) {
        mesh.add({-far, -far, 0.9f}, {far, -far, 0.1f}, {0.0f, far, 0.5f});
        mesh.add({10.3f, 12.1f, 0.2f}, {far, 30.0f, 0.4f}, {far, 31.0f, 0.4f});
        mesh.add({20.0f, -far, 0.3f}, {21.5f, far, 0.3f}, {20.0f, far, 0.6f});
        mesh.add({-far, 5.0f, 0.3f}, {far, 5.25f, 0.3f}, {far, 60.0f, 0.6f});
    }
    return mesh;
}

/// Through the near and the far plane, behind the camera, and beside the view.
RasterMesh deep_mesh(std::uint32_t count) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
    RasterMesh mesh;
    const auto corner = [&](float deepest) {
        return glm::vec3(3.0f * unit(random), 3.0f * unit(random), deepest * unit(random));
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        const float deepest = i % 3 == 0 ? 3.0f : i % 3 == 1 ? 20.0f : 130.0f;
        mesh.add(corner(deepest), corner(deepest), corner(deepest));
    }
    mesh.add({0, 0, 0}, {1, 0, -5}, {0, 1, -5}); // a corner in the camera
    return mesh;
}

std::vector<float> wavy_depths(std::uint32_t width, std::uint32_t height) {
    std::vector<float> depths;
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x)
            depths.push_back(0.125f * static_cast<float>((x / 5 + y / 3) % 9));
    depths[0] = std::nanf("");
    return depths;
}

} // namespace

glm::mat4 pixels_to_clip(std::uint32_t width, std::uint32_t height) {
    glm::mat4 m(1.0f);
    m[0][0] = 2.0f / static_cast<float>(width);
    m[1][1] = 2.0f / static_cast<float>(height);
    m[3] = glm::vec4(-1.0f, -1.0f, 0.0f, 1.0f);
    return m;
}

glm::mat4 perspective_view(std::uint32_t width, std::uint32_t height) {
    const Camera camera{.position = glm::vec3(0.0f),
                        .target = glm::vec3(0.0f, 0.0f, -1.0f),
                        .vertical_fov = 70.0f,
                        .near_plane = 1.0f,
                        .far_plane = 100.0f};
    return camera.projection(static_cast<float>(width) / static_cast<float>(height)) *
           camera.view();
}

const RasterCase& case_named(const std::vector<RasterCase>& cases, std::string_view name) {
    return *std::ranges::find(cases, name, &RasterCase::name);
}

std::vector<RasterCase> raster_cases() {
    std::vector<RasterCase> all;
    all.push_back(pixel_case("nothing", 5, 7));
    all.push_back(pixel_case("one pixel", 1, 1, random_mesh(40, 1.0f, 1.0f, 4.0f, 1)));
    all.push_back(pixel_case("a row", 77, 1, random_mesh(60, 77.0f, 1.0f, 9.0f, 2)));
    all.push_back(pixel_case("tiny", 64, 48, random_mesh(1500, 64.0f, 48.0f, 2.5f, 4)));
    all.push_back(pixel_case("medium", 127, 95, random_mesh(260, 127.0f, 95.0f, 60.0f, 6)));
    all.push_back(pixel_case("large", 129, 97, random_mesh(130, 129.0f, 97.0f, 400.0f, 7)));
    all.push_back(pixel_case("ties", 40, 40, tie_mesh(400, 40)));
    all.push_back(pixel_case("broken", 41, 41, broken_mesh()));
    all.push_back(pixel_case("huge", 66, 50, huge_mesh()));
    RasterCase deep{
        .name = "deep",
        .mesh = deep_mesh(150),
        .setup = {.clip_from_mesh = perspective_view(60, 45), .width = 60, .height = 45}};
    all.push_back(deep);
    RasterCase no_fronts = case_named(all, "large");
    no_fronts.name = "no fronts";
    no_fronts.setup.cull = passes::RasterCull::front;
    all.push_back(no_fronts);
    deep.name = "no deep backs";
    deep.setup.cull = passes::RasterCull::back;
    all.push_back(deep);
    RasterCase hidden = case_named(all, "large");
    hidden.name = "hidden";
    hidden.setup.occluder = wavy_depths(hidden.setup.width, hidden.setup.height);
    all.push_back(hidden);
    return all;
}

passes::TriangleMesh RasterTest::mesh(Graph& g, const RasterMesh& source, std::string_view name) {
    std::vector<float> positions;
    for (const glm::vec3& p : source.positions)
        positions.insert(positions.end(), {p.x, p.y, p.z});
    std::vector<std::uint32_t> indices = source.indices;
    if (positions.empty()) positions.resize(3);
    if (indices.empty()) indices.resize(3);
    const auto array = [&](std::string_view part, const auto& values) {
        const auto bytes = bytes_of(values);
        return g.constant_buffer(fmt::format("{}.{}", name, part),
                                 {.size = bytes->size(), .stride = 4}, bytes);
    };
    return {.positions = array("positions", positions),
            .indices = array("indices", indices),
            .draws = {},
            .vertex_count = static_cast<std::uint32_t>(source.positions.size()),
            .triangle_count = source.triangles()};
}

Image RasterTest::occluder(Graph& g, const RasterSetup& setup, std::string_view name) {
    if (setup.occluder.empty()) return {};
    return g.constant_image(
        fmt::format("{}.occluder", name),
        {.format = Format::r32_sfloat, .extent = {setup.width, setup.height, 1}},
        bytes_of(setup.occluder));
}

std::vector<RasterFragment> RasterTest::nearest(const RasterReference& reference) {
    std::vector<RasterFragment> result;
    for (const auto& pixel : reference.pixels)
        result.push_back(pixel.empty() ? RasterFragment{.triangle = ~0u, .depth = ~0u}
                                       : pixel.front());
    return result;
}

std::string RasterTest::difference(const std::vector<RasterFragment>& got,
                                   const std::vector<RasterFragment>& wanted, std::uint32_t width) {
    if (got.size() != wanted.size())
        return fmt::format("{} in place of {}", got.size(), wanted.size());
    std::string text;
    std::size_t count = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (got[i] == wanted[i] || ++count > 5) continue;
        text += fmt::format("\n({}, {}): triangle {} depth {:x}, not {} depth {:x}", i % width,
                            i / width, got[i].triangle, got[i].depth, wanted[i].triangle,
                            wanted[i].depth);
    }
    return count == 0 ? std::string() : fmt::format("{} pixels differ:{}", count, text);
}

void RasterTest::expect_status(const passes::RasterStatus& got, const RasterReference& wanted) {
    EXPECT_EQ(got.degenerate, wanted.degenerate);
    EXPECT_EQ(got.not_finite, wanted.not_finite);
    EXPECT_EQ(got.bad_index, wanted.bad_index);
    EXPECT_EQ(got.clipped, wanted.clipped);
}

std::vector<std::vector<RasterFragment>>
RasterTest::lists(Running& running, const std::string& name, std::uint32_t capacity) {
    const auto heads = running.buffer<std::uint32_t>(name + ".heads");
    const auto fragments = running.buffer<RasterFragment>(name + ".fragments");
    std::vector<std::vector<RasterFragment>> result;
    for (std::size_t pixel = 0; pixel + 1 < heads.size(); ++pixel) {
        const std::uint32_t begin = heads[pixel];
        const std::uint32_t end = heads[pixel + 1];
        auto& list = result.emplace_back();
        EXPECT_LE(begin, end);
        if (begin > end || end > capacity || end > fragments.size()) continue;
        list.assign(fragments.begin() + begin, fragments.begin() + end);
        std::ranges::sort(list, [](const RasterFragment& a, const RasterFragment& b) {
            return a.depth != b.depth ? a.depth < b.depth : a.triangle < b.triangle;
        });
    }
    return result;
}

} // namespace tuff::testing_gpu
