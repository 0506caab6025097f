#include "apps/bench/checks.hpp"
#include "passes/geometry/compute_raster.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/scene/mesh_raster.hpp"

#include <tuff/assets.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

/// Triangles to pixels, in compute kernels and by the device's rasterizer. A size is pixels of a
/// picture of 16:9: 2073600 is 1920 x 1080.
namespace tuff::bench {
namespace {

using passes::CaptureFragments;
using passes::ComputeRaster;
using passes::TriangleMesh;

constexpr std::uint64_t kCheckedPixels = 48;
constexpr std::uint64_t kMaxOff = 2; // of them: where edges pass near a pixel's middle
constexpr std::uint32_t kNoTriangle = ~0u;

struct Size {
    std::uint32_t width;
    std::uint32_t height;
};

Size size_of(const CaseBuilder& c) {
    const double pixels = static_cast<double>(c.size());
    const auto height = std::max(1u, static_cast<std::uint32_t>(std::sqrt(pixels * 9.0 / 16.0)));
    return {.width = static_cast<std::uint32_t>(c.size() / height), .height = height};
}

/// What is drawn, and how it is seen.
struct Subject {
    TriangleMesh mesh;
    glm::mat4 clip_from_mesh{1.0f};
};

/// The depth of a triangle in the middle of a pixel, by its plane, and whether the middle is
/// inside: by more than the rounding of vertices, near an edge, or not.
struct Met {
    enum class Where { inside, edge, outside } where = Where::outside;
    double depth = 0.0;
};

class Pictured {
  public:
    Pictured(std::span<const float> positions, std::span<const std::uint32_t> indices,
             const glm::mat4& clip_from_mesh, Size size)
        : indices_(indices), size_(size) {
        for (std::size_t i = 0; i + 2 < positions.size(); i += 3)
            clip_.push_back(glm::dmat4(clip_from_mesh) *
                            glm::dvec4(positions[i], positions[i + 1], positions[i + 2], 1.0));
    }

    std::size_t triangles() const { return indices_.size() / 3; }

    Met meet(std::size_t triangle, std::uint32_t x, std::uint32_t y) const {
        glm::dvec3 p[3];
        for (std::size_t i = 0; i < 3; ++i) {
            const glm::dvec4 c = clip_[indices_[3 * triangle + i]];
            if (c.w <= 0.0) return {};
            p[i] = glm::dvec3((c.x / c.w * 0.5 + 0.5) * size_.width - x - 0.5,
                              (c.y / c.w * 0.5 + 0.5) * size_.height - y - 0.5, c.z / c.w);
        }
        const auto cross = [](glm::dvec3 a, glm::dvec3 b) { return a.x * b.y - a.y * b.x; };
        const double area = cross(p[1] - p[0], p[2] - p[0]);
        if (area == 0.0) return {};
        Met met{.where = Met::Where::inside, .depth = 0.0};
        for (std::size_t i = 0; i < 3; ++i) {
            const glm::dvec3 a = p[(i + 1) % 3];
            const glm::dvec3 b = p[(i + 2) % 3];
            const double weight = cross(a, b) / area;
            met.depth += weight * p[i].z;
            const double away = weight * std::abs(area) / std::hypot(b.x - a.x, b.y - a.y);
            if (away < -kMoved) return {};
            if (away < kMoved) met.where = Met::Where::edge;
        }
        return met;
    }

  private:
    static constexpr double kMoved = 1.0 / 64.0; ///< pixels; drivers keep 4 bits of them or 8

    std::span<const std::uint32_t> indices_;
    Size size_;
    std::vector<glm::dvec4> clip_;
};

/// Whether the triangle that a pixel shows is the nearest there.
bool is_right(const Pictured& pictured, std::uint32_t shown, std::uint32_t x, std::uint32_t y) {
    double nearest_inside = std::numeric_limits<double>::infinity();
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < pictured.triangles(); ++i) {
        const Met met = pictured.meet(i, x, y);
        if (met.where == Met::Where::outside) continue;
        nearest = std::min(nearest, met.depth);
        if (met.where == Met::Where::inside) nearest_inside = std::min(nearest_inside, met.depth);
    }
    if (shown == kNoTriangle) return nearest_inside > 1.0;
    if (shown >= pictured.triangles()) return false;
    const Met met = pictured.meet(shown, x, y);
    constexpr double kNear = 1e-4;
    return met.where != Met::Where::outside && met.depth <= nearest_inside + kNear &&
           met.depth >= nearest - kNear;
}

/// Checks some pixels of a picture of numbers of triangles.
void check_nearest(CaseBuilder& c, const Subject& subject, Image triangles) {
    c.output("triangles", triangles);
    // Copies: inputs of a case are constants, which are no execution's output.
    const auto keep = [&](std::string_view name, Buffer buffer) {
        Graph& g = c.graph();
        c.output(name, g.copy(buffer, g.buffer(name, g.desc(buffer)), name));
    };
    keep("positions", subject.mesh.positions);
    keep("indices", subject.mesh.indices);
    c.check([size = size_of(c), matrix = subject.clip_from_mesh](CaseResults& results) -> Verdict {
        const HostImage image = results.read_image("triangles");
        const auto positions = results.read<float>("positions");
        const auto indices = results.read<std::uint32_t>("indices");
        if (image.texels.size() != std::size_t{4} * size.width * size.height)
            return std::unexpected("the picture has another size");
        const Pictured pictured(positions, indices, matrix, size);
        std::uint64_t off = 0;
        std::uint64_t seen = 0;
        for (std::uint64_t k = 0; k < kCheckedPixels; ++k) {
            const std::uint32_t x = hash32(2 * k) % size.width;
            const std::uint32_t y = hash32(2 * k + 1) % size.height;
            std::uint32_t shown = 0;
            std::memcpy(&shown, image.texels.data() + std::size_t{4} * (y * size.width + x), 4);
            seen += shown != kNoTriangle;
            off += !is_right(pictured, shown, x, y);
        }
        if (seen == 0) return std::unexpected("nothing is drawn");
        if (off > kMaxOff)
            return std::unexpected(fmt::format("{} of {} pixels are wrong", off, kCheckedPixels));
        return {};
    });
}

enum class Way { compute, words, drawn };

void draw(CaseBuilder& c, const Subject& subject, Way way) {
    const Size size = size_of(c);
    if (way != Way::drawn) {
        const ComputeRaster pass{.mesh = subject.mesh,
                                 .width = size.width,
                                 .height = size.height,
                                 .clip_from_mesh = subject.clip_from_mesh,
                                 .atomics = way == Way::words ? passes::RasterAtomics::words
                                                              : passes::RasterAtomics::automatic};
        check_nearest(c, subject, c.add(pass, "drawn").triangles);
        c.time_only("drawn/");
        return;
    }
    Graph& g = c.graph();
    const Extent extent{size.width, size.height, 1};
    g.push_scope("drawn");
    RasterNodeBuilder node = g.raster("bench/nearest");
    const Image triangles =
        node.color(g.image("triangles", {.format = Format::r32_uint, .extent = extent}),
                   cleared_uint(kNoTriangle));
    static_cast<void>(node.depth(g.image("depth", {.format = Format::d32_sfloat, .extent = extent}),
                                 cleared(1.0f)));
    node.set("clip_from_mesh", subject.clip_from_mesh);
    node.read("positions", subject.mesh.positions);
    node.read("indices", subject.mesh.indices);
    node.draw({.count = 3 * subject.mesh.triangle_count});
    g.pop_scope();
    c.set_cost({.bytes = 24.0 * subject.mesh.triangle_count + 8.0 * size.width * size.height,
                .operations = 100.0 * subject.mesh.triangle_count});
    c.time_only("drawn/");
    check_nearest(c, subject, triangles);
}

/// The model that people know; nothing where it is not installed.
std::optional<Scene> engine(CaseBuilder& c) {
    const auto file =
        find_asset("assimp/models/glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb");
    if (!file)
        return c.skip("the 2-cylinder engine of assimp-testmodels is not installed"), std::nullopt;
    auto loaded = load_scene(*file);
    if (!loaded) return c.skip("the 2-cylinder engine cannot be read"), std::nullopt;
    return add_scene(c.graph(), "engine", pack_scene(std::move(*loaded)));
}

void draw_engine(CaseBuilder& c, Way way) {
    const std::optional<Scene> scene = engine(c);
    if (!scene) return;
    const Size size = size_of(c);
    const float aspect = static_cast<float>(size.width) / static_cast<float>(size.height);
    const auto camera = passes::resolve_camera({}, *scene->data, aspect);
    if (!camera) return c.skip("the engine has no camera");
    draw(c,
         {.mesh = c.graph().add(passes::Triangles{.scene = *scene}).mesh,
          .clip_from_mesh = camera->projection(aspect) * camera->view()},
         way);
}

/// The pass that shades, for comparison: one sample a pixel, no shadows.
void shade_engine(CaseBuilder& c) {
    const std::optional<Scene> scene = engine(c);
    if (!scene) return;
    passes::MeshRaster pass{
        .scene = *scene, .width = size_of(c).width, .height = size_of(c).height};
    pass.samples = 1;
    pass.sun.shadows = false;
    const Image depth = c.add(pass, "drawn").depth;
    c.time_only("drawn/");
    c.check("depth", depth, [](const HostImage& got) -> Verdict {
        const auto middle = got.texel(got.extent.width / 2, got.extent.height / 2)[0];
        if (middle < 1.0f && got.texel(0, 0)[0] == 1.0f) return {};
        return std::unexpected("the engine is not in the middle of the picture");
    });
}

/// A bumpy ball of many triangles, each of few pixels.
Subject bumpy_sphere(CaseBuilder& c) {
    const std::uint32_t rings = c.size() < (1u << 16) ? 40 : 467; // 872,356 triangles
    const std::uint32_t around = 2 * rings;
    const auto point = [&](std::uint64_t vertex) {
        const double polar = std::numbers::pi * static_cast<double>(vertex / (around + 1)) / rings;
        const double turn =
            2.0 * std::numbers::pi * static_cast<double>(vertex % (around + 1)) / around;
        const double radius = 1.0 + 0.05 * std::sin(9.0 * turn) * std::sin(8.0 * polar);
        return radius * glm::dvec3(std::sin(polar) * std::cos(turn), std::cos(polar),
                                   std::sin(polar) * std::sin(turn));
    };
    const std::uint32_t vertices = (rings + 1) * (around + 1);
    const auto positions =
        c.input<float>("positions", std::uint64_t{3} * vertices,
                       [&](std::uint64_t i) { return point(i / 3)[static_cast<int>(i % 3)]; });
    const std::uint32_t triangles = 2 * rings * around;
    const auto indices =
        c.input<std::uint32_t>("indices", std::uint64_t{3} * triangles, [&](std::uint64_t i) {
            const auto cell = static_cast<std::uint32_t>(i / 6);
            const std::uint32_t first = cell / around * (around + 1) + cell % around;
            const std::uint32_t below = first + around + 1;
            const std::uint32_t corners[6] = {first, below, below + 1, first, below + 1, first + 1};
            return corners[i % 6];
        });
    const Size size = size_of(c);
    const float aspect = static_cast<float>(size.width) / static_cast<float>(size.height);
    const Camera camera = frame_bounds(glm::vec3(-1.0f), glm::vec3(1.0f),
                                       glm::vec3(-1.0f, -0.5f, -0.7f), 45.0f, aspect);
    return {.mesh = {.positions = positions.buffer,
                     .indices = indices.buffer,
                     .draws = {},
                     .vertex_count = vertices,
                     .triangle_count = triangles},
            .clip_from_mesh = camera.projection(aspect) * camera.view()};
}

/// Sheets across the whole picture and a little beyond, each of cells of two triangles, so many
/// pixels wide; each tilted its own way.
constexpr std::uint32_t kLayers = 8;

Subject sheets(CaseBuilder& c, std::uint32_t cell) {
    const Size size = size_of(c);
    const std::uint32_t columns = (size.width + cell - 1) / cell + 1;
    const std::uint32_t rows = (size.height + cell - 1) / cell + 1;
    const std::uint32_t in_row = columns + 1;
    const std::uint32_t in_sheet = in_row * (rows + 1);
    const auto positions =
        c.input<float>("positions", std::uint64_t{3} * kLayers * in_sheet, [&](std::uint64_t i) {
            const auto vertex = static_cast<std::uint32_t>(i / 3);
            const std::uint32_t layer = vertex / in_sheet;
            const std::uint32_t at = vertex % in_sheet;
            // Corners are moved within a quarter of a cell, but for those beyond the picture.
            const float u = static_cast<float>(at % in_row) - 0.5f + 0.25f * hash_unit(2 * vertex);
            const float v =
                static_cast<float>(at / in_row) - 0.5f + 0.25f * hash_unit(2 * vertex + 1);
            const float side = static_cast<float>(cell);
            const float x = u * side / static_cast<float>(size.width);
            const float y = v * side / static_cast<float>(size.height);
            const float tilt = 0.2f * static_cast<float>(layer % 3) - 0.2f;
            if (i % 3 == 0) return 2.0f * x - 1.0f;
            if (i % 3 == 1) return 2.0f * y - 1.0f;
            // Corners far outside would take the sheet out of the view.
            const float slope =
                (std::clamp(x, 0.0f, 1.0f) - 0.5f) * (1.0f - std::clamp(y, 0.0f, 1.0f));
            return 0.3f + 0.05f * static_cast<float>(layer) + tilt * slope;
        });
    const std::uint32_t cells = columns * rows;
    const auto indices =
        c.input<std::uint32_t>("indices", std::uint64_t{6} * kLayers * cells, [&](std::uint64_t i) {
            const auto all = static_cast<std::uint32_t>(i / 6);
            const std::uint32_t at = all % cells;
            const std::uint32_t first =
                all / cells * in_sheet + at / columns * in_row + at % columns;
            const std::uint32_t corners[6] = {first, first + in_row,     first + in_row + 1,
                                              first, first + in_row + 1, first + 1};
            return corners[i % 6];
        });
    return {.mesh = {.positions = positions.buffer,
                     .indices = indices.buffer,
                     .draws = {},
                     .vertex_count = kLayers * in_sheet,
                     .triangle_count = 2 * kLayers * cells}};
}

/// Every pixel has exactly one fragment of each sheet.
void capture(CaseBuilder& c, std::uint32_t cell) {
    const Size size = size_of(c);
    const Subject subject = sheets(c, cell);
    const std::uint32_t pixels = size.width * size.height;
    const CaptureFragments captured =
        c.add(CaptureFragments{.mesh = subject.mesh,
                               .width = size.width,
                               .height = size.height,
                               .clip_from_mesh = subject.clip_from_mesh,
                               .capacity = kLayers * pixels});
    c.output("heads", captured.lists.heads);
    c.output("fragments", captured.lists.fragments);
    c.check([pixels,
             in_sheet = subject.mesh.triangle_count / kLayers](CaseResults& results) -> Verdict {
        const auto offsets = results.read<std::uint32_t>("heads");
        const auto fragments = results.read<std::uint32_t>("fragments");
        if (offsets.size() < pixels + 1 || fragments.size() < std::size_t{2} * kLayers * pixels)
            return std::unexpected("the lists have another size");
        for (std::uint32_t i = 0; i <= pixels; ++i)
            if (offsets[i] != kLayers * i)
                return std::unexpected(fmt::format("the list of pixel {} begins at {}, not at {}",
                                                   i, offsets[i], kLayers * i));
        for (std::uint32_t i = 0; i < pixels; ++i) {
            std::uint32_t layers = 0;
            for (std::uint32_t k = 0; k < kLayers; ++k)
                layers |= 1u << std::min(fragments[2 * (kLayers * i + k)] / in_sheet, 31u);
            if (layers != (1u << kLayers) - 1)
                return std::unexpected(fmt::format("pixel {} has layers {:x}", i, layers));
        }
        return {};
    });
}

Case geometry_case(std::string_view pass, std::string name,
                   std::function<void(CaseBuilder&)> build) {
    return {.pass = std::string(pass),
            .name = std::move(name),
            .build = std::move(build),
            .least = 1u << 12,
            .most = std::uint64_t{1} << 23,
            .most_on_software = std::uint64_t{1} << 14};
}

} // namespace

void add_geometry_cases(CaseList& cases) {
    const std::pair<const char*, Way> ways[] = {{"compute", Way::compute},
                                                {"compute without 64-bit atomics", Way::words},
                                                {"drawn", Way::drawn}};
    for (const auto& [name, way] : ways) {
        cases.add(geometry_case(ComputeRaster::kName, fmt::format("engine {}", name),
                                [way](CaseBuilder& c) { draw_engine(c, way); }));
        cases.add(geometry_case(ComputeRaster::kName,
                                fmt::format("ball of 872 k triangles {}", name),
                                [way](CaseBuilder& c) { draw(c, bumpy_sphere(c), way); }));
    }
    cases.add(geometry_case(passes::MeshRaster::kName, "engine", shade_engine));
    for (const std::uint32_t cell : {2u, 4u, 8u, 16u, 32u, 8192u})
        cases.add(geometry_case(CaptureFragments::kName,
                                cell > 4096 ? std::string("8 layers of few triangles")
                                            : fmt::format("8 layers of cells {} pixels wide", cell),
                                [cell](CaseBuilder& c) { capture(c, cell); }));
}

} // namespace tuff::bench
