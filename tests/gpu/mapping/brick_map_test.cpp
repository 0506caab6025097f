#include "passes/isosurface/marching_cubes.hpp"
#include "passes/mapping/pose.hpp"
#include "passes/mapping/trajectory.hpp"
#include "passes/mapping/tsdf.hpp"
#include "tests/gpu/mapping/mapping_test.hpp"

#include <glm/geometric.hpp>
#include <glm/gtc/packing.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

/// mapping/tsdf in bricks, and the meshes of these.
namespace tuff {
namespace {

using passes::IsosurfaceStatus;
using passes::MappingField;
using passes::MappingPose;
using passes::MappingRoom;
using passes::MappingTsdf;
using passes::MappingView;
using passes::MarchingCubes;
using passes::SparseStatus;
using passes::SurfaceInside;
using passes::TsdfGrid;
using passes::TsdfStorage;
using testing_gpu::Running;

constexpr std::uint32_t kCells = 512; ///< of a brick
constexpr std::uint32_t kFreshBrick = 1u << 31;

/// Mesh of what "surface" has: those triangles that there are.
struct HostMesh {
    std::vector<glm::vec3> positions;
    std::vector<std::array<std::uint32_t, 3>> triangles;

    /// Directed edges without one that goes back.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open_edges() const {
        std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
        for (const auto& t : triangles)
            for (std::size_t i = 0; i < 3; ++i)
                edges.emplace(t[i], t[(i + 1) % 3]);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> open;
        for (const auto& [a, b] : edges)
            if (!edges.contains({b, a})) open.emplace_back(a, b);
        return open;
    }
    /// Corners of all triangles, the least first, sorted.
    std::vector<std::array<float, 9>> corners() const {
        std::vector<std::array<float, 9>> all;
        for (const auto& t : triangles) {
            std::array<std::array<float, 3>, 3> p;
            for (std::size_t i = 0; i < 3; ++i)
                p[i] = {positions[t[i]].x, positions[t[i]].y, positions[t[i]].z};
            std::ranges::rotate(p, std::ranges::min_element(p));
            all.push_back(
                {p[0][0], p[0][1], p[0][2], p[1][0], p[1][1], p[1][2], p[2][0], p[2][1], p[2][2]});
        }
        std::ranges::sort(all);
        return all;
    }
};

class BrickMapTest : public testing_gpu::MappingTest {
  protected:
    static Buffer copied(Graph& g, std::string_view name, Buffer buffer) {
        return g.copy(buffer, g.buffer(name, g.desc(buffer)), name);
    }
    static void output_map(Graph& g, const MappingTsdf& tsdf) {
        g.output("bricks", copied(g, "bricks_out", tsdf.volume.bricks.list));
        g.output("cells", copied(g, "cells_out", tsdf.volume.voxels));
        g.output("brick status", tsdf.brick_status);
    }
    static void output_mesh(Graph& g, const std::string& name, const TsdfGrid& grid,
                            MarchingCubes mesh) {
        mesh.iso = 0.0f;
        mesh.inside = SurfaceInside::below;
        mesh.spacing = glm::vec3(grid.side);
        mesh.origin = grid.corner + 0.5f * grid.side;
        mesh = g.add(mesh, name);
        g.output(name + " positions", mesh.mesh.positions);
        g.output(name + " indices", mesh.mesh.indices);
        g.output(name + " status", mesh.status);
    }
    static HostMesh mesh_of(Running& running, const std::string& name) {
        const auto status = IsosurfaceStatus::read(running.buffer<std::uint32_t>(name + " status"));
        EXPECT_LE(status.triangles, status.triangle_room);
        EXPECT_LE(status.blocks, status.block_room);
        const auto numbers = running.buffer<float>(name + " positions");
        const auto indices = running.buffer<std::uint32_t>(name + " indices");
        HostMesh mesh;
        for (std::size_t i = 0; i < status.vertices; ++i)
            mesh.positions.emplace_back(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
        for (std::size_t i = 0; i < status.triangles; ++i)
            mesh.triangles.push_back({indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]});
        return mesh;
    }
    /// Slots by brick number.
    static std::map<std::uint32_t, std::uint32_t> slots_of(Running& running) {
        const auto words = running.buffer<std::uint32_t>("bricks");
        std::map<std::uint32_t, std::uint32_t> slots;
        for (std::size_t i = 0; i < words[0]; ++i)
            slots[words[4 + 2 * i]] = words[5 + 2 * i] & ~kFreshBrick;
        EXPECT_EQ(slots.size(), words[0]) << "no brick twice";
        return slots;
    }
    template <typename Status>
    static Status status_of(Running& running, std::string_view name) {
        return Status::read(running.buffer<std::uint32_t>(name));
    }
};

/// Voxels by their place in the domain, of one storage or the other.
using VoxelMap = std::map<std::uint32_t, glm::uvec2>;

VoxelMap voxels_of(const std::map<std::uint32_t, std::uint32_t>& slots,
                   const std::vector<glm::uvec2>& cells, glm::uvec3 dims) {
    const glm::uvec3 grid = (dims + 7u) / 8u;
    VoxelMap voxels;
    for (const auto& [number, slot] : slots)
        for (std::uint32_t i = 0; i < kCells; ++i) {
            const glm::uvec3 brick(number % grid.x, number / grid.x % grid.y,
                                   number / grid.x / grid.y);
            const glm::uvec3 at = 8u * brick + glm::uvec3(i % 8, i / 8 % 8, i / 64);
            if (at.x < dims.x && at.y < dims.y && at.z < dims.z)
                voxels[(at.z * dims.y + at.y) * dims.x + at.x] = cells[slot * kCells + i];
        }
    return voxels;
}

/// Bricks get what frames say of their voxels from their first frame on, bit for bit; all corners
/// of cells that the surface of the first frame goes through are in bricks, so that its mesh is
/// that of the dense map, and later ones lie on the room's surface.
TEST_F(BrickMapTest, BricksAndTheirMeshAreThoseOfADenseMap) {
    // Sides that are no multiples of a brick's.
    const TsdfGrid dense{.dims = {84, 53, 85}, .corner = {-2.1f, -0.1f, -2.12f}, .side = 0.05f};
    TsdfGrid bricks = dense;
    bricks.storage = TsdfStorage::bricks;
    bricks.capacity = 1400;
    MappingRoom room{.width = 96, .height = 72, .noise = 0.0f, .dropout = 0.0f, .ball = 0.0f};
    std::set<std::uint32_t> first;
    Running running = play(
        [&](int frame) {
            Graph g = graph();
            MappingRoom now = room;
            now.frame = 12.0f * static_cast<float>(frame);
            now = g.add(now);
            const auto whole = g.add(
                MappingTsdf{.frame = now.result, .pose_given = now.pose, .grid = dense}, "whole");
            const auto sparse = g.add(
                MappingTsdf{.frame = now.result, .pose_given = now.pose, .grid = bricks}, "sparse");
            g.output("dense", copied(g, "dense_out", whole.volume.voxels));
            output_map(g, sparse);
            const auto field =
                g.add(MappingField{.volume = whole.volume, .least_weight = 0.0f}, "field");
            const auto values =
                g.add(MappingField{.volume = sparse.volume, .least_weight = 0.0f}, "values");
            output_mesh(g, "dense mesh", dense,
                        {.field = field.field, .valid = field.known, .most_triangles = 90000});
            output_mesh(
                g, "brick mesh", bricks,
                {.values = values.values, .bricks = values.bricks, .most_triangles = 90000});
            const MappingView view{.pose = now.pose, .width = 96, .height = 72};
            MappingView of = view;
            of.volume = whole.volume;
            g.output("dense seen", g.add(of, "dense view").maps.geometry[0]);
            of.volume = sparse.volume;
            g.output("bricks seen", g.add(of, "brick view").maps.geometry[0]);
            return g;
        },
        0, 4,
        [&](Running& at, int frame) {
            const auto status = status_of<SparseStatus>(at, "brick status");
            ASSERT_EQ(status.refused, 0u);
            const auto slots = slots_of(at);
            ASSERT_EQ(slots.size(), status.active_bricks);
            EXPECT_LT(slots.size(), 11u * 7 * 11) << "free space has no bricks";
            if (frame == 0)
                for (const auto& [number, slot] : slots)
                    first.insert(number);
            const auto whole = at.buffer<glm::uvec2>("dense");
            auto own = slots;
            std::erase_if(own, [&](const auto& one) { return !first.contains(one.first); });
            ASSERT_EQ(own.size(), first.size()) << "bricks stay";
            const VoxelMap voxels = voxels_of(own, at.buffer<glm::uvec2>("cells"), dense.dims);
            for (const auto& [index, voxel] : voxels)
                ASSERT_EQ(voxel, whole[index]) << index << " in frame " << frame;

            const HostMesh mesh = mesh_of(at, "brick mesh");
            EXPECT_GT(mesh.triangles.size(), 2000u);
            if (frame == 0) {
                EXPECT_TRUE(mesh.corners() == mesh_of(at, "dense mesh").corners());
            }
            // Distances along rays that graze are too long, and corners are rounded: a voxel's
            // diagonal; a hundredth may be at silhouettes, where pixels straddle two surfaces.
            std::size_t off = 0;
            for (const glm::vec3& p : mesh.positions)
                off +=
                    std::abs(testing_gpu::room_distance(glm::dvec3(p), glm::dvec4(0))) > 0.05 * 1.74
                        ? 1u
                        : 0u;
            EXPECT_LT(off, mesh.positions.size() / 100 + 1) << frame;

            const HostImage a = at.image("dense seen");
            const HostImage b = at.image("bricks seen");
            int seen = 0;
            int alike = 0;
            for (std::uint32_t y = 0; y < 72; ++y)
                for (std::uint32_t x = 0; x < 96; ++x) {
                    if (a.texel(x, y)[3] <= 0.0f) continue;
                    ++seen;
                    alike += std::abs(a.texel(x, y)[3] - b.texel(x, y)[3]) < 0.5f * 0.05f ? 1 : 0;
                }
            // Rays begin their steps where bricks do, so their secants differ: where they graze a
            // surface by a part of a voxel, at silhouettes by a pixel.
            EXPECT_GT(seen, 0.9 * 96 * 72);
            EXPECT_GT(alike, 0.95 * seen) << frame;
        });
    ASSERT_TRUE(running);
}

/// Depths of a sphere about the origin, by rays.
std::vector<float> sphere_depths(Extent extent, const glm::dmat4& pose, double radius) {
    const glm::dvec4 k(testing_gpu::lens_of(extent));
    const glm::dmat3 turn(pose);
    const glm::dvec3 eye(pose[3]);
    std::vector<float> depths;
    for (std::uint32_t y = 0; y < extent.height; ++y)
        for (std::uint32_t x = 0; x < extent.width; ++x) {
            const glm::dvec3 ray = turn * testing_gpu::ray_of(k, x, y);
            const double a = glm::dot(ray, ray);
            const double b = glm::dot(ray, eye);
            const double root = b * b - a * (glm::dot(eye, eye) - radius * radius);
            depths.push_back(root > 0.0 ? static_cast<float>((-b - std::sqrt(root)) / a) : 0.0f);
        }
    return depths;
}

/// A sphere that was seen from all sides is one closed surface, and lies where it is.
TEST_F(BrickMapTest, ASphereSeenFromAllSidesIsClosed) {
    constexpr Extent kExtent{96, 96, 1};
    constexpr double kRadius = 0.5;
    const TsdfGrid grid{.dims = glm::uvec3(64),
                        .corner = glm::vec3(-1.28f),
                        .side = 0.04f,
                        .storage = TsdfStorage::bricks,
                        .capacity = 512};
    std::vector<glm::dvec3> eyes;
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.6, 1.6}) {
            glm::dvec3 eye(0.01, 0.02, 0.03); // no exact symmetry
            eye[axis] = side;
            eyes.push_back(eye);
        }
    for (int corner = 0; corner < 8; ++corner)
        eyes.emplace_back(0.9 * ((corner & 1) * 2 - 1), 0.9 * ((corner >> 1 & 1) * 2 - 1),
                          0.9 * ((corner >> 2) * 2 - 1));
    std::vector<float> all;
    for (std::size_t i = 0; i < eyes.size(); ++i) {
        const auto depths = sphere_depths(kExtent, passes::looking_at(eyes[i], {0, 0, 0}), kRadius);
        all.insert(all.end(), depths.begin(), depths.end());
    }
    const auto build = [&](int frame) {
        Graph of = graph();
        const glm::dvec3 eye = eyes[static_cast<std::size_t>(frame)];
        const std::size_t texels = std::size_t{kExtent.width} * kExtent.height;
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(texels) * frame;
        const std::vector<float> depths(begin, begin + static_cast<std::ptrdiff_t>(texels));
        const auto bytes = testing_gpu::bytes_of(depths);
        const Buffer raw =
            of.upload(of.buffer("raw", {.size = bytes->size(), .stride = 4}), bytes, "upload");
        passes::RgbdFrame seen = frame_of(of, kExtent, std::vector<float>(texels, 0.0f));
        seen.depth = of.copy_to_image(
            raw, of.image("depth", {.format = Format::r32_sfloat, .extent = kExtent}), "copy");
        const auto pose = of.add(MappingPose{.position = glm::vec3(eye), .target = {0, 0, 0}});
        const auto tsdf = of.add(MappingTsdf{.frame = seen, .pose_given = pose.pose, .grid = grid});
        const auto field = of.add(MappingField{.volume = tsdf.volume, .least_weight = 0.0f});
        output_map(of, tsdf);
        output_mesh(of, "mesh", grid, {.values = field.values, .bricks = field.bricks});
        return of;
    };
    Running running = play(build, 0, static_cast<int>(eyes.size()));
    ASSERT_TRUE(running);
    EXPECT_EQ(status_of<SparseStatus>(running, "brick status").refused, 0u);
    const HostMesh mesh = mesh_of(running, "mesh");
    EXPECT_TRUE(mesh.open_edges().empty()) << mesh.open_edges().size();
    const auto euler = static_cast<std::int64_t>(mesh.positions.size()) -
                       static_cast<std::int64_t>(mesh.triangles.size()) / 2;
    EXPECT_EQ(euler, 2) << "one sphere, and nothing within it";
    double worst = 0.0;
    double sum = 0.0;
    for (const glm::vec3& p : mesh.positions) {
        const double away = glm::length(glm::dvec3(p)) - kRadius;
        worst = std::max(worst, std::abs(away));
        sum += away;
    }
    // Distances along rays vanish on the surface, whatever the slant; between voxels they bend by
    // side^2 / (8 radius) over the cosine, and behind it views disagree by as much.
    EXPECT_LT(worst, 0.25 * 0.04);
    EXPECT_LT(std::abs(sum) / static_cast<double>(mesh.positions.size()), 0.05 * 0.04);
}

/// Bricks for which there is no room are counted and said; the others go on.
TEST_F(BrickMapTest, APoolAtItsEndIsSaidAndTheMapGoesOn) {
    std::vector<std::map<std::uint32_t, std::uint32_t>> bricks;
    Running running = play(
        [&](int frame) {
            Graph g = graph();
            const MappingRoom room = g.add(
                MappingRoom{.width = 40, .height = 30, .frame = 5.0f * static_cast<float>(frame)});
            output_map(g, g.add(MappingTsdf{.frame = room.result,
                                            .pose_given = room.pose,
                                            .grid = {.dims = glm::uvec3(96),
                                                     .corner = glm::vec3(-2.4f),
                                                     .side = 0.05f,
                                                     .storage = TsdfStorage::bricks,
                                                     .capacity = 32}}));
            return g;
        },
        0, 3,
        [&](Running& at, int) {
            const auto status = status_of<SparseStatus>(at, "brick status");
            EXPECT_EQ(status.active_bricks, 32u);
            EXPECT_GT(status.refused, 0u);
            EXPECT_EQ(status.wanted, 32u + status.refused);
            ASSERT_EQ(status.pool_needs().size(), 1u);
            EXPECT_EQ(status.pool_needs()[0].elements, status.wanted);
            const auto warnings = at->warnings();
            ASSERT_TRUE(warnings);
            EXPECT_EQ(std::ranges::count(*warnings, "sparse/pool-full", &Diagnostic::code), 1);
            bricks.push_back(slots_of(at));
        });
    ASSERT_TRUE(running);
    EXPECT_TRUE(bricks[1] == bricks[0]) << "bricks with memory keep it";
    EXPECT_TRUE(bricks[2] == bricks[0]);
}

/// Frames of a lost camera claim no bricks, and all of the map stays.
TEST_F(BrickMapTest, FramesOfALostCameraLeaveBricksAsTheyAre) {
    const Extent extent{40, 30, 1};
    const glm::dmat4 pose = passes::looking_at({0, 0, -1}, {0, 0, 0});
    auto nan_pose = testing_gpu::rows_of(pose);
    nan_pose[2].x = std::numeric_limits<float>::quiet_NaN();
    std::vector<glm::vec4> list = testing_gpu::rows_of(pose);
    list.insert(list.end(), nan_pose.begin(), nan_pose.end());
    const auto lost = testing_gpu::rows_of(pose, 0.0f);
    list.insert(list.end(), lost.begin(), lost.end());
    std::vector<VoxelMap> maps;
    Running running = play(
        [&](int frame) {
            Graph g = graph();
            const auto seen = frame_of(g, extent, std::vector<float>(40 * 30, 1.2f));
            const auto given = g.add(MappingPose{.list = pose_buffer(g, "list", list),
                                                 .index = static_cast<std::uint32_t>(frame)});
            output_map(g, g.add(MappingTsdf{.frame = seen,
                                            .pose_given = given.pose,
                                            .grid = {.dims = glm::uvec3(24),
                                                     .corner = glm::vec3(-0.6f),
                                                     .side = 0.05f,
                                                     .storage = TsdfStorage::bricks,
                                                     .capacity = 27}}));
            return g;
        },
        0, 3,
        [&](Running& at, int) {
            maps.push_back(voxels_of(slots_of(at), at.buffer<glm::uvec2>("cells"), glm::uvec3(24)));
        });
    ASSERT_TRUE(running);
    EXPECT_GT(std::ranges::count_if(maps[0], [](const auto& v) { return v.second.x != 0; }), 500);
    EXPECT_TRUE(maps[1] == maps[0]);
    EXPECT_TRUE(maps[2] == maps[0]);
}

/// A room in the farthest corner of 2^32 voxels: numbers of voxels take more than 32 bits, those of
/// bricks a hash table.
TEST_F(BrickMapTest, AGridOfMoreVoxelsThanThirtyTwoBitsCountHoldsWhatASmallOneHolds) {
    // Multiples of powers of two, so that places of voxels have no roundings.
    constexpr float kSide = 0.0625f;
    const glm::uvec3 room_bricks(9, 6, 9);
    const glm::uvec3 shift = glm::uvec3(256, 256, 128) - room_bricks;
    const TsdfGrid small{.dims = 8u * room_bricks,
                         .corner = {-2.25f, -0.25f, -2.25f},
                         .side = kSide,
                         .storage = TsdfStorage::bricks,
                         .capacity = 486};
    TsdfGrid large = small;
    large.dims = {2048, 2048, 1024};
    large.corner = small.corner - 8.0f * kSide * glm::vec3(shift);
    Running running = play(
        [&](int frame) {
            Graph g = graph();
            const MappingRoom room = g.add(
                MappingRoom{.width = 96, .height = 72, .frame = 20.0f * static_cast<float>(frame)});
            for (const bool far : {false, true}) {
                const std::string name = far ? "far " : "near ";
                const auto tsdf = g.add(MappingTsdf{.frame = room.result,
                                                    .pose_given = room.pose,
                                                    .grid = far ? large : small},
                                        far ? "far" : "near");
                g.output(name + "bricks", copied(g, name + "list", tsdf.volume.bricks.list));
                g.output(name + "cells", copied(g, name + "cells_out", tsdf.volume.voxels));
                g.output(
                    name + "seen",
                    g.add(MappingView{
                              .volume = tsdf.volume, .pose = room.pose, .width = 96, .height = 72})
                        .maps.geometry[0]);
            }
            return g;
        },
        0, 3);
    ASSERT_TRUE(running);
    const auto slots_by_place = [&](const std::string& name, glm::uvec3 grid, glm::uvec3 from) {
        std::map<std::array<std::uint32_t, 3>, std::uint32_t> slots;
        const auto words = running.buffer<std::uint32_t>(name);
        for (std::size_t i = 0; i < words.at(0); ++i) {
            const std::uint32_t number = words[4 + 2 * i];
            const glm::uvec3 at =
                glm::uvec3(number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y) -
                from;
            if (glm::any(glm::greaterThanEqual(at, room_bricks))) continue; // also before it
            slots[{at.x, at.y, at.z}] = words[5 + 2 * i] & ~kFreshBrick;
        }
        return slots;
    };
    const auto near = slots_by_place("near bricks", room_bricks, glm::uvec3(0));
    const auto far = slots_by_place("far bricks", {256, 256, 128}, shift);
    const auto near_cells = running.buffer<glm::uvec2>("near cells");
    const auto far_cells = running.buffer<glm::uvec2>("far cells");
    std::size_t common = 0;
    std::size_t known = 0;
    for (const auto& [at, slot] : near) {
        const auto other = far.find(at);
        if (other == far.end()) continue;
        ++common;
        for (std::uint32_t i = 0; i < kCells; ++i) {
            const glm::uvec2 voxel = near_cells[slot * kCells + i];
            ASSERT_EQ(voxel, far_cells[other->second * kCells + i]) << common << ", " << i;
            known += voxel.x != 0u ? 1u : 0u;
        }
    }
    EXPECT_GT(known, 10000u);
    // Points on the sides of bricks are rounded to one or the other.
    EXPECT_GE(common + 2, near.size());
    EXPECT_GE(common + 2, far.size());
    const HostImage a = running.image("near seen");
    const HostImage b = running.image("far seen");
    int seen = 0;
    int alike = 0;
    for (std::uint32_t y = 0; y < 72; ++y)
        for (std::uint32_t x = 0; x < 96; ++x) {
            if (a.texel(x, y)[3] <= 0.0f) continue;
            ++seen;
            alike += std::abs(a.texel(x, y)[3] - b.texel(x, y)[3]) < 0.1f * kSide ? 1 : 0;
        }
    EXPECT_GT(seen, 0.9 * 96 * 72);
    EXPECT_GT(alike, 0.99 * seen);
}

TEST_F(BrickMapTest, BricksThatFitNoBufferAreRefused) {
    Graph g = graph();
    const auto seen = frame_of(g, {8, 8, 1}, std::vector<float>(64, 1.0f));
    const auto tsdf = g.add(MappingTsdf{
        .frame = seen,
        .grid = {.dims = glm::uvec3(2048), .storage = TsdfStorage::bricks, .capacity = 1u << 24}});
    g.output("pose", tsdf.pose);
    const auto plan = compile(std::move(g).finish(), device().caps(), {});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "sparse/too-large");
}

} // namespace
} // namespace tuff
