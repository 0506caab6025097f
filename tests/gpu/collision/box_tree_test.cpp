#include "passes/collision/box.hpp"
#include "passes/collision/box_tree.hpp"
#include "tests/gpu/collision/lattice_reference.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <bit>

/// collision/box_tree against the leaves below each node: nodes of all sizes, of which those with
/// thousands of triangles are shared by several groups.
namespace tuff {
namespace {

using passes::BoxAxes;
using passes::BuildBoxTree;
using passes::OrientedBox;
using testing_gpu::bytes_of;
using testing_gpu::HostMesh;
using testing_gpu::Running;

constexpr std::uint32_t kLeafBit = 0x80000000u;

class BoxTreeTest : public testing_gpu::GpuTest {};

double surface_of(glm::dvec3 half_size) {
    return half_size.x * half_size.y + half_size.y * half_size.z + half_size.z * half_size.x;
}

struct LeafRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

/// The leaves below each node, by going down the tree.
std::vector<LeafRange> ranges_of(const std::vector<glm::vec4>& nodes, std::uint32_t root,
                                 std::size_t count) {
    std::vector<LeafRange> ranges(count);
    std::vector<std::uint32_t> order{root};
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const std::size_t child : {0u, 2u}) {
            const auto below = std::bit_cast<std::uint32_t>(nodes[4 * order[i] + child].w);
            if ((below & kLeafBit) == 0) order.push_back(below);
        }
    std::ranges::reverse(order);
    for (const std::uint32_t node : order) {
        std::uint32_t low = ~0u;
        std::uint32_t high = 0;
        for (const std::size_t child : {0u, 2u}) {
            const auto below = std::bit_cast<std::uint32_t>(nodes[4 * std::size_t{node} + child].w);
            const LeafRange of =
                (below & kLeafBit) != 0 ? LeafRange{below & ~kLeafBit, 1} : ranges[below];
            low = std::min(low, of.first);
            high = std::max(high, of.first + of.count);
        }
        ranges[node] = {low, high - low};
    }
    return ranges;
}

TEST_F(BoxTreeTest, BoxesOfAllNodesAreTightAndFollowTheSurface) {
    // A flat ring, turned: boxes along its own axes are much smaller than along the coordinates.
    HostMesh ring = testing_gpu::torus(130, 70, 0.7f, 0.2f);
    const glm::quat turn = glm::normalize(glm::quat(0.8f, 0.4f, 0.3f, -0.2f));
    for (glm::vec3& p : ring.positions)
        p = turn * (p * glm::vec3(1.0f, 0.15f, 0.6f)) + glm::vec3(3.0f, -2.0f, 5.0f);
    const auto triangles = static_cast<std::uint32_t>(ring.triangles.size());
    for (const BoxAxes axes : {BoxAxes::principal, BoxAxes::aligned}) {
        Graph g = graph();
        passes::TriangleMesh mesh{.vertex_count = static_cast<std::uint32_t>(ring.positions.size()),
                                  .triangle_count = triangles};
        mesh.positions =
            g.constant_buffer("positions", {.size = 12 * ring.positions.size(), .stride = 4},
                              bytes_of(ring.positions));
        mesh.indices =
            g.constant_buffer("indices", {.size = 12 * std::uint64_t{triangles}, .stride = 4},
                              bytes_of(ring.triangles));
        const passes::BoxTree tree = g.add(BuildBoxTree{.mesh = mesh, .axes = axes}).tree;
        g.output("nodes", tree.bvh.nodes);
        g.output("leaves", tree.bvh.leaves);
        g.output("status", tree.bvh.status);
        g.output("boxes", tree.boxes);
        Running running = run(std::move(g));
        const auto nodes = running.buffer<glm::vec4>("nodes");
        const auto leaves = running.buffer<glm::vec4>("leaves");
        const auto boxes = running.buffer<OrientedBox>("boxes");
        const std::uint32_t root = running.buffer<std::uint32_t>("status")[0];
        ASSERT_EQ(running.buffer<std::uint32_t>("status")[1], triangles);
        const auto ranges = ranges_of(nodes, root, triangles - 1);
        ASSERT_EQ(ranges[root].count, triangles);
        std::uint32_t shared = 0, turned = 0;
        for (std::uint32_t node = 0; node + 1 < triangles; ++node) {
            const LeafRange range = ranges[node];
            const auto vec = [](const std::array<float, 4>& v) {
                return glm::dvec3(v[0], v[1], v[2]);
            };
            const OrientedBox& box = boxes[node];
            const glm::dmat3 frame(vec(box.x), vec(box.y), glm::cross(vec(box.x), vec(box.y)));
            glm::dvec3 low(1e300), high(-1e300), straight_low(1e300), straight_high(-1e300);
            for (std::size_t i = 0; i < 3 * std::size_t{range.count}; ++i) {
                const glm::dvec3 p(leaves[3 * std::size_t{range.first} + i]);
                const glm::dvec3 local = (p - vec(box.middle)) * frame;
                low = glm::min(low, local);
                high = glm::max(high, local);
                straight_low = glm::min(straight_low, p);
                straight_high = glm::max(straight_high, p);
            }
            const glm::dvec3 size = vec(box.half_size);
            for (int i = 0; i < 3; ++i) {
                ASSERT_LE(high[i], size[i] + 2e-6) << "node " << node;
                ASSERT_GE(low[i], -size[i] - 2e-6) << "node " << node;
                ASSERT_NEAR(high[i] - low[i], 2.0 * size[i], 4e-5) << "node " << node;
            }
            const double straight = surface_of(0.5 * (straight_high - straight_low));
            ASSERT_LE(surface_of(size), 1.0001 * straight + 1e-4) << "node " << node;
            turned += surface_of(size) < 0.8 * straight;
            shared += range.count > 4096;
        }
        EXPECT_GE(shared, 5u);
        if (axes == BoxAxes::principal) {
            // Half sides of 0.9, 0.03 and 0.54.
            EXPECT_NEAR(surface_of(glm::dvec3(boxes[root].half_size[0], boxes[root].half_size[1],
                                              boxes[root].half_size[2])),
                        0.9 * 0.03 + 0.03 * 0.54 + 0.54 * 0.9, 0.01);
            EXPECT_GT(turned, triangles / 4);
        } else {
            EXPECT_EQ(turned, 0u);
        }
    }
}

} // namespace
} // namespace tuff
