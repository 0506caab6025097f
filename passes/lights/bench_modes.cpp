#include "apps/bench/checks.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/geometry/compute_raster.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/lights/bench_hall.hpp"
#include "passes/lights/cluster.hpp"
#include "passes/lights/forward.hpp"
#include "passes/lights/list.hpp"
#include "passes/lights/of_scene.hpp"
#include "passes/lights/shadows.hpp"
#include "passes/lights/surfaces.hpp"
#include "passes/oit/capture.hpp"
#include "passes/oit/resolve.hpp"
#include "passes/scene/mesh_raster.hpp"

#include <tuff/scene_resources.hpp>

#include <fmt/format.h>
#include <glm/common.hpp>

#include <optional>
#include <string>

/// Ways to light a scene of triangles: Forward+, visible triangles, transparent fragments, shadows;
/// and lights that come from elsewhere.
namespace tuff::bench {
namespace {

constexpr std::uint32_t kCheckedPanelPixels = 200;
constexpr float kPanelHeight = 2.5f;
constexpr int kPanelCells = 8; // along each side of a panel

/// An upright panel that looks to the eye, or the floor.
struct Panel {
    glm::vec3 middle{0.0f};
    glm::vec3 right{1.0f, 0.0f, 0.0f};
    glm::vec3 up{0.0f, 1.0f, 0.0f};
    glm::vec3 normal{0.0f, 0.0f, 1.0f};

    /// Where the line from `from` along `along` meets it, as a multiple of `along`; -1: nowhere.
    /// `within`: how far inside of its edges, as a share of its size.
    double hit(glm::dvec3 from, glm::dvec3 along, double within) const {
        const glm::dvec3 n(normal);
        const double t = glm::dot(glm::dvec3(middle) - from, n) / glm::dot(along, n);
        if (!(t > 0.0)) return -1.0;
        const glm::dvec3 at = from + t * along - glm::dvec3(middle);
        const glm::dvec3 u(right), v(up);
        const bool inside = std::abs(glm::dot(at, u)) < glm::dot(u, u) * (1.0 - within) &&
                            std::abs(glm::dot(at, v)) < glm::dot(v, v) * (1.0 - within);
        return inside ? t : -1.0;
    }
};

/// A floor and rows of panels that stand on it, each of a material of its own.
std::vector<Panel> panels() {
    std::vector<Panel> all{
        {.middle = {0, 0, -15}, .right = {30, 0, 0}, .up = {0, 0, -25}, .normal = {0, 1, 0}}};
    for (int row = 0; row < 6; ++row)
        for (int column = -2; column <= 2; ++column)
            all.push_back(
                {.middle = {3.0f * static_cast<float>(column) + (row % 2 == 0 ? 0.0f : 0.7f),
                            0.5f * kPanelHeight, -4.0f * static_cast<float>(row)},
                 .up = {0.0f, 0.5f * kPanelHeight, 0.0f}});
    return all;
}

SceneMaterial panel_material(std::uint32_t i, AlphaMode mode) {
    SceneMaterial material;
    material.base_color = {0.3f + 0.6f * hash_unit(4 * i), 0.3f + 0.6f * hash_unit(4 * i + 1), 0.5f,
                           mode == AlphaMode::blend ? 0.5f : 1.0f};
    material.roughness = 0.3f + 0.6f * hash_unit(4 * i + 2);
    material.metallic = hash_unit(4 * i + 3);
    material.alpha_mode = mode;
    material.flags = material_double_sided | (mode == AlphaMode::blend ? material_unlit : 0u);
    return material;
}

void add_panel(SceneData& scene, const Panel& panel, AlphaMode mode) {
    const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    const std::uint32_t number = count(scene.materials);
    SceneDraw draw{.first_index = count(scene.indices),
                   .vertex_offset = static_cast<std::int32_t>(scene.vertices.size()),
                   .material = number,
                   .transform = number,
                   .mesh = number};
    Bounds bounds;
    for (int j = 0; j <= kPanelCells; ++j)
        for (int i = 0; i <= kPanelCells; ++i) {
            const auto along = [](int k) {
                return 2.0f * static_cast<float>(k) / static_cast<float>(kPanelCells) - 1.0f;
            };
            Vertex vertex;
            vertex.position = panel.middle + along(i) * panel.right + along(j) * panel.up;
            vertex.normal = panel.normal;
            vertex.color_rg = vertex.color_ba = 0xffffffffu;
            scene.vertices.push_back(vertex);
            bounds.grow(vertex.position);
            if (i == kPanelCells || j == kPanelCells) continue;
            const auto first = static_cast<std::uint32_t>(j * (kPanelCells + 1) + i);
            const std::uint32_t above = first + kPanelCells + 1;
            scene.indices.insert(scene.indices.end(),
                                 {first, first + 1, above + 1, first, above + 1, above});
        }
    draw.index_count = count(scene.indices) - draw.first_index;
    draw.vertex_count = (kPanelCells + 1) * (kPanelCells + 1);
    scene.materials.push_back(panel_material(number, mode));
    scene.material_names.emplace_back("panel");
    scene.mesh_names.emplace_back("panel");
    scene.transforms.push_back({});
    scene.draws.push_back(draw);
    scene.draw_bounds.push_back(bounds);
    scene.bounds.grow(bounds.min);
    scene.bounds.grow(bounds.max);
}

/// The panels as a scene, with the hall's camera.
struct PanelScene {
    Scene scene;
    Extent extent;
    std::vector<Panel> all;
    glm::dmat4 world_from_clip{1.0};
    glm::dvec3 eye{0.0};

    glm::dvec3 ray(std::uint32_t x, std::uint32_t y) const {
        const glm::dvec4 at =
            world_from_clip * glm::dvec4((x + 0.5) / extent.width * 2.0 - 1.0,
                                         (y + 0.5) / extent.height * 2.0 - 1.0, 1.0, 1.0);
        return glm::dvec3(at) / at.w - eye;
    }
    /// The nearest panel that a pixel shows well within its edges; nothing where one may be missed.
    std::optional<std::pair<std::size_t, double>> seen(std::uint32_t x, std::uint32_t y) const {
        const glm::dvec3 along = ray(x, y);
        std::optional<std::pair<std::size_t, double>> nearest;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double outer = all[i].hit(eye, along, -0.05);
            if (outer < 0.0 || (nearest && outer > nearest->second)) continue;
            nearest = std::pair{i, outer};
        }
        if (nearest && all[nearest->first].hit(eye, along, 0.05) < 0.0) return {};
        return nearest;
    }
};

PanelScene panel_scene(CaseBuilder& c, AlphaMode mode = AlphaMode::opaque) {
    const Camera camera = hall_camera();
    PanelScene made{.extent = hall_extent(c), .all = panels(), .eye = camera.position};
    SceneData data;
    data.cameras.push_back({.name = "eye", .camera = camera});
    for (const Panel& panel : made.all)
        add_panel(data, panel, mode);
    made.world_from_clip = glm::inverse(glm::dmat4(hall_clip_from_world(camera, made.extent)));
    made.scene = add_scene(c.graph(), "panels", pack_scene(std::move(data)));
    return made;
}

/// `pass` with the size and the camera of the panels.
template <typename Pass>
Pass of_panels(Pass pass, const PanelScene& panels) {
    pass.scene = panels.scene;
    pass.width = panels.extent.width;
    pass.height = panels.extent.height;
    pass.camera.mode = passes::CameraMode::file;
    return pass;
}

void forward(CaseBuilder& c) {
    const PanelScene panels = panel_scene(c);
    passes::ForwardLights pass = of_panels(passes::ForwardLights{.own_materials = true}, panels);
    pass.lights = lights_in_hall(c, 1024);
    c.output("by_lists", c.add(pass, "forward").result);
    c.time_only("forward/");
    pass.lists = passes::ForwardLists::all;
    c.output("by_all", c.graph().add(pass, "all").result);
    c.check([](CaseResults& results) {
        return pictures_agree(results, {.absolute = 1e-3, .relative = 2e-3});
    });
}

/// Normals, colours and materials of some pixels are those of the panels that they show.
void surfaces(CaseBuilder& c) {
    const PanelScene panels = panel_scene(c);
    const passes::TriangleMesh mesh = c.graph().add(passes::Triangles{.scene = panels.scene}).mesh;
    const passes::ComputeRaster raster =
        c.graph().add(of_panels(passes::ComputeRaster{.mesh = mesh}, panels));
    passes::LitSurfaces pass{.visibility = raster.visibility, .scene = panels.scene};
    pass.camera.mode = passes::CameraMode::file;
    pass = c.add(pass, "surfaces");
    c.time_only("surfaces/");
    c.output("normal", pass.normal);
    c.output("albedo", pass.albedo);
    c.output("material", pass.material);
    c.check([panels](CaseResults& results) -> Verdict {
        const HostImage normal = results.read_image("normal");
        const HostImage albedo = results.read_image("albedo");
        const HostImage material = results.read_image("material");
        if (normal.empty() || albedo.empty() || material.empty())
            return std::unexpected("there is no result");
        std::uint32_t checked = 0;
        for (std::uint32_t i = 0; i < kCheckedPanelPixels; ++i) {
            const std::uint32_t x = hash32(2 * i) % panels.extent.width;
            const std::uint32_t y = hash32(2 * i + 1) % panels.extent.height;
            const auto seen = panels.seen(x, y);
            if (!seen) continue;
            ++checked;
            const SceneMaterial wanted =
                panel_material(static_cast<std::uint32_t>(seen->first), AlphaMode::opaque);
            const glm::vec3 n = panels.all[seen->first].normal;
            const float pairs[][2] = {{normal.texel(x, y)[0], n.x},
                                      {normal.texel(x, y)[1], n.y},
                                      {normal.texel(x, y)[2], n.z},
                                      {albedo.texel(x, y)[0], wanted.base_color.r},
                                      {albedo.texel(x, y)[1], wanted.base_color.g},
                                      {material.texel(x, y)[0], wanted.roughness},
                                      {material.texel(x, y)[1], wanted.metallic}};
            for (const auto& [got, expected] : pairs)
                if (!(std::abs(got - expected) <= 2e-3f))
                    return std::unexpected(
                        fmt::format("{}, {}: {} instead of {}", x, y, got, expected));
        }
        return checked > 0 ? Verdict() : std::unexpected("no pixel shows a panel");
    });
}

/// Some pixels: a light is hidden where a panel stands between.
void shadows(CaseBuilder& c) {
    const PanelScene panels = panel_scene(c);
    Graph& g = c.graph();
    passes::MeshRaster drawn = of_panels(
        passes::MeshRaster{.samples = 1, .blended = passes::BlendedDraws::left_out}, panels);
    drawn.sun.shadows = false;
    drawn = g.add(drawn);
    const passes::TriangleMesh mesh = g.add(passes::Triangles{.scene = panels.scene}).mesh;
    passes::ListLights lights{.places = {-3, 4, 2, 60, 2, 3, -9, 60, 0, 6, -14, 60},
                              .colors = {5, 5, 5, 5, 5, 5, 5, 5, 5}};
    passes::LightShadows pass{.lights = g.add(lights).lights,
                              .bvh = g.add(passes::LbvhBuild{.mesh = mesh}).bvh,
                              .depth = drawn.depth,
                              .normal = drawn.normal,
                              .scene = panels.scene,
                              .chosen = 3};
    pass.camera.mode = passes::CameraMode::file;
    c.output("hidden", c.add(pass, "shadows").hidden);
    c.time_only("shadows/");
    c.check([panels, places = lights.places](CaseResults& results) -> Verdict {
        const HostImage hidden = results.read_image("hidden");
        if (hidden.empty()) return std::unexpected("there is no result");
        std::uint32_t checked = 0;
        for (std::uint32_t i = 0; i < kCheckedPanelPixels; ++i) {
            const std::uint32_t x = hash32(2 * i) % panels.extent.width;
            const std::uint32_t y = hash32(2 * i + 1) % panels.extent.height;
            const auto seen = panels.seen(x, y);
            if (!seen || seen->first != 0) continue; // the floor alone
            const glm::dvec3 point = panels.eye + panels.ray(x, y) * seen->second;
            const auto bits = static_cast<std::uint32_t>(hidden.texel(x, y)[0]);
            for (std::size_t light = 0; light < 3; ++light) {
                const glm::dvec3 way =
                    glm::dvec3(places[4 * light], places[4 * light + 1], places[4 * light + 2]) -
                    point;
                bool surely = false, maybe = false;
                for (std::size_t k = 1; k < panels.all.size(); ++k) {
                    const double inner = panels.all[k].hit(point, way, 0.1);
                    const double outer = panels.all[k].hit(point, way, -0.1);
                    surely = surely || (inner > 0.02 && inner < 0.98);
                    maybe = maybe || (outer >= 0.0 && outer <= 1.0);
                }
                if (surely != maybe) continue;
                ++checked;
                if ((bits >> light & 1) != surely)
                    return std::unexpected(fmt::format("light {} at {}, {} is {}", light, x, y,
                                                       surely ? "not hidden" : "hidden"));
            }
        }
        return checked > 0 ? Verdict() : std::unexpected("no pixel shows the floor");
    });
}

/// Panels of glass: lit by the lights of clusters as by all.
void fragments(CaseBuilder& c) {
    const PanelScene panels = panel_scene(c, AlphaMode::blend);
    Graph& g = c.graph();
    passes::MeshRaster drawn = of_panels(
        passes::MeshRaster{.samples = 1, .blended = passes::BlendedDraws::left_out}, panels);
    drawn.sun.shadows = false;
    drawn = g.add(drawn);
    passes::OitCapture capture{.scene = panels.scene, .view = drawn.view};
    capture.pool.packing = passes::FragmentPacking::hdr;
    passes::LightFragments pass = of_panels(passes::LightFragments{}, panels);
    pass.lights = lights_in_hall(c, 256);
    pass.mesh = g.add(passes::Triangles{.scene = panels.scene}).mesh;
    pass.grid = g.add(of_panels(passes::ClusterLights{.lights = pass.lights}, panels)).grid;
    pass.source = g.add(capture, "glass").lists;
    const auto blended = [&](const passes::FragmentLists& lists, std::string_view name) {
        return g
            .add(passes::OitResolve{.lists = lists,
                                    .view = drawn.view,
                                    .format = passes::OutputFormat::rgba32_sfloat},
                 name)
            .color;
    };
    c.output("by_lists", blended(c.add(pass, "fragments").lists, "lists_blended"));
    c.time_only("fragments/");
    pass.source = g.add(capture, "glass_again").lists; // they are lit in place
    pass.grid = {};
    c.output("by_all", blended(g.add(pass, "all").lists, "all_blended"));
    c.check([](CaseResults& results) {
        return pictures_agree(results, {.absolute = 1e-3, .relative = 2e-3});
    });
}

/// A light of a case that has as many as its size says.
struct GivenLight {
    glm::vec3 place{0.0f};
    float range = 1.0f;
    glm::vec3 color{1.0f};

    static GivenLight number(std::uint64_t i) {
        const auto unit = [&](std::uint64_t k) { return hash_unit(8 * i + k); };
        return {.place = {unit(0), unit(1), unit(2)},
                .range = 0.1f + unit(3),
                .color = {unit(4), unit(5), unit(6)}};
    }
};

/// Nothing runs on the device but a copy, which is what a frame reads of such lights.
void check_given(CaseBuilder& c, const passes::Lights& lights, std::string_view what) {
    Graph& g = c.graph();
    const auto count = static_cast<std::uint32_t>(c.size());
    const auto copied = [&](Buffer buffer, std::string_view name) {
        c.output(name, g.copy(buffer, g.buffer(name, g.desc(buffer)), name));
    };
    copied(lights.spheres, "spheres");
    copied(lights.shades, "shades");
    c.set_cost({.bytes = 96.0 * count});
    c.check([count, what = std::string(what)](CaseResults& results) -> Verdict {
        const auto spheres = results.read<glm::vec4>("spheres");
        const auto shades = results.read<passes::LightShade>("shades");
        if (spheres.size() != count || shades.size() != count)
            return std::unexpected("there is no result");
        for (std::uint32_t i = 0; i < count; ++i) {
            const GivenLight wanted = GivenLight::number(i);
            if (spheres[i] != glm::vec4(wanted.place, wanted.range) ||
                shades[i].color != wanted.color || shades[i].cos_outer >= -1.0f)
                return std::unexpected(fmt::format("light {} of the {} is another", i, what));
        }
        return {};
    });
}

void listed(CaseBuilder& c) {
    passes::ListLights pass;
    for (std::uint64_t i = 0; i < c.size(); ++i) {
        const GivenLight light = GivenLight::number(i);
        pass.places.insert(pass.places.end(),
                           {light.place.x, light.place.y, light.place.z, light.range});
        pass.colors.insert(pass.colors.end(), {light.color.r, light.color.g, light.color.b});
    }
    check_given(c, c.add(pass).lights, "list");
}

void of_scene(CaseBuilder& c) {
    SceneData data;
    for (std::uint64_t i = 0; i < c.size(); ++i) {
        const GivenLight light = GivenLight::number(i);
        data.lights.push_back({.position = light.place,
                               .color = light.color,
                               .intensity = 1.0f,
                               .range = light.range});
    }
    Scene scene;
    scene.data = std::make_shared<const SceneData>(std::move(data));
    check_given(c, c.add(passes::SceneLights{.scene = scene}).lights, "file");
}

} // namespace

void add_lights_modes_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build, std::uint64_t most,
                         std::uint64_t most_on_software) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .most = most,
                   .most_on_software = most_on_software});
    };
    constexpr std::uint64_t kMaxPixels = 1u << 23;
    constexpr std::uint64_t kMaxOnSoftware = 1u << 13;
    add(passes::ForwardLights::kName, "1024 lights", forward, kMaxPixels, kMaxOnSoftware);
    add(passes::LitSurfaces::kName, "31 panels", surfaces, kMaxPixels, kMaxOnSoftware);
    add(passes::LightShadows::kName, "3 lights and 31 panels", shadows, kMaxPixels, kMaxOnSoftware);
    add(passes::LightFragments::kName, "256 lights and panels of glass", fragments, 1u << 21,
        kMaxOnSoftware);
    add(passes::ListLights::kName, "lights", listed, passes::kMaxPlacedLights, 1u << 16);
    add(passes::SceneLights::kName, "lights", of_scene, passes::kMaxPlacedLights, 1u << 16);
}

} // namespace tuff::bench
