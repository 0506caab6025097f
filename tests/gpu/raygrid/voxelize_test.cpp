#include "passes/voxel/surface.hpp"
#include "tests/gpu/raygrid/raygrid_test.hpp"

#include <tuff/graph_runner.hpp>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <set>

/// raygrid/voxelize: which cells have which triangles.
namespace tuff {
namespace {

using passes::RayGridParameters;
using passes::TriangleGrid;
using passes::TriangleGridStatus;
using passes::VoxelBounds;
using passes::VoxelizeTriangles;
using passes::VoxelSurface;
using testing_gpu::GridMesh;
using testing_gpu::Running;

/// How far apart a closed triangle and a closed box of side 1 are along the best of all axes, in
/// double precision; 0 or less where they meet.
double apart(const std::array<glm::dvec3, 3>& t, glm::dvec3 low) {
    const glm::dvec3 middle = low + 0.5;
    const std::array edges{t[1] - t[0], t[2] - t[1], t[0] - t[2]};
    std::vector<glm::dvec3> axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, glm::cross(edges[0], edges[1])};
    for (const glm::dvec3& edge : edges)
        for (int axis = 0; axis < 3; ++axis)
            axes.push_back(glm::cross(edge, axes[static_cast<std::size_t>(axis)]));
    double most = -1e300;
    for (const glm::dvec3& axis : axes) {
        const double size = glm::length(axis);
        if (size == 0.0) continue;
        const double reach = 0.5 * (std::abs(axis.x) + std::abs(axis.y) + std::abs(axis.z));
        double least = 1e300;
        double greatest = -1e300;
        for (const glm::dvec3& corner : t) {
            least = std::min(least, glm::dot(axis, corner - middle));
            greatest = std::max(greatest, glm::dot(axis, corner - middle));
        }
        most = std::max({most, (least - reach) / size, (-reach - greatest) / size});
    }
    return most;
}

struct HostLists {
    std::vector<std::uint32_t> starts;
    std::vector<std::uint32_t> list;
    std::vector<std::uint32_t> words;
    std::vector<std::uint32_t> blocks;
    TriangleGridStatus status;
    glm::uvec3 dims{0};
    std::uint32_t cube_bits = 0;

    /// Bit by bit, as the kernels' comment says it.
    std::uint32_t key(glm::uvec3 cell) const {
        const glm::uvec3 cube = cell >> cube_bits;
        const glm::uvec3 cubes = dims >> cube_bits;
        std::uint32_t key = (cube.z * cubes.y + cube.y) * cubes.x + cube.x;
        for (std::uint32_t bit = cube_bits; bit-- > 0;)
            key = key << 3 | (cell.z >> bit & 1u) << 2 | (cell.y >> bit & 1u) << 1 |
                  (cell.x >> bit & 1u);
        return key;
    }
    std::set<std::uint32_t> of(glm::uvec3 cell) const {
        const std::uint32_t k = key(cell);
        return {list.begin() + starts[k], list.begin() + starts[k + 1]};
    }
    bool occupied(glm::uvec3 cell) const {
        const std::size_t row = (std::size_t{cell.y} * dims.x + cell.x) * ((dims.z + 31) / 32);
        return (words[row + cell.z / 32] >> cell.z % 32 & 1u) != 0;
    }
    /// The bits of boxes that the occupied cells make: of regions of 4^3 blocks, then of blocks of
    /// 4^3 cells.
    std::vector<std::uint32_t> expected_blocks() const {
        const glm::uvec3 along = (dims + 3u) / 4u;
        const glm::uvec3 regions = (dims + 15u) / 16u;
        const auto number = [](glm::uvec3 at, glm::uvec3 of) {
            return (std::size_t{at.z} * of.y + at.y) * of.x + at.x;
        };
        const std::size_t first = std::size_t{regions.x} * regions.y * regions.z;
        std::vector<std::uint64_t> boxes(first + std::size_t{along.x} * along.y * along.z, 0);
        const auto set = [&](std::size_t box, glm::uvec3 thing) {
            boxes[box] |= std::uint64_t{1}
                          << (thing.x % 4 + 4 * (thing.y % 4) + 16 * (thing.z % 4));
        };
        for (std::uint32_t z = 0; z < dims.z; ++z)
            for (std::uint32_t y = 0; y < dims.y; ++y)
                for (std::uint32_t x = 0; x < dims.x; ++x) {
                    const glm::uvec3 cell(x, y, z);
                    if (!occupied(cell)) continue;
                    set(first + number(cell / 4u, along), cell);
                    set(number(cell / 16u, regions), cell / 4u);
                }
        std::vector<std::uint32_t> halves;
        for (const std::uint64_t box : boxes) {
            halves.push_back(static_cast<std::uint32_t>(box));
            halves.push_back(static_cast<std::uint32_t>(box >> 32));
        }
        return halves;
    }
};

class RayGridVoxelize : public testing_gpu::RayGridTest {
  protected:
    /// Cells are unit cubes of the world.
    static RayGridParameters unit_cells(glm::uvec3 dims, float margin) {
        return {.dims = dims,
                .bounds = VoxelBounds::given,
                .low = glm::vec3(0.0f),
                .high = glm::vec3(dims),
                .margin = margin};
    }
    static void output(Graph& g, const std::string& name, const TriangleGrid& grid) {
        g.output(name + " starts", grid.starts);
        g.output(name + " list", grid.list);
        g.output(name + " words", grid.cells.words);
        g.output(name + " blocks", grid.blocks);
        g.output(name + " status", grid.status);
    }
    static HostLists read(Running& running, const std::string& name, glm::uvec3 dims) {
        HostLists lists;
        lists.starts = running.buffer<std::uint32_t>(name + " starts");
        lists.list = running.buffer<std::uint32_t>(name + " list");
        lists.words = running.buffer<std::uint32_t>(name + " words");
        lists.blocks = running.buffer<std::uint32_t>(name + " blocks");
        lists.status = TriangleGridStatus::read(running.buffer<std::uint32_t>(name + " status"));
        lists.dims = dims;
        while ((dims.x | dims.y | dims.z) >> lists.cube_bits << lists.cube_bits ==
                   (dims.x | dims.y | dims.z) &&
               lists.cube_bits < 10)
            ++lists.cube_bits;
        --lists.cube_bits;
        return lists;
    }
    /// Each cell's list against double precision: triangles nearer than `sure` must be in it, those
    /// farther than `most` must not. Returns how many others there were, or says what is wrong.
    static std::size_t compare(const HostLists& lists, const GridMesh& mesh, double sure,
                               double most) {
        std::size_t extra = 0;
        std::size_t entries = 0;
        for (std::uint32_t z = 0; z < lists.dims.z; ++z)
            for (std::uint32_t y = 0; y < lists.dims.y; ++y)
                for (std::uint32_t x = 0; x < lists.dims.x; ++x) {
                    const glm::uvec3 cell(x, y, z);
                    const std::set<std::uint32_t> of = lists.of(cell);
                    entries += of.size();
                    EXPECT_EQ(lists.occupied(cell), !of.empty());
                    for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
                        const glm::uvec3 t = mesh.triangles[k];
                        const double gap =
                            apart({glm::dvec3(mesh.positions[t.x]), glm::dvec3(mesh.positions[t.y]),
                                   glm::dvec3(mesh.positions[t.z])},
                                  glm::dvec3(cell));
                        const bool there = of.contains(k);
                        if (gap <= sure && !there) {
                            ADD_FAILURE()
                                << fmt::format("triangle {} is missing in {} {} {}", k, x, y, z);
                            return extra;
                        }
                        if (gap > most && there) {
                            ADD_FAILURE() << fmt::format("triangle {} is in {} {} {}, {} away", k,
                                                         x, y, z, gap);
                            return extra;
                        }
                        extra += std::size_t(there && gap > sure);
                    }
                }
        EXPECT_EQ(lists.status.entries, entries);
        EXPECT_EQ(lists.blocks, lists.expected_blocks());
        return extra;
    }
};

float quarter(std::mt19937& bits, std::uint32_t cells) {
    return 0.25f * static_cast<float>(static_cast<std::uint32_t>(bits()) % (4 * cells + 1));
}

/// Check "occupancy": corners at quarters of cells, so that touching is exact.
TEST_F(RayGridVoxelize, PutsTrianglesIntoExactlyTheCellsThatTheyMeet) {
    std::mt19937 bits(1);
    Graph g = graph();
    std::vector<std::pair<glm::uvec3, GridMesh>> all;
    for (const glm::uvec3 dims : {glm::uvec3(16), glm::uvec3(1, 1, 37), glm::uvec3(24, 8, 12)}) {
        GridMesh mesh;
        while (mesh.triangles.size() < 40) {
            const auto corner = [&] {
                const float x = quarter(bits, dims.x);
                const float y = quarter(bits, dims.y);
                return glm::vec3(x, y, quarter(bits, dims.z));
            };
            const glm::vec3 a = corner();
            const glm::vec3 b = corner();
            const glm::vec3 c = corner();
            if (glm::length(glm::cross(b - a, c - a)) > 0.0f) mesh.add(a, b, c);
        }
        // Flat ones on planes between cells, and one within a cell.
        mesh.add({0, 0, 1}, {1, 0, 1}, {1, 1, 1});
        mesh.add({0.25f, 0.25f, 0.25f}, {0.5f, 0.25f, 0.25f}, {0.25f, 0.5f, 0.5f});
        output(g, std::to_string(all.size()),
               g.add(VoxelizeTriangles{.mesh = this->mesh(g, mesh),
                                       .parameters = unit_cells(dims, 0.0f)})
                   .grid);
        all.emplace_back(dims, mesh);
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_EQ(compare(read(running, std::to_string(i), all[i].first), all[i].second, 0.0, 0.0),
                  0u);
}

/// The same in the grid of the chapter, 128^3, by the cells of each triangle's box alone; the
/// voxels of other voxelizers there miss none and add few.
TEST_F(RayGridVoxelize, OccupiesExactlyTheCellsOfAGridOf128) {
    constexpr glm::uvec3 kDims(128);
    std::mt19937 bits(5);
    GridMesh mesh;
    while (mesh.triangles.size() < 500) {
        const auto corner = [&](glm::vec3 low, std::uint32_t cells) {
            const float x = quarter(bits, cells);
            const float y = quarter(bits, cells);
            return low + glm::vec3(x, y, quarter(bits, cells));
        };
        // A few are as large as the grid.
        const std::uint32_t size = mesh.triangles.size() % 50 == 0 ? 128 : 9;
        const glm::vec3 low = corner(glm::vec3(0.0f), 128 - size);
        const glm::vec3 a = corner(low, size);
        const glm::vec3 b = corner(low, size);
        const glm::vec3 c = corner(low, size);
        if (glm::length(glm::cross(b - a, c - a)) > 0.0f) mesh.add(a, b, c);
    }
    Graph g = graph();
    const passes::TriangleMesh triangles = this->mesh(g, mesh);
    const VoxelizeTriangles own =
        g.add(VoxelizeTriangles{.mesh = triangles, .parameters = unit_cells(kDims, 0.0f)});
    output(g, "grid", own.grid);
    constexpr std::array kMethods{passes::SurfaceMethod::rows, passes::SurfaceMethod::dilated};
    for (const passes::SurfaceMethod method : kMethods)
        g.output(std::to_string(static_cast<int>(method)),
                 g.add(VoxelSurface{.mesh = triangles, .frame_of = own.occupancy, .method = method})
                     .grid.words);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostLists lists = read(running, "grid", kDims);
    std::vector<std::uint32_t> expected(lists.words.size(), 0);
    std::vector<std::uint32_t> entered(lists.words.size(), 0); // not just touched
    std::size_t entries = 0;
    std::size_t grazed =
        0; // products of such coordinates may round where a cell is all but touched
    for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
        const glm::uvec3 t = mesh.triangles[k];
        const std::array<glm::vec3, 3> at{mesh.positions[t.x], mesh.positions[t.y],
                                          mesh.positions[t.z]};
        const glm::ivec3 low = glm::max(
            glm::ivec3(glm::floor(glm::min(at[0], glm::min(at[1], at[2])))) - 1, glm::ivec3(0));
        const glm::ivec3 high =
            glm::min(glm::ivec3(glm::floor(glm::max(at[0], glm::max(at[1], at[2])))) + 1,
                     glm::ivec3(kDims) - 1);
        for (int z = low.z; z <= high.z; ++z)
            for (int y = low.y; y <= high.y; ++y)
                for (int x = low.x; x <= high.x; ++x) {
                    const glm::uvec3 cell(x, y, z);
                    const double gap =
                        apart({glm::dvec3(at[0]), glm::dvec3(at[1]), glm::dvec3(at[2])},
                              glm::dvec3(cell));
                    if (gap > 2e-3) continue;
                    const std::uint32_t key = lists.key(cell);
                    const auto first = lists.list.begin() + lists.starts[key];
                    const auto last = lists.list.begin() + lists.starts[key + 1];
                    const bool is_there = std::find(first, last, k) != last;
                    ASSERT_TRUE(is_there || gap > 0.0) << k << ": " << x << " " << y << " " << z;
                    if (!is_there) continue;
                    ++entries;
                    grazed += std::size_t(gap > 0.0);
                    const std::size_t word =
                        (cell.y * kDims.x + cell.x) * (kDims.z / 32) + cell.z / 32;
                    expected[word] |= 1u << cell.z % 32;
                    if (gap < -1e-4) entered[word] |= 1u << cell.z % 32;
                }
    }
    EXPECT_EQ(lists.status.entries, entries); // and so no others
    EXPECT_EQ(lists.words, expected);
    EXPECT_EQ(lists.blocks, lists.expected_blocks());
    EXPECT_LT(grazed, entries / 1000);
    std::uint32_t occupied = 0;
    for (const std::uint32_t word : expected)
        occupied += static_cast<std::uint32_t>(std::popcount(word));
    EXPECT_GT(occupied, 40000u);
    RecordProperty("occupied", static_cast<int>(occupied));
    // The others have tolerances of their own, in which cells that are just touched may fall: none
    // that a triangle enters is missing.
    std::uint32_t entered_count = 0;
    for (const std::uint32_t word : entered)
        entered_count += static_cast<std::uint32_t>(std::popcount(word));
    EXPECT_GT(entered_count, occupied * 9 / 10);
    for (const passes::SurfaceMethod method : kMethods) {
        const auto others = running.buffer<std::uint32_t>(std::to_string(static_cast<int>(method)));
        ASSERT_EQ(others.size(), expected.size());
        std::uint32_t more = 0;
        std::uint32_t missing = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            more += static_cast<std::uint32_t>(std::popcount(others[i] & ~expected[i]));
            missing += static_cast<std::uint32_t>(std::popcount(entered[i] & ~others[i]));
        }
        EXPECT_EQ(missing, 0u);
        EXPECT_LE(more, occupied / 10);
        RecordProperty(fmt::format("extra_{}", static_cast<int>(method)), static_cast<int>(more));
    }
}

TEST_F(RayGridVoxelize, MissesNoCellAndAddsFewWithAMargin) {
    constexpr glm::uvec3 kDims(32);
    constexpr float kMargin = 1.0f / 256.0f;
    GridMesh mesh = testing_gpu::scattered(60, 0.3f, 2);
    for (glm::vec3& p : mesh.positions)
        p = 16.0f + 12.0f * p; // some reach beyond
    // Needles and what is far away.
    mesh.add({1.0f, 1.0f, 1.0f}, {31.0f, 30.0f, 29.0f}, {31.0f, 30.0f, 29.001f});
    mesh.add({-1e5f, 3.0f, 4.0f}, {1e5f, 5.0f, 6.0f}, {10.0f, 40.0f, 9.0f});
    Graph g = graph();
    output(g, "grid",
           g.add(VoxelizeTriangles{.mesh = this->mesh(g, mesh),
                                   .parameters = unit_cells(kDims, kMargin)})
               .grid);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostLists lists = read(running, "grid", kDims);
    // The axes of edges are across both, so a margin along all three is at most 1.8 of it away.
    const std::size_t extra = compare(lists, mesh, 0.0, 1.0);
    EXPECT_LT(static_cast<double>(extra), 0.1 * lists.status.entries);
    EXPECT_GT(lists.status.outside, 0u);
}

/// The variants of voxelization that rasterize are those of module voxel; all that they set is
/// occupied.
TEST_F(RayGridVoxelize, OccupiesAllThatOtherVoxelizersSet) {
    const GridMesh mesh = testing_gpu::scattered(200, 0.2f, 3);
    Graph g = graph();
    const passes::TriangleMesh triangles = this->mesh(g, mesh);
    const VoxelizeTriangles own =
        g.add(VoxelizeTriangles{.mesh = triangles, .parameters = {.dims = glm::uvec3(40)}});
    g.output("own", own.occupancy.words);
    constexpr std::array kMethods{passes::SurfaceMethod::rows, passes::SurfaceMethod::dilated};
    for (const passes::SurfaceMethod method : kMethods)
        g.output(std::to_string(static_cast<int>(method)),
                 g.add(VoxelSurface{.mesh = triangles, .frame_of = own.occupancy, .method = method})
                     .grid.words);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto words = running.buffer<std::uint32_t>("own");
    for (const passes::SurfaceMethod method : kMethods) {
        const auto others = running.buffer<std::uint32_t>(std::to_string(static_cast<int>(method)));
        std::uint32_t missing = 0;
        std::uint32_t more = 0;
        std::uint32_t set = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            missing += static_cast<std::uint32_t>(std::popcount(others[i] & ~words[i]));
            more += static_cast<std::uint32_t>(std::popcount(words[i] & ~others[i]));
            set += static_cast<std::uint32_t>(std::popcount(others[i]));
        }
        EXPECT_EQ(missing, 0u);
        EXPECT_GT(set, 2000u);
        EXPECT_LT(more, set / 10);
    }
}

/// Walls whose columns are more than there are invocations, between small triangles: numbers of
/// parts in the middle of groups, and invocations that take more than one.
TEST_F(RayGridVoxelize, TakesTheColumnsOfLargeTrianglesInTurns) {
    constexpr std::uint32_t kSide = 128;
    constexpr std::uint32_t kWalls = 6;
    GridMesh mesh;
    const auto at = [](std::uint32_t axis, float along, float x, float y) {
        glm::vec3 p(along);
        p[static_cast<int>((axis + 1) % 3)] = x;
        p[static_cast<int>((axis + 2) % 3)] = y;
        return p;
    };
    constexpr auto kReach = static_cast<float>(kSide);
    std::vector<std::uint32_t> walls;
    for (std::uint32_t wall = 0; wall < kWalls; ++wall) {
        for (std::uint32_t k = 0; k < 37; ++k) {
            const glm::vec3 corner(0.25f + 3.0f * static_cast<float>(k), 64.25f, 64.25f);
            mesh.add(corner, corner + glm::vec3(0.5f, 0, 0), corner + glm::vec3(0, 0.5f, 0.25f));
        }
        const float along = 0.5f + 20.0f * static_cast<float>(wall);
        walls.push_back(static_cast<std::uint32_t>(mesh.triangles.size()));
        mesh.add(at(wall % 3, along, 0, 0), at(wall % 3, along, kReach, 0),
                 at(wall % 3, along, 0, kReach));
        mesh.add(at(wall % 3, along, kReach, 0), at(wall % 3, along, kReach, kReach),
                 at(wall % 3, along, 0, kReach));
    }
    RayGridParameters parameters = unit_cells(glm::uvec3(kSide), 0.0f);
    parameters.entries = 1u << 18;
    Graph g = graph();
    output(g, "grid",
           g.add(VoxelizeTriangles{.mesh = this->mesh(g, mesh), .parameters = parameters}).grid);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostLists lists = read(running, "grid", glm::uvec3(kSide));
    EXPECT_EQ(lists.status.parts[0], 37 * kWalls + 2 * kWalls * kSide * kSide);
    std::vector<std::set<std::uint32_t>> expected(std::size_t{kSide} * kSide * kSide);
    const auto expect = [&](glm::vec3 cell, std::uint32_t triangle) {
        expected[lists.key(glm::uvec3(cell))].insert(triangle);
    };
    for (std::uint32_t wall = 0; wall < kWalls; ++wall) {
        const auto along = 20.0f * static_cast<float>(wall);
        for (std::uint32_t k = 0; k < 37; ++k)
            expect({3.0f * static_cast<float>(k), 64, 64}, walls[wall] - 37 + k);
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x) {
                const glm::vec3 cell =
                    at(wall % 3, along, static_cast<float>(x), static_cast<float>(y));
                // The diagonal passes corners of cells, which are closed.
                if (x + y <= kSide) expect(cell, walls[wall]);
                if (x + y + 2 >= kSide) expect(cell, walls[wall] + 1);
            }
    }
    std::size_t entries = 0;
    for (std::size_t key = 0; key < expected.size(); ++key) {
        const std::set<std::uint32_t> there(lists.list.begin() + lists.starts[key],
                                            lists.list.begin() + lists.starts[key + 1]);
        ASSERT_EQ(there, expected[key]) << key;
        entries += expected[key].size();
    }
    EXPECT_EQ(lists.status.entries, entries);
    EXPECT_EQ(lists.blocks, lists.expected_blocks());
}

TEST_F(RayGridVoxelize, LeavesOutWhatIsNoTriangleAndCountsIt) {
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    GridMesh mesh;
    mesh.add({1, 1, 1}, {3, 1, 1}, {1, 3, 1});
    mesh.add({kNaN, 1, 1}, {3, 1, 1}, {1, 3, 1});
    mesh.add({1, 1, 1}, {3, kInfinity, 1}, {1, 3, 1});
    mesh.add({1, 1, 1}, {2, 2, 2}, {3, 3, 3});
    mesh.add({2, 2, 2}, {2, 2, 2}, {2, 2, 2});
    mesh.add({2, 2, 2}, {9, 2, 2}, {2, 9, 2});
    mesh.triangles.emplace_back(0, 1, 1000);
    Graph g = graph();
    output(g, "grid",
           g.add(VoxelizeTriangles{.mesh = this->mesh(g, mesh),
                                   .parameters = unit_cells(glm::uvec3(4), 0.0f)})
               .grid);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostLists lists = read(running, "grid", glm::uvec3(4));
    EXPECT_EQ(lists.status.not_finite, 2u);
    EXPECT_EQ(lists.status.degenerate, 2u);
    EXPECT_EQ(lists.status.bad_index, 1u);
    EXPECT_EQ(lists.status.outside, 1u);
    const Diagnostics warnings = lists.status.warnings();
    ASSERT_EQ(warnings.size(), 2u);
    EXPECT_EQ(warnings[0].code, "raygrid/bad-triangles");
    EXPECT_EQ(warnings[1].code, "raygrid/outside");
    EXPECT_EQ(lists.of({3, 2, 1}), (std::set<std::uint32_t>{5}));
    EXPECT_EQ(lists.of({1, 1, 1}), (std::set<std::uint32_t>{0, 5}));
}

TEST_F(RayGridVoxelize, GrowsListsThatWereTooShort) {
    const GridMesh host = testing_gpu::scattered(200, 0.3f, 4);
    GraphRunner runner(device());
    std::vector<std::uint32_t> lost;
    std::vector<std::uint32_t> grown;
    for (int frame = 0; frame < 3; ++frame) {
        const auto pools = runner.grow_pools();
        ASSERT_TRUE(pools);
        grown.push_back(static_cast<std::uint32_t>(pools->size()));
        Graph g = graph();
        g.set_pools(runner.pools());
        output(g, "grid",
               g.add(VoxelizeTriangles{.mesh = this->mesh(g, host),
                                       .parameters = {.dims = glm::uvec3(16), .entries = 100}},
                     "grid")
                   .grid);
        const auto taken = runner.take(std::move(g).finish(), shaders());
        ASSERT_TRUE(taken) << to_string(taken.error());
        ASSERT_TRUE(runner.executor()->execute());
        const Diagnostics warnings = *runner.executor()->warnings();
        lost.push_back(static_cast<std::uint32_t>(
            std::ranges::count(warnings, "raygrid/lost-entries", &Diagnostic::code)));
        const auto bytes = runner.executor()->read_buffer("grid status");
        ASSERT_TRUE(bytes);
        std::vector<std::uint32_t> words(bytes->size() / 4);
        std::memcpy(words.data(), bytes->data(), bytes->size());
        const TriangleGridStatus status = TriangleGridStatus::read(words);
        EXPECT_EQ(status.entries > status.room, frame == 0);
    }
    EXPECT_EQ(lost, (std::vector<std::uint32_t>{1, 0, 0}));
    EXPECT_EQ(grown, (std::vector<std::uint32_t>{0, 1, 0}));
}

TEST_F(RayGridVoxelize, RefusesGridsThatAreTooLarge) {
    const auto codes = [&](RayGridParameters parameters) {
        Graph g = graph();
        g.add(VoxelizeTriangles{.mesh = mesh(g, {}), .parameters = parameters});
        const auto plan = compile(std::move(g).finish(), device().caps());
        std::vector<std::string> all;
        if (!plan)
            for (const Diagnostic& one : plan.error())
                all.push_back(one.code);
        return all;
    };
    EXPECT_EQ(codes({.dims = {2048, 1, 1}}), std::vector<std::string>{"pass/out-of-range"});
    EXPECT_EQ(codes({.dims = {4, 0, 4}}), std::vector<std::string>{"pass/out-of-range"});
    EXPECT_EQ(codes({.dims = glm::uvec3(1024)}),
              std::vector<std::string>{"raygrid/grid-too-large"});
    EXPECT_EQ(
        codes({.bounds = VoxelBounds::given, .low = glm::vec3(1.0f), .high = glm::vec3(1.0f)}),
        std::vector<std::string>{"pass/out-of-range"});
}

} // namespace
} // namespace tuff
