#include "apps/bench/checks.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/voxel/merge.hpp"
#include "passes/voxel/mip.hpp"
#include "passes/voxel/solid.hpp"
#include "passes/voxel/surface.hpp"
#include "passes/voxel/view.hpp"

#include <tuff/assets.hpp>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Voxels of a closed mesh of 70,000 triangles, as many as the Stanford bunny has, in a cubic grid
/// of as many voxels as the case has elements: 2^30 are 1024^3.
namespace tuff::bench {
namespace {

using passes::SolidMethod;
using passes::SurfaceMethod;
using passes::TriangleMesh;
using passes::VoxelGrid;
using passes::VoxelGridParameters;
using passes::VoxelMip;
using passes::VoxelSolid;
using passes::VoxelSurface;
using passes::VoxelView;

constexpr std::uint64_t kMaxVoxels = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxVoxelsOnSoftware = std::uint64_t{1} << 21;
constexpr std::uint64_t kLeastBunnyVoxels = 1u << 12; // fewer say little of its measures
constexpr std::uint64_t kCheckedVoxels = 1u << 14;
constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kBumps = 0.12; // of the radius
/// A ball with bumps: the radius in a direction of unit length.
double radius_towards(glm::dvec3 to) {
    return 1.0 + kBumps * std::sin(5.0 * to.x + 1.0) * std::sin(6.0 * to.y) * std::cos(4.0 * to.z);
}

std::uint32_t side_of(const CaseBuilder& c) {
    auto side = static_cast<std::uint32_t>(std::cbrt(static_cast<double>(c.size())) + 1e-6);
    return std::clamp(side, 1u, passes::kMaxVoxelsPerAxis);
}

VoxelGridParameters cube(const CaseBuilder& c) {
    return {.dims = glm::uvec3(side_of(c))};
}

struct Ball {
    Input<float> positions;
    Input<std::uint32_t> indices;
    double coarseness = 0.0; ///< an edge is about this long

    TriangleMesh mesh() const {
        return {.positions = positions.buffer,
                .indices = indices.buffer,
                .draws = {},
                .vertex_count = static_cast<std::uint32_t>(positions.values().size() / 3),
                .triangle_count = static_cast<std::uint32_t>(indices.values().size() / 3)};
    }
};

Ball bumpy_surface(CaseBuilder& c) {
    const std::uint32_t rings = side_of(c) < 100 ? 24 : 132;
    const std::uint32_t around = 2 * rings;
    std::vector<float> positions;
    for (std::uint32_t ring = 0; ring <= rings; ++ring)
        for (std::uint32_t step = 0; step < around; ++step) {
            // All vertices of a pole are the same, to the bit: the mesh is closed.
            const bool pole = ring == 0 || ring == rings;
            const double polar = 0.5 * kTurn * ring / rings;
            const double turn = pole ? 0.0 : kTurn * step / around;
            const glm::dvec3 to(std::sin(polar) * std::cos(turn), std::cos(polar),
                                std::sin(polar) * std::sin(turn));
            for (int axis = 0; axis < 3; ++axis)
                positions.push_back(static_cast<float>(radius_towards(to) * to[axis]));
        }
    std::vector<std::uint32_t> indices;
    for (std::uint32_t ring = 0; ring < rings; ++ring)
        for (std::uint32_t step = 0; step < around; ++step) {
            const std::uint32_t a = ring * around + step;
            const std::uint32_t b = ring * around + (step + 1) % around;
            if (ring > 0) indices.insert(indices.end(), {a, b, b + around});
            if (ring + 1 < rings) indices.insert(indices.end(), {a, b + around, a + around});
        }
    return {.positions = c.input<float>("positions", positions.size(),
                                        [&](std::uint64_t i) { return positions[i]; }),
            .indices = c.input<std::uint32_t>("indices", indices.size(),
                                              [&](std::uint64_t i) { return indices[i]; }),
            .coarseness = kTurn / around};
}

/// What came out of a case.
struct Result {
    glm::uvec3 dims{0};
    std::vector<std::uint32_t> words;
    glm::dvec3 corner{0.0};
    glm::dvec3 side{0.0};

    bool at(glm::uvec3 voxel) const {
        const std::size_t row = std::size_t{voxel.y} * dims.x + voxel.x;
        return (words[row * ((dims.z + 31) / 32) + voxel.z / 32] >> (voxel.z % 32) & 1) != 0;
    }
    std::uint64_t count() const {
        std::uint64_t sum = 0;
        for (const std::uint32_t word : words)
            sum += static_cast<std::uint64_t>(std::popcount(word));
        return sum;
    }
};

/// How far the mesh's voxels may be from the formula's, in world units.
double margin(const Result& result, const Ball& ball) {
    return 0.9 * result.side.x + 2.0 * ball.coarseness * ball.coarseness;
}

/// The distance of a point from the surface along its radius, positive outside.
double height(glm::dvec3 point) {
    const double length = glm::length(point);
    return length > 0.0 ? length - radius_towards(point / length) : -1.0;
}

using ResultCheck = std::function<Verdict(const Result&)>;

/// Reads what is in the grid, and looks at it.
void check_grid(CaseBuilder& c, const VoxelGrid& grid, ResultCheck check) {
    c.output("words", grid.words);
    c.output("frame", grid.frame);
    c.check([dims = grid.dims, check = std::move(check)](CaseResults& results) -> Verdict {
        const auto frame = results.read<glm::vec4>("frame");
        Result result{.dims = dims, .words = results.read<std::uint32_t>("words")};
        const std::size_t words = std::size_t{dims.x} * dims.y * ((dims.z + 31) / 32);
        if (frame.size() != 3 || result.words.size() != words)
            return std::unexpected("the grid has another size");
        result.corner = glm::dvec3(frame[0]);
        result.side = glm::dvec3(frame[2]);
        return check(result);
    });
}

/// A voxel that a vertex is in is met. Beside its faces rounding may decide.
Verdict vertices_are_set(const Result& result, std::span<const float> positions) {
    for (std::size_t i = 0; i + 2 < positions.size(); i += 3) {
        const glm::dvec3 vertex(positions[i], positions[i + 1], positions[i + 2]);
        const glm::dvec3 place = (vertex - result.corner) / result.side;
        const glm::dvec3 inside = glm::fract(place);
        if (std::min({inside.x, inside.y, inside.z}) < 0.01 ||
            std::max({inside.x, inside.y, inside.z}) > 0.99)
            continue;
        if (!result.at(glm::uvec3(place)))
            return std::unexpected(fmt::format("the voxel of vertex {} is not set", i / 3));
    }
    return {};
}

/// Calls `judge(voxel, height of its middle)` for voxels spread over the grid.
Verdict for_some(const Result& result, const std::function<Verdict(glm::uvec3, double)>& judge) {
    for (std::uint64_t i = 0; i < kCheckedVoxels; ++i) {
        const glm::uvec3 voxel =
            glm::uvec3(hash32(3 * i), hash32(3 * i + 1), hash32(3 * i + 2)) % result.dims;
        const glm::dvec3 middle = result.corner + (glm::dvec3(voxel) + 0.5) * result.side;
        if (Verdict verdict = judge(voxel, height(middle)); !verdict) return verdict;
    }
    return {};
}

Verdict is_surface(const Result& result, const Ball& ball, SurfaceMethod method) {
    const double near_by = margin(result, ball);
    if (Verdict far = for_some(result,
                               [&](glm::uvec3 voxel, double away) -> Verdict {
                                   // Bumps are flatter along the radius than they are away.
                                   if (std::abs(away) < 1.6 * near_by || !result.at(voxel))
                                       return {};
                                   return std::unexpected(
                                       fmt::format("voxel {}, {}, {} is set, far from the surface",
                                                   voxel.x, voxel.y, voxel.z));
                               });
        !far)
        return far;
    if (method >= SurfaceMethod::raster) // those that do not find all
        return result.count() > 0 ? Verdict{} : std::unexpected("no voxel is set");
    return vertices_are_set(result, ball.positions.values());
}

Verdict is_solid(const Result& result, const Ball& ball) {
    const double near_by = margin(result, ball);
    return for_some(result, [&](glm::uvec3 voxel, double away) -> Verdict {
        if (std::abs(away) < near_by || result.at(voxel) == (away < 0.0)) return {};
        return std::unexpected(
            fmt::format("voxel {}, {}, {} is {}", voxel.x, voxel.y, voxel.z,
                        away < 0.0 ? "empty, though inside" : "set, though outside"));
    });
}

void surface(CaseBuilder& c, SurfaceMethod method) {
    if (method == SurfaceMethod::conservative && !c.caps().conservative_raster)
        return c.skip("the device does not rasterize conservatively");
    if (method == SurfaceMethod::slice_map && !c.caps().logic_op)
        return c.skip("the device has no logic operations");
    const Ball source = bumpy_surface(c);
    const VoxelGrid grid =
        c.add(VoxelSurface{
                  .mesh = source.mesh(), .parameters = cube(c), .method = method, .count = false})
            .grid;
    check_grid(c, grid, [=](const Result& result) { return is_surface(result, source, method); });
}

/// The Stanford bunny, 70,000 triangles.
std::optional<TriangleMesh> bunny(CaseBuilder& c) {
    const auto file = find_asset("glmark2/models/bunny.obj");
    if (!file) {
        c.skip("the bunny of glmark2-data is not installed");
        return std::nullopt;
    }
    auto loaded = load_scene(*file);
    if (!loaded) {
        c.skip("the bunny cannot be read");
        return std::nullopt;
    }
    const Scene scene = add_scene(c.graph(), "bunny", pack_scene(std::move(*loaded)));
    return c.graph().add(passes::Triangles{.scene = scene}).mesh;
}

/// What a mesh says of its voxels, in voxels.
struct MeshMeasures {
    double surface = 0.0; ///< as many as meet a large flat surface of its size and slopes
    double below =
        0.0; ///< between its triangles and the grid's lower face: holes below do not count
};

MeshMeasures measures_of(const Result& result, std::span<const float> positions,
                         std::span<const std::uint32_t> indices) {
    MeshMeasures all;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        glm::dvec3 p[3];
        for (std::size_t k = 0; k < 3; ++k) {
            const float* at = &positions[3 * std::size_t{indices[i + k]}];
            p[k] = (glm::dvec3(at[0], at[1], at[2]) - result.corner) / result.side;
        }
        const glm::dvec3 area = 0.5 * glm::cross(p[1] - p[0], p[2] - p[0]);
        all.surface += std::abs(area.x) + std::abs(area.y) + std::abs(area.z);
        all.below += area.y * (p[0].y + p[1].y + p[2].y) / 3.0;
    }
    return all;
}

/// How far the numbers of a mesh's voxels may be from its measures, as a share of them: these are
/// exact for what is flat, and folds and the place of the grid make less of a difference in finer
/// grids. On 16^3 to 128^3 voxels the bunny's surface is off by 2.9 to 0.4 % and its inside by 0.6
/// to 0.02 %.
double surface_band(const Result& result) {
    return 0.01 + 0.4 / result.dims.x;
}
double solid_band(const Result& result) {
    return 0.005 + 0.3 / result.dims.x;
}

/// The vertices' voxels are set, and as many in all as a surface of this size has.
Verdict is_mesh_surface(const Result& result, std::span<const float> positions,
                        const MeshMeasures& mesh) {
    if (auto set = vertices_are_set(result, positions); !set) return set;
    const double ratio = static_cast<double>(result.count()) / mesh.surface;
    if (std::abs(ratio - 1.0) < surface_band(result)) return {};
    return std::unexpected(
        fmt::format("{} voxels are set, {} times what the surface is", result.count(), ratio));
}

Verdict is_mesh_solid(const Result& result, const MeshMeasures& mesh) {
    const double ratio = static_cast<double>(result.count()) / std::abs(mesh.below);
    if (std::abs(ratio - 1.0) < solid_band(result)) return {};
    return std::unexpected(
        fmt::format("{} voxels are set, {} times what is inside", result.count(), ratio));
}

template <typename Pass>
void of_bunny(CaseBuilder& c, Pass pass) {
    const auto mesh = bunny(c);
    if (!mesh) return;
    pass.mesh = *mesh;
    pass.parameters = cube(c);
    const VoxelGrid grid = c.add(pass, "voxelize").grid;
    c.time_only("voxelize/");
    Graph& g = c.graph();
    c.output("positions",
             g.copy(mesh->positions, g.buffer("positions", g.desc(mesh->positions)), "positions"));
    c.output("indices",
             g.copy(mesh->indices, g.buffer("indices", g.desc(mesh->indices)), "indices"));
    c.output("words", grid.words);
    c.output("frame", grid.frame);
    c.check([dims = grid.dims](CaseResults& results) -> Verdict {
        const auto frame = results.read<glm::vec4>("frame");
        const auto positions = results.read<float>("positions");
        const auto indices = results.read<std::uint32_t>("indices");
        Result result{.dims = dims, .words = results.read<std::uint32_t>("words")};
        if (frame.size() != 3) return std::unexpected("the grid has no frame");
        result.corner = glm::dvec3(frame[0]);
        result.side = glm::dvec3(frame[2]);
        const MeshMeasures measures = measures_of(result, positions, indices);
        return std::is_same_v<Pass, VoxelSurface> ? is_mesh_surface(result, positions, measures)
                                                  : is_mesh_solid(result, measures);
    });
}

void solid(CaseBuilder& c, SolidMethod method) {
    const Ball source = bumpy_surface(c);
    const VoxelSolid pass{.mesh = source.mesh(), .parameters = cube(c), .method = method};
    check_grid(c, c.add(pass).grid, [=](const Result& result) { return is_solid(result, source); });
}

/// How many voxels `plane` sets: without those that it only touches, and with them. In the column
/// (i, j) it goes from height(min(i, j)) to height(min(i, j) + 1), for on both sides of the
/// diagonal it rises along one axis. In whole numbers, of 1 / (4 (side + 2)) voxel.
std::pair<std::uint64_t, std::uint64_t> voxels_of_plane(std::uint64_t side) {
    const std::uint64_t voxel = 4 * (side + 2);
    const auto height = [&](std::uint64_t at) {
        return (2 * side + 1) * (side + 2) + 12 * (at + 1);
    };
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    for (std::uint64_t nearest = 0; nearest < side; ++nearest) {
        const std::uint64_t columns = 2 * (side - nearest) - 1;
        const std::uint64_t low = height(nearest);
        const std::uint64_t high = height(nearest + 1);
        least += columns * ((high + voxel - 1) / voxel - low / voxel);
        most += columns * (high / voxel - (low + voxel - 1) / voxel + 2);
    }
    return {least, most};
}

/// Two triangles across the whole grid, by the plane's axis: none may be one invocation's work.
void plane(CaseBuilder& c, int axis) {
    const auto side = static_cast<float>(side_of(c));
    const auto corner = [&](std::uint64_t i) {
        // Corner i / 3 of the square, a voxel wider than the grid and tilted by three voxels.
        const std::uint64_t k = i / 3;
        const float u = (k == 1 || k == 2) ? side + 1.0f : -1.0f;
        const float v = k >= 2 ? side + 1.0f : -1.0f;
        const int along = (static_cast<int>(i % 3) - axis + 3) % 3;
        return along == 0 ? 0.5f * side + (k == 2 ? 3.25f : 0.25f) : along == 1 ? u : v;
    };
    const auto positions = c.input<float>("positions", 12, corner);
    static constexpr std::uint32_t kIndices[] = {0, 1, 2, 0, 2, 3};
    const auto indices =
        c.input<std::uint32_t>("indices", 6, [](std::uint64_t i) { return kIndices[i]; });
    const TriangleMesh mesh{.positions = positions.buffer,
                            .indices = indices.buffer,
                            .draws = {},
                            .vertex_count = 4,
                            .triangle_count = 2};
    VoxelGridParameters parameters = cube(c);
    parameters.bounds = passes::VoxelBounds::given;
    parameters.low = glm::vec3(0.0f);
    parameters.high = glm::vec3(side);
    const VoxelGrid grid =
        c.add(VoxelSurface{.mesh = mesh, .parameters = parameters, .count = false}).grid;
    check_grid(c, grid, [](const Result& result) -> Verdict {
        const auto [least, most] = voxels_of_plane(result.dims.x);
        const std::uint64_t set = result.count();
        if (set >= least && set <= most) return {};
        return std::unexpected(fmt::format("{} voxels are set, not {} to {}", set, least, most));
    });
}

/// Words to make coarser, or to look at: random ones, of which most are empty.
VoxelGrid random_grid(CaseBuilder& c) {
    const glm::uvec3 dims(side_of(c));
    VoxelGrid grid{.words = {}, .frame = {}, .status = {}, .dims = dims};
    const auto words = c.input<std::uint32_t>("words", grid.word_count(), [&](std::uint64_t i) {
        const std::uint32_t row = grid.row_words();
        const std::uint32_t tail = dims.z % 32;
        const std::uint32_t kept = i % row + 1 == row && tail != 0 ? (1u << tail) - 1 : ~0u;
        return hash32(i) % 64 == 0 ? hash32(i + 1) & hash32(i + 2) & kept : 0u;
    });
    grid.words = words.buffer;
    grid.frame = c.input<float>("frame", 12, [](std::uint64_t) { return 1.0f; }).buffer;
    grid.status = c.input<std::uint32_t>("status", passes::kVoxelStatusWords, [](std::uint64_t) {
                       return 0u;
                   }).buffer;
    return grid;
}

void mip(CaseBuilder& c) {
    const VoxelGrid grid = random_grid(c);
    const Buffer top = c.add(VoxelMip{.source = grid}).top;
    c.check<std::uint32_t>("top", top, [](std::span<const std::uint32_t> got) -> Verdict {
        if (!got.empty() && got[0] == 1) return {};
        return std::unexpected("the single voxel at the top is not set");
    });
}

/// A grid and other words of as many voxels: what is set is known word by word.
void merge(CaseBuilder& c) {
    const VoxelGrid first = random_grid(c);
    const auto first_word = c.input<std::uint32_t>("first", first.word_count(),
                                                   [](std::uint64_t i) { return hash32(i) & 1u; });
    const auto second_word = c.input<std::uint32_t>(
        "second", first.word_count(), [](std::uint64_t i) { return hash32(i + 7) & 1u; });
    passes::VoxelMerge pass;
    pass.grids = {first, first};
    pass.grids[0].words = first_word.buffer;
    pass.grids[1].words = second_word.buffer;
    pass.count = false;
    c.check<std::uint32_t>(
        "words", c.add(pass).grid.words, [](std::span<const std::uint32_t> got) -> Verdict {
            for (std::size_t i = 0; i < got.size(); ++i)
                if (got[i] != ((hash32(i) | hash32(i + 7)) & 1u))
                    return std::unexpected(fmt::format("word {} is {}", i, got[i]));
            return {};
        });
}

void view(CaseBuilder& c) {
    const Ball source = bumpy_surface(c);
    VoxelSolid pass{.mesh = source.mesh(), .parameters = cube(c)};
    const VoxelGrid grid = c.add(pass).grid; // made in the case, and its cost is the case's
    VoxelView drawn{.source = grid, .width = 256, .height = 256};
    drawn.high = glm::vec3(1.0f, 1.0f, 0.5f);
    drawn = c.add(drawn);
    c.check("depth", drawn.depth, [](const HostImage& got) -> Verdict {
        if (!got.empty() && got.texel(128, 128)[0] > 0.0f && got.texel(0, 0)[0] < 0.0f) return {};
        return std::unexpected("the ball is not in the middle of the picture");
    });
}

Case voxel_case(std::string_view pass, std::string name, std::function<void(CaseBuilder&)> build) {
    return {.pass = std::string(pass),
            .name = std::move(name),
            .build = std::move(build),
            .least = 512,
            .most = kMaxVoxels,
            .most_on_software = kMaxVoxelsOnSoftware};
}

} // namespace

void add_voxel_cases(CaseList& cases) {
    const auto add_surface = [&](std::string name, SurfaceMethod method) {
        cases.add(voxel_case(VoxelSurface::kName, std::move(name),
                             [method](CaseBuilder& c) { surface(c, method); }));
    };
    const auto add_bunny = [&](std::string_view pass, std::string name, auto&& build) {
        Case added = voxel_case(pass, std::move(name), build);
        added.least = kLeastBunnyVoxels;
        cases.add(std::move(added));
    };
    add_bunny(VoxelSurface::kName, "bunny rows",
              [](CaseBuilder& c) { of_bunny(c, VoxelSurface{.count = false}); });
    add_surface("rows", SurfaceMethod::rows);
    add_surface("columns", SurfaceMethod::columns);
    add_surface("raster", SurfaceMethod::raster);
    add_surface("raster three", SurfaceMethod::raster_three);
    add_surface("dilated", SurfaceMethod::dilated);
    add_surface("conservative", SurfaceMethod::conservative);
    add_surface("slice map", SurfaceMethod::slice_map);
    for (int axis = 0; axis < 3; ++axis)
        cases.add(voxel_case(VoxelSurface::kName, std::string("plane across ") + "xyz"[axis],
                             [axis](CaseBuilder& c) { plane(c, axis); }));
    const auto add_solid = [&](std::string name, SolidMethod method) {
        cases.add(voxel_case(VoxelSolid::kName, std::move(name),
                             [method](CaseBuilder& c) { solid(c, method); }));
    };
    add_bunny(VoxelSolid::kName, "bunny parity", [](CaseBuilder& c) { of_bunny(c, VoxelSolid{}); });
    add_solid("parity", SolidMethod::parity);
    add_solid("majority", SolidMethod::majority);
    add_solid("raster", SolidMethod::raster);
    cases.add(voxel_case(passes::VoxelMerge::kName, "two grids", merge));
    cases.add(voxel_case(VoxelMip::kName, "any", mip));
    cases.add(voxel_case(VoxelView::kName, "solid and cut", view));
}

} // namespace tuff::bench
