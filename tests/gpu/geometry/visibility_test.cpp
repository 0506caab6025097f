#include "tests/gpu/geometry/raster_test.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>

/// The nearest triangle of each pixel against a rasterizer on the CPU.
namespace tuff {
namespace {

using passes::ComputeRaster;
using passes::RasterAtomics;
using passes::RasterStatus;
using testing_gpu::RasterCase;
using testing_gpu::RasterFragment;
using testing_gpu::RasterMesh;
using testing_gpu::RasterReference;
using testing_gpu::Running;

class VisibilityTest : public testing_gpu::RasterTest {
  protected:
    std::vector<RasterAtomics> ways() {
        std::vector<RasterAtomics> all{RasterAtomics::words};
        if (device().caps().int64_buffer_atomics) all.push_back(RasterAtomics::wide);
        return all;
    }
    static std::string name_of(const RasterCase& one, RasterAtomics atomics) {
        return one.name + (atomics == RasterAtomics::wide ? " wide" : " words");
    }
    /// All cases in all ways, in one graph: pipelines are made once.
    Graph drawn(const std::vector<RasterCase>& cases, std::uint32_t parts) {
        Graph g = graph();
        for (const RasterCase& one : cases)
            for (const RasterAtomics atomics : ways()) {
                const ComputeRaster pass =
                    g.add(pass_of(g, one, ComputeRaster{.atomics = atomics, .parts = parts}),
                          name_of(one, atomics));
                output(g, name_of(one, atomics), pass.visibility);
                g.output(name_of(one, atomics) + ".depth", pass.depth);
                g.output(name_of(one, atomics) + ".triangles", pass.triangles);
            }
        return g;
    }
    void expect_reference(const std::vector<RasterCase>& cases, std::uint32_t parts,
                          std::uint32_t least_unshared) {
        Running running = run(drawn(cases, parts), 2);
        if (!running) return;
        std::uint32_t unshared = 0;
        for (const RasterCase& one : cases) {
            const RasterReference reference = rasterize(one.mesh, one.setup);
            EXPECT_LT(reference.worst_depth, 8.0);
            for (const RasterAtomics atomics : ways()) {
                const std::string name = name_of(one, atomics);
                SCOPED_TRACE(name);
                const auto got = keys(running, name);
                EXPECT_EQ(difference(got, nearest(reference), reference.width), "");
                expect_status(status(running, name), reference);
                expect_images(running, name, got);
                unshared += status(running, name).unshared;
            }
        }
        EXPECT_GE(unshared, least_unshared);
        if (least_unshared == 0) {
            EXPECT_EQ(unshared, 0u);
        }
    }
    static void expect_images(Running& running, const std::string& name,
                              const std::vector<RasterFragment>& keys) {
        const HostImage depth = running.image(name + ".depth");
        const HostImage triangles = running.image(name + ".triangles");
        ASSERT_EQ(depth.texels.size(), 4 * keys.size());
        ASSERT_EQ(triangles.texels.size(), 4 * keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            float z = 0.0f;
            std::uint32_t triangle = 0;
            std::memcpy(&z, depth.texels.data() + 4 * i, 4);
            std::memcpy(&triangle, triangles.texels.data() + 4 * i, 4);
            ASSERT_EQ(triangle, keys[i].triangle);
            ASSERT_EQ(z, triangle == ~0u ? 1.0f : std::bit_cast<float>(keys[i].depth));
        }
    }
};

TEST_F(VisibilityTest, IsThatOfTheReferenceToTheBit) {
    const std::vector<RasterCase> cases = testing_gpu::raster_cases();
    const auto reference_of = [&](std::string_view name) {
        const RasterCase& one = case_named(cases, name);
        return rasterize(one.mesh, one.setup);
    };
    expect_reference(cases, passes::kDefaultRasterParts, 0);
    // The cases are what they are meant to be.
    EXPECT_EQ(reference_of("nothing").fragments(), 0u);
    EXPECT_GT(reference_of("broken").degenerate, 100u);
    EXPECT_EQ(reference_of("broken").not_finite, 3u);
    EXPECT_EQ(reference_of("broken").bad_index, 2u);
    EXPECT_GT(reference_of("huge").clipped, 8u);
    EXPECT_GT(reference_of("deep").clipped, 30u);
    for (const char* name : {"one pixel", "a row", "tiny", "medium", "ties", "no fronts"})
        EXPECT_GT(reference_of(name).fragments(), 0u) << name;
}

TEST_F(VisibilityTest, IsTheSameWhereLargeTrianglesFindNoRoom) {
    TUFF_ONLY_ON(lavapipe);
    const std::vector<RasterCase> all = testing_gpu::raster_cases();
    const std::vector<RasterCase> cases{case_named(all, "large"), case_named(all, "huge"),
                                        case_named(all, "deep")};
    expect_reference(cases, 5, 10);
    expect_reference({cases[0]}, 0, 10);
}

TEST_F(VisibilityTest, OrderOfTrianglesChangesNumbersAlone) {
    const RasterCase one = case_named(testing_gpu::raster_cases(), "medium");
    std::vector<std::uint32_t> order(one.mesh.triangles());
    std::iota(order.begin(), order.end(), 0u);
    Graph g = graph();
    std::vector<std::vector<std::uint32_t>> orders;
    for (std::uint32_t shuffle = 0; shuffle < 4; ++shuffle) {
        RasterCase shuffled = one;
        for (std::uint32_t i = 0; i < order.size(); ++i)
            for (std::uint32_t corner = 0; corner < 3; ++corner)
                shuffled.mesh.indices[3 * i + corner] = one.mesh.indices[3 * order[i] + corner];
        const std::string name = fmt::format("shuffle {}", shuffle);
        output(g, name, g.add(pass_of(g, shuffled, ComputeRaster{}), name).visibility);
        orders.push_back(order);
        std::ranges::shuffle(order, std::mt19937(shuffle));
    }
    Running running = run(std::move(g));
    if (!running) return;
    const auto first = keys(running, "shuffle 0");
    for (std::uint32_t shuffle = 1; shuffle < 4; ++shuffle) {
        auto got = keys(running, fmt::format("shuffle {}", shuffle));
        ASSERT_EQ(got.size(), first.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            ASSERT_EQ(got[i].depth, first[i].depth);
            // Of triangles at the same depth the first in its own order is seen.
            if (got[i].triangle == ~0u) continue;
            const std::uint32_t seen = orders[shuffle][got[i].triangle];
            if (seen == first[i].triangle) continue;
            EXPECT_GT(seen, first[i].triangle);
        }
    }
}

} // namespace
} // namespace tuff
