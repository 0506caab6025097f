#include "tests/gpu/oit/oit_fixture.hpp"

#include <tuff/scene_resources.hpp>

#include <glm/common.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/packing.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tuff {
namespace {

glm::mat4 placed(const PaneScene& scene, const Pane& pane) {
    // A pixel is a unit; up is +y.
    const double x = 0.5 * (pane.left + pane.right) - 0.5 * scene.width;
    const double y = 0.5 * scene.height - 0.5 * (pane.top + pane.bottom);
    const glm::mat4 moved =
        glm::translate(glm::mat4(1.0f), glm::vec3(glm::vec2(glm::dvec2(x, y)), pane.z));
    return glm::scale(
        moved, glm::vec3(0.5 * (pane.right - pane.left), 0.5 * (pane.bottom - pane.top), 1.0));
}

SceneData scene_of(const PaneScene& scene) {
    SceneBuilder builder;
    builder.camera(0.5f * static_cast<float>(scene.height));
    for (const Pane& pane : scene.panes) // material i is pane i's
        builder.quad(builder.material(SceneBuilder::unlit(pane.color, AlphaMode::blend)),
                     placed(scene, pane));
    for (const Pane& solid : scene.solids)
        builder.quad(builder.material(SceneBuilder::unlit(solid.color)), placed(scene, solid));
    return std::move(builder).finish();
}

glm::dvec4 blend(glm::dvec4 below, const Pane& pane, glm::dvec4 color) {
    const double a = color.a;
    const glm::dvec3 c(color);
    const glm::dvec3 under(below);
    const double covers = a + (1.0 - a) * below.a;
    switch (pane.mode) {
    case 1: return {under + c * a, below.a};
    case 2: return {under * glm::mix(glm::dvec3(1.0), c, a), below.a};
    case 3: return {c + (1.0 - a) * under, covers};
    default: return {c * a + (1.0 - a) * under, covers};
    }
}

} // namespace

PaneScene random_panes(std::mt19937& random, std::uint32_t side, std::uint32_t count,
                       std::uint32_t depths) {
    const auto below = [&](std::uint32_t n) {
        return static_cast<double>(std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random));
    };
    PaneScene scene{.width = side, .height = side, .panes = {}, .solids = {}};
    for (std::uint32_t i = 0; i < count; ++i) {
        Pane pane;
        pane.left = below(side);
        pane.right = pane.left + 1 + below(side);
        pane.top = below(side);
        pane.bottom = pane.top + 1 + below(side);
        const double place = depths >= count ? i : below(depths);
        pane.z = static_cast<float>(9.0 - 18.0 * place / depths);
        for (int c = 0; c < 4; ++c)
            pane.color[c] = static_cast<float>(below(17) / 16.0);
        pane.draw = i;
        scene.panes.push_back(pane);
    }
    return scene;
}

glm::dvec4 quantized_8bit(glm::vec4 color) {
    return glm::round(glm::dvec4(glm::clamp(color, 0.0f, 1.0f)) * 255.0) / 255.0;
}
glm::dvec4 quantized_half(glm::vec4 color) {
    return glm::dvec4(glm::unpackHalf4x16(glm::packHalf4x16(color)));
}
glm::dvec4 quantized_565(glm::vec4 color) {
    const glm::dvec4 steps(31.0, 63.0, 31.0, 63.0);
    return glm::round(glm::dvec4(glm::clamp(color, 0.0f, 1.0f)) * steps) / steps;
}

std::vector<glm::dvec4> blended_by_sorting(const PaneScene& scene, Quantize quantize,
                                           glm::dvec2 place, std::size_t nearest) {
    std::vector<Pane> sorted = scene.panes;
    std::ranges::sort(sorted, [](const Pane& a, const Pane& b) {
        return std::tuple(-a.z, a.draw) < std::tuple(-b.z, b.draw);
    });
    std::vector<glm::dvec4> picture;
    for (std::uint32_t y = 0; y < scene.height; ++y)
        for (std::uint32_t x = 0; x < scene.width; ++x) {
            glm::dvec4 color(scene.background);
            float solid = -100.0f;
            for (const Pane& pane : scene.solids)
                if (pane.covers(x + place.x, y + place.y) && pane.z > solid) {
                    solid = pane.z;
                    color = glm::dvec4(pane.color);
                }
            std::vector<const Pane*> seen;
            for (const Pane& pane : sorted)
                if (pane.covers(x + place.x, y + place.y) && pane.z > solid &&
                    seen.size() < nearest)
                    seen.push_back(&pane);
            for (auto pane = seen.rbegin(); pane != seen.rend(); ++pane)
                color = blend(color, **pane, quantize((*pane)->color));
            picture.push_back(color);
        }
    return picture;
}

std::size_t fragments_of(const PaneScene& scene) {
    std::size_t count = 0;
    for (std::uint32_t y = 0; y < scene.height; ++y)
        for (std::uint32_t x = 0; x < scene.width; ++x)
            for (const Pane& pane : scene.panes)
                count += pane.covers(x + 0.5, y + 0.5) &&
                         std::ranges::none_of(scene.solids, [&](const Pane& solid) {
                             return solid.z >= pane.z && solid.covers(x + 0.5, y + 0.5);
                         });
    return count;
}

OitTest::Seen OitTest::see(Graph& graph, SceneData scene, std::uint32_t width, std::uint32_t height,
                           std::uint32_t samples, glm::vec4 background) {
    passes::MeshRaster opaque;
    opaque.scene = add_scene(graph, "scene", pack_scene(std::move(scene)));
    opaque.width = width;
    opaque.height = height;
    opaque.samples = samples;
    opaque.camera.mode = passes::CameraMode::file;
    opaque.sun.intensity = 0.0f;
    opaque.sun.shadows = false;
    opaque.ambient = glm::vec3(0.0f);
    opaque.background = background;
    opaque.blended = passes::BlendedDraws::left_out;
    return {opaque.scene, graph.add(opaque, "opaque").view};
}

OitTest::Seen OitTest::see(Graph& graph, const PaneScene& panes, std::uint32_t samples) {
    return see(graph, scene_of(panes), panes.width, panes.height, samples, panes.background);
}

OitTest::Drawn OitTest::draw(const PaneScene& panes, Ways ways) {
    Graph g = graph();
    const Seen seen = see(g, panes, ways.samples);
    for (const Pane& pane : panes.panes)
        ways.capture.modes.push_back(static_cast<float>(pane.mode));
    return draw(std::move(g), seen, std::move(ways));
}

OitTest::Drawn OitTest::draw(Graph g, const Seen& seen, Ways ways) {
    ways.capture.scene = seen.scene;
    ways.capture.view = seen.view;
    constexpr std::uint32_t kUntouched = 0xc0ffee;
    const std::uint64_t room =
        static_cast<std::uint64_t>(std::max<std::int64_t>(ways.capture.pool.capacity, 0)) *
        passes::words_of(passes::payload_of(ways.capture.pool.packing), ways.capture.layout);
    if (ways.words_beyond > 0) {
        const auto words = [&](std::string_view name, std::uint64_t count) {
            return g.fill(g.buffer(name, {.size = 4 * count, .stride = 4}), kUntouched, name);
        };
        const Extent extent = g.extent(seen.view.depth);
        ways.capture.reuse.heads = words("heads", std::uint64_t{extent.width} * extent.height + 1);
        ways.capture.reuse.fragments = words("fragments", room + ways.words_beyond);
        ways.capture.reuse.status = words("status", 3);
    }
    ways.resolve.lists = g.add(ways.capture).lists;
    ways.resolve.view = seen.view;
    g.output("color", g.add(ways.resolve).color);
    g.output("heads", ways.resolve.lists.heads);
    g.output("fragments", ways.resolve.lists.fragments);
    g.output("status", ways.resolve.lists.status);
    testing_gpu::Running running = run(std::move(g));
    Drawn drawn;
    drawn.lists = ways.resolve.lists;
    drawn.color = running.image("color");
    drawn.heads = running.buffer<std::uint32_t>("heads");
    drawn.fragments = running.buffer<std::uint32_t>("fragments");
    if (ways.words_beyond > 0) {
        const auto beyond = drawn.fragments.begin() + static_cast<std::ptrdiff_t>(room);
        drawn.beyond_is_untouched = std::all_of(
            beyond, drawn.fragments.end(), [](std::uint32_t word) { return word == kUntouched; });
        drawn.heads.resize(std::size_t{drawn.color.extent.width} * drawn.color.extent.height);
    }
    const auto words = running.buffer<std::uint32_t>("status");
    if (words.size() >= 3) drawn.status = {words[0], words[1], words[2]};
    return drawn;
}

void OitTest::expect_near(const HostImage& got, const std::vector<glm::dvec4>& expected,
                          double tolerance, const std::string& what) {
    ASSERT_EQ(std::size_t{got.extent.width} * got.extent.height, expected.size()) << what;
    int wrong = 0;
    for (std::uint32_t i = 0; i < expected.size() && wrong < 4; ++i) {
        const auto texel = got.texel(i % got.extent.width, i / got.extent.width);
        for (int c = 0; c < 4 && wrong < 4; ++c)
            if (!(std::abs(static_cast<double>(texel[static_cast<std::size_t>(c)]) -
                           expected[i][c]) <= tolerance)) {
                ADD_FAILURE() << what << ": texel " << i % got.extent.width << ", "
                              << i / got.extent.width << " channel " << c << " is "
                              << texel[static_cast<std::size_t>(c)] << " instead of "
                              << expected[i][c];
                ++wrong;
            }
    }
}

} // namespace tuff
