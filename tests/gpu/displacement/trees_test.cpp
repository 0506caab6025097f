#include "passes/bvh/lbvh_build.hpp"
#include "passes/displacement/map.hpp"
#include "passes/displacement/patches.hpp"
#include "tests/gpu/displacement/displacement_fixture.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

/// Trees of patches: their boxes, and trees that are kept.
namespace tuff {
namespace {

class TreesTest : public DisplacementTest {};

// Check: of a million boxes none loses anything to quantisation, and none grows by more than two
// steps a side; also flat ones and ones far from the origin.
TEST_F(TreesTest, QuantisedBoxesHoldWhatTheyAreOf) {
    constexpr std::uint32_t kBoxes = 1'000'000;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> number(-1.0f, 1.0f);
    std::uniform_int_distribution<int> power(-12, 6);
    std::vector<glm::vec4> boxes;
    boxes.reserve(4 * kBoxes);
    for (std::uint32_t i = 0; i < kBoxes; ++i) {
        const float far = i % 3 == 0 ? 1000.0f : 1.0f;
        glm::vec3 low;
        glm::vec3 high;
        glm::vec3 inner_low;
        glm::vec3 inner_high;
        for (int axis = 0; axis < 3; ++axis) {
            const float size = std::ldexp(1.0f, power(random));
            const bool flat = (i + static_cast<std::uint32_t>(axis)) % 7 == 0;
            low[axis] = far * number(random);
            high[axis] = flat ? low[axis] : low[axis] + size * (1.0f + number(random));
            // Sides of the outer box, too.
            const auto within = [&] {
                const float at = 0.6f + 0.6f * number(random);
                return std::clamp(low[axis] + at * (high[axis] - low[axis]), low[axis], high[axis]);
            };
            const float a = within();
            const float b = within();
            inner_low[axis] = std::min(a, b);
            inner_high[axis] = std::max(a, b);
        }
        boxes.insert(boxes.end(), {glm::vec4(low, 0), glm::vec4(high, 0), glm::vec4(inner_low, 0),
                                   glm::vec4(inner_high, 0)});
    }
    for (const bool bytes : {false, true}) {
        Graph g = graph();
        ComputeNodeBuilder node = g.compute("test/quantised_boxes");
        node.read("boxes", add_records(g, "boxes", boxes));
        node.specialize("bytes", std::uint32_t(bytes));
        node.set("count", kBoxes);
        const Buffer result =
            node.write("result", g.buffer("result", {.size = 32ull * kBoxes, .stride = 16}));
        node.dispatch_each(kBoxes);
        g.output("result", result);
        const auto got = run(std::move(g)).buffer<glm::vec4>("result");
        ASSERT_EQ(got.size(), 2 * kBoxes);
        for (std::uint32_t i = 0; i < kBoxes; ++i)
            for (int axis = 0; axis < 3; ++axis) {
                const float size = boxes[4 * i + 1][axis] - boxes[4 * i][axis];
                const float low = boxes[4 * i + 2][axis];
                const float high = boxes[4 * i + 3][axis];
                ASSERT_LE(got[2 * i][axis], low) << "box " << i << ", axis " << axis;
                ASSERT_GE(got[2 * i + 1][axis], high) << "box " << i << ", axis " << axis;
                // And what places far from the origin round by.
                const float slack = 2.0f * size / (bytes ? 254.0f : 65534.0f) +
                                    4e-7f * std::max(std::abs(low), std::abs(high));
                ASSERT_GE(got[2 * i][axis], low - slack) << "box " << i << ", axis " << axis;
                ASSERT_LE(got[2 * i + 1][axis], high + slack) << "box " << i << ", axis " << axis;
            }
    }
}

// Check: bounds of all parts of maps are those of the texels between whose middles they lie,
// rounded outwards to the upper halves of floats. Part (x, y) of 2^a by 2^b lies between x and x +
// 1 of 2^a parts of the way from the first texel to the last.
TEST_F(TreesTest, BoundsOfPartsAreThoseOfTheirTexels) {
    for (const auto& [width, height] :
         {std::pair(17u, 9u), {1u, 1u}, {2u, 5u}, {1u, 40u}, {23u, 19u}, {128u, 6u}}) {
        const HostMap map = random_map(width, height, width, 0.5f);
        Graph g = graph();
        g.output("bounds", add_surface(g, {.patches = random_patches(2, 1), .map = map}).bounds);
        const auto bounds = run(std::move(g)).buffer<glm::uvec4>("bounds");
        const auto bits_of = [](std::uint32_t texels) {
            std::uint32_t bits = 0;
            while ((1u << bits) + 1 < texels)
                ++bits;
            return bits;
        };
        const std::uint32_t a = bits_of(width);
        const std::uint32_t b = bits_of(height);
        const auto texels_of = [](std::uint32_t at, std::uint32_t parts, std::uint32_t last,
                                  std::uint32_t size) {
            const std::uint32_t ends = size / parts;
            return std::pair(at * ends * last / size, ((at + 1) * ends * last + size - 1) / size);
        };
        std::size_t number = 0;
        for (std::uint32_t depth = 0; depth <= std::max(a, b); ++depth) {
            const std::uint32_t columns = 1u << std::min(depth, a);
            const std::uint32_t rows = 1u << std::min(depth, b);
            for (std::uint32_t part = 0; part < columns * rows; ++part, ++number) {
                const auto [left, right] =
                    texels_of(part % columns, columns, map.width - 1, 1u << a);
                const auto [top, bottom] = texels_of(part / columns, rows, map.height - 1, 1u << b);
                glm::vec4 least(1e30f);
                glm::vec4 most(-1e30f);
                for (std::uint32_t y = top; y <= bottom; ++y)
                    for (std::uint32_t x = left; x <= right; ++x) {
                        least = glm::min(least, map.texels[y * map.width + x]);
                        most = glm::max(most, map.texels[y * map.width + x]);
                    }
                ASSERT_LT(number, bounds.size());
                for (int axis = 0; axis < 3; ++axis) {
                    const std::uint32_t word = bounds[number][axis];
                    const auto low = std::bit_cast<float>(word << 16);
                    const auto high = std::bit_cast<float>(word & 0xffff0000u);
                    ASSERT_LE(low, least[axis]) << "part " << number;
                    ASSERT_GE(high, most[axis]) << "part " << number;
                    // 8 bits of a number.
                    ASSERT_LE(least[axis] - low, std::abs(least[axis]) / 128.0f);
                    ASSERT_LE(high - most[axis], std::abs(most[axis]) / 128.0f);
                }
            }
        }
        EXPECT_EQ(number, bounds.size());
    }
}

// Where a map folds a quad flat its points have no normal: that of the corners, and where these
// cancel that of the quad.
TEST_F(TreesTest, FoldsHaveTheNormalsOfTheirQuad) {
    std::vector<PatchRecord> quads = random_patches(2, 6);
    for (PatchRecord& p : quads) {
        p.u_a = p.u_d = p.v_a = p.v_b = 0.0f;
        p.u_b = p.u_c = p.v_c = p.v_d = 1.0f;
        // A parallelogram of exact halves, so that both sides of the fold are the same.
        p.a = {0.0f, 0.0f, 0.0f};
        p.b = {1.0f, 0.0f, 0.0f};
        p.c = {1.0f, 1.0f, 0.5f};
        p.d = {0.0f, 1.0f, 0.5f};
    }
    quads[0].normal_a = quads[0].normal_b = quads[0].normal_c = quads[0].normal_d = {0, 3, 4};
    quads[1].normal_a = quads[1].normal_b = {0, 1, 0};
    quads[1].normal_c = quads[1].normal_d = {0, -1, 0};
    // The left half lies on the right one.
    const HostMap map{3, 1, {{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
    Graph g = graph();
    const passes::DisplacedSurface surface = add_surface(g, {.patches = quads, .map = map});
    ComputeNodeBuilder node = g.compute("test/displaced_normals");
    surface.bind(node);
    node.set("count", 2u);
    const Buffer result = node.write("result", g.buffer("result", {.size = 64, .stride = 16}));
    node.dispatch_each(2);
    g.output("result", result);
    const auto got = run(std::move(g)).buffer<glm::vec4>("result");
    ASSERT_EQ(got.size(), 4u);
    const glm::vec3 of_quad = glm::normalize(glm::vec3(0.0f, -0.5f, 1.0f));
    for (std::size_t i = 0; i < got.size(); ++i) {
        const glm::vec3 expected = i < 2 ? glm::vec3(0.0f, 0.6f, 0.8f) : of_quad;
        EXPECT_LT(glm::distance(glm::vec3(got[i]), expected), 1e-6f) << i;
    }
}

// Kept or built: the same hits, by both methods and with both sizes of nodes.
TEST_F(TreesTest, KeptTreesLeadToTheSameHits) {
    Scene scene{.patches = random_patches(23, 5), .map = random_map(23, 19, 5, 0.2f), .level = 4};
    scene.patches[2].c.x = std::numeric_limits<float>::quiet_NaN();
    const auto rays = random_rays(1500, 5);
    const auto expected = brute_force(scene, rays);
    for (const NodeBits bits : {NodeBits::bits16, NodeBits::bits8}) {
        scene.trees = 16;
        scene.bits = bits;
        const auto hits = cast_by(scene, rays,
                                  {{.method = PatchMethod::descent},
                                   deferred(),
                                   deferred(TreeStore::automatic, NearestKept::words)});
        expect_equal(hits[0], expected, "descent");
        expect_equal(hits[1], expected, "deferred");
        expect_equal(hits[2], expected, "words");
    }
}

// Trees are kept where they fit, and take what they must.
TEST_F(TreesTest, TreesAreKeptWhereTheyFit) {
    Scene scene{.patches = random_patches(70, 5), .map = random_map(4, 4, 5, 0.2f), .level = 5};
    Graph g = graph();
    scene.trees = 1; // 70 trees of 1,365 nodes of 12 bytes are 1.09 MiB
    EXPECT_FALSE(add_surface(g, scene).trees);
    scene.trees = 2;
    const passes::DisplacedSurface kept = add_surface(g, scene);
    ASSERT_TRUE(kept.trees);
    EXPECT_EQ(g.desc(kept.trees).size, 70u * 1365u * 12u);
    scene.trees = 1;
    scene.bits = NodeBits::bits8;
    EXPECT_TRUE(add_surface(g, scene).trees);
}

/// t of the entry into a box, negative where it is missed.
double box_hit(const RayRecord& ray, glm::dvec3 low, glm::dvec3 high, double slack) {
    double enters = 0.0;
    double leaves = static_cast<double>(ray.t_max);
    for (int axis = 0; axis < 3; ++axis) {
        const double from = static_cast<double>(ray.origin[axis]);
        const double along = static_cast<double>(ray.direction[axis]);
        if (along == 0.0) {
            if (from < low[axis] - slack || from > high[axis] + slack) return -1.0;
            continue;
        }
        const double a = (low[axis] - slack - from) / along;
        const double b = (high[axis] + slack - from) / along;
        enters = std::max(enters, std::min(a, b));
        leaves = std::min(leaves, std::max(a, b));
    }
    return enters <= leaves ? enters : -1.0;
}

// Check: cells as boxes, against the nearest of all the same boxes in double precision.
TEST_F(TreesTest, BoxesOfCellsAreHitWhereBruteForceHitsThem) {
    const Scene scene{
        .patches = random_patches(11, 9), .map = random_map(23, 19, 9, 0.2f), .level = 3};
    const auto rays = random_rays(4000, 9);
    Graph g = graph();
    g.output("positions",
             g.add(passes::TessellateDisplaced{.surface = add_surface(g, scene)}).mesh.positions);
    const auto positions = run(std::move(g)).buffer<float>("positions");
    const auto place = [&](std::uint32_t patch, std::uint32_t x, std::uint32_t y) {
        const std::size_t at = 3 * (patch * 81u + y * 9u + x);
        return glm::dvec3(positions[at], positions[at + 1], positions[at + 2]);
    };
    CastDisplaced how{.method = PatchMethod::descent, .leaf = PatchLeaf::boxes};
    const auto by_descent = cast(scene, rays, how);
    how = deferred();
    how.leaf = PatchLeaf::boxes;
    expect_equal(cast(scene, rays, how), by_descent, "deferred");
    std::size_t hits = 0;
    std::size_t unclear = 0;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
        if (!(rays[i].t_max >= 0.0f) || rays[i].direction == glm::vec3(0.0f) ||
            !std::isfinite(rays[i].origin.x))
            continue;
        double least = 1e30;
        double most = 1e30; // where each box is a little smaller
        std::array<double, 11> of_patches;
        of_patches.fill(1e30);
        for (std::uint32_t patch = 0; patch < 11; ++patch)
            for (std::uint32_t k = 0; k < 64; ++k) {
                const glm::dvec3 c[4] = {place(patch, k % 8, k / 8), place(patch, k % 8 + 1, k / 8),
                                         place(patch, k % 8, k / 8 + 1),
                                         place(patch, k % 8 + 1, k / 8 + 1)};
                const glm::dvec3 low = glm::min(glm::min(c[0], c[1]), glm::min(c[2], c[3]));
                const glm::dvec3 high = glm::max(glm::max(c[0], c[1]), glm::max(c[2], c[3]));
                const double t = box_hit(rays[i], low, high, 1e-6);
                if (t >= 0.0) of_patches[patch] = std::min(of_patches[patch], t);
                const double inner = box_hit(rays[i], low, high, -1e-6);
                if (inner >= 0.0) most = std::min(most, inner);
            }
        least = std::ranges::min(of_patches);
        ++compared;
        if ((least == 1e30) != (most == 1e30) || most - least > 1e-4) {
            ++unclear; // a graze
            continue;
        }
        ASSERT_EQ(by_descent[i].triangle == ~0u, least == 1e30) << i;
        if (least == 1e30) continue;
        ++hits;
        // The slack of 1e-6, along a ray that meets a side at a small angle.
        const double near = std::max(1e-5 * std::max(least, 1.0), most - least);
        EXPECT_NEAR(by_descent[i].t, least, near) << i;
        // The same patch, or one that is hit at the same t.
        ASSERT_LT(by_descent[i].triangle, of_patches.size());
        EXPECT_NEAR(of_patches[by_descent[i].triangle], least, near) << i;
    }
    EXPECT_GT(hits, 1000u);
    EXPECT_LE(unclear, compared / 1000);
}

std::uint64_t bytes_of_hierarchy(Graph& g, const passes::Bvh& bvh) {
    return g.desc(bvh.nodes).size + g.desc(bvh.leaves).size + g.desc(bvh.status).size;
}

// Check: at equal detail, here two triangles a texel, a thousand times less memory than a mesh and
// its hierarchy take: all that casts read, counted from both graphs. Neither is run.
TEST_F(TreesTest, PatchesTakeAThousandthOfTheirMesh) {
    Graph g = graph();
    const Buffer patches = g.add(passes::MakePatches{.columns = 32, .rows = 32}).patches;
    const Image map = g.add(passes::MakeDisplacement{.width = 129, .height = 129}).result;
    const passes::DisplacedSurface surface =
        g.add(passes::DisplaceSurface{.patches = patches, .map = map, .level = 7}).surface;
    const passes::TriangleMesh mesh = g.add(passes::TessellateDisplaced{.surface = surface}).mesh;
    const passes::Bvh bvh = g.add(passes::LbvhBuild{.mesh = mesh}).bvh;
    ASSERT_EQ(mesh.triangle_count, 1024u * 2u * 128u * 128u);

    const std::uint64_t of_patches = g.desc(surface.patches).size + g.desc(surface.boxes).size +
                                     bytes_of_hierarchy(g, surface.bvh) +
                                     g.desc(surface.texels).size + g.desc(surface.bounds).size;
    const std::uint64_t of_mesh =
        g.desc(mesh.positions).size + g.desc(mesh.indices).size + bytes_of_hierarchy(g, bvh);
    RecordProperty("ratio", std::to_string(of_mesh / of_patches));
    EXPECT_GE(of_mesh, 1000 * of_patches) << of_mesh << " and " << of_patches << " bytes";
    // What else there is for deferred casts does not grow with detail, and that of descents is
    // none.
    EXPECT_LT(of_patches, 3u << 20);
}

} // namespace
} // namespace tuff
