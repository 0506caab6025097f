#include "passes/voxel/merge.hpp"
#include "tests/gpu/voxel/voxel_test.hpp"

#include <string>

/// Grids of parts of a scene, joined, against grids of the whole scene.
namespace tuff {
namespace {

using passes::VoxelMerge;
using passes::VoxelSolid;
using passes::VoxelSurface;
using testing_gpu::box_soup;
using testing_gpu::HostVoxels;
using testing_gpu::random_soup;
using testing_gpu::Running;
using testing_gpu::torus_knot_soup;
using testing_gpu::TriangleSoup;

constexpr glm::uvec3 kMergedDims{33, 20, 70};

class VoxelMergeTest : public testing_gpu::VoxelTest {};

TEST_F(VoxelMergeTest, OfSurfacesIsTheSurfaceOfAllTriangles) {
    const TriangleSoup parts[] = {
        torus_knot_soup(40, 5, glm::vec3(16.0f, 10.0f, 30.0f), 8.0f),
        random_soup(90, glm::vec3(-2.0f), glm::vec3(kMergedDims), 8.0f, 1e-3f, 41),
        random_soup(60, glm::vec3(5.0f), glm::vec3(30.0f, 18.0f, 69.0f), 20.0f, 0.5f, 42)};
    TriangleSoup whole;
    for (const TriangleSoup& part : parts)
        whole.append(part);
    Graph g = graph();
    VoxelMerge merge;
    for (int i = 0; i < 3; ++i) {
        const std::string name = "part" + std::to_string(i);
        VoxelSurface pass{.mesh = mesh(g, parts[i], name), .parameters = unit_voxels(kMergedDims)};
        if (i > 0) pass.frame_of = merge.grids[0];
        merge.grids.push_back(g.add(pass, name).grid);
    }
    const VoxelSurface all{.mesh = mesh(g, whole, "whole"), .frame_of = merge.grids[0]};
    output(g, "all", g.add(all, "all").grid);
    output(g, "merged", g.add(merge).grid);
    output(g, "first", merge.grids[0]);
    VoxelMerge alone;
    alone.grids = {merge.grids[0]};
    output(g, "alone", g.add(alone, "alone").grid);
    Running running = run(std::move(g), 2);
    ASSERT_TRUE(running);
    const HostVoxels wanted = read(running, "all", kMergedDims);
    const HostVoxels got = read(running, "merged", kMergedDims);
    const HostVoxels first = read(running, "first", kMergedDims);
    const HostVoxels one = read(running, "alone", kMergedDims);
    EXPECT_GT(first.voxels.count(), 100u);
    EXPECT_GT(wanted.voxels.count(), first.voxels.count());
    EXPECT_EQ(difference(got.voxels, wanted.voxels), "");
    EXPECT_EQ(got.status.voxels, wanted.voxels.count());
    EXPECT_EQ(got.frame, wanted.frame);
    EXPECT_EQ(difference(one.voxels, first.voxels), "");
    EXPECT_EQ(one.status.voxels, first.voxels.count());
}

TEST_F(VoxelMergeTest, OfSolidsIsTheSolidOfAllTrianglesAndJoinsWhatOverlaps) {
    const auto merged = [&](const TriangleSoup& a, const TriangleSoup& b, bool wind) {
        TriangleSoup whole = a;
        whole.append(b);
        Graph g = graph();
        VoxelSolid pass{.mesh = mesh(g, a, "a"), .parameters = unit_voxels(kMergedDims)};
        VoxelMerge merge;
        merge.grids.push_back(g.add(pass, "a").grid);
        pass.frame_of = merge.grids[0];
        pass.mesh = mesh(g, b, "b");
        merge.grids.push_back(g.add(pass, "b").grid);
        pass.mesh = mesh(g, whole, "whole");
        if (wind) pass.method = passes::SolidMethod::winding;
        output(g, "all", g.add(pass, "all").grid);
        output(g, "merged", g.add(merge).grid);
        Running running = run(std::move(g), 1);
        ASSERT_TRUE(running);
        const HostVoxels wanted = read(running, "all", kMergedDims);
        EXPECT_GT(wanted.voxels.count(), 500u);
        EXPECT_EQ(difference(read(running, "merged", kMergedDims).voxels, wanted.voxels), "");
    };
    const TriangleSoup box = box_soup(glm::vec3(2.0f), glm::vec3(12.0f, 15.0f, 20.0f));
    merged(box, box_soup(glm::vec3(14.0f, 3.0f, 5.0f), glm::vec3(30.0f, 9.0f, 66.0f)), false);
    merged(box, box_soup(glm::vec3(5.0f, 3.0f, 5.0f), glm::vec3(30.0f, 9.0f, 66.0f)), true);
}

TEST_F(VoxelMergeTest, OfGridsOfSeveralPlacesIsRefused) {
    const TriangleSoup soup = box_soup(glm::vec3(2.0f), glm::vec3(5.0f));
    const auto code_of = [&](glm::uvec3 dims) {
        Graph g = graph();
        VoxelSurface pass{.mesh = mesh(g, soup), .parameters = unit_voxels(kMergedDims)};
        VoxelMerge merge;
        merge.grids.push_back(g.add(pass, "a").grid);
        pass.parameters = unit_voxels(dims);
        merge.grids.push_back(g.add(pass, "b").grid);
        g.output("words", g.add(merge).grid.words);
        const auto plan = compile(std::move(g).finish(), device().caps());
        EXPECT_FALSE(plan);
        return plan ? std::string() : std::string(plan.error()[0].code);
    };
    EXPECT_EQ(code_of(kMergedDims), "voxel/other-place"); // of the same numbers, who knows
    EXPECT_EQ(code_of(glm::uvec3(8)), "voxel/other-place");
}

} // namespace
} // namespace tuff
