#include "passes/bvh/lbvh_build.hpp"
#include "tests/gpu/bvh/bvh_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

/// The hierarchy by Morton codes against one that is made recursively on the CPU.
namespace tuff {
namespace {

using passes::Bvh;
using passes::BvhStatus;
using passes::CodeBits;
using passes::Interleave;
using passes::LbvhBuild;
using passes::MortonCodes;
using testing_gpu::HostBvh;
using testing_gpu::Kind;
using testing_gpu::output_bvh;
using testing_gpu::read_bvh;
using testing_gpu::Running;
using testing_gpu::Soup;

/// Around the sizes of subgroups and groups, and some more.
std::vector<Soup> built_soups() {
    std::vector<Soup> all;
    for (const std::size_t count : {0u, 1u, 2u, 3u, 5u, 64u, 255u, 256u, 257u, 513u, 3000u})
        all.push_back(testing_gpu::random_soup(count));
    for (const std::size_t count : {1u, 2u, 40u, 700u})
        all.push_back(testing_gpu::broken_soup(count));
    for (const std::size_t count : {2u, 3u, 255u, 256u, 600u})
        all.push_back(testing_gpu::duplicate_soup(count));
    all.push_back(testing_gpu::clustered_soup(2000));
    all.push_back(testing_gpu::flat_soup(12));
    all.push_back(testing_gpu::line_soup(300));
    all.push_back(testing_gpu::sphere(3));
    return all;
}

constexpr CodeBits kBits[] = {CodeBits::bits30, CodeBits::bits60};

/// Of what is made of a mesh.
std::string name_of(const Soup& soup, CodeBits bits, std::string_view suffix = "") {
    return fmt::format("{} {}, {} bits{}", soup.name, soup.triangles.size(),
                       bits == CodeBits::bits30 ? 30 : 60, suffix);
}

/// Codes of a mesh, in 64 bits whatever their words.
std::vector<std::uint64_t> codes_of(Running& running, const std::string& name, CodeBits bits,
                                    std::size_t count) {
    std::vector<std::uint64_t> codes;
    if (bits == CodeBits::bits60) {
        codes = running.buffer<std::uint64_t>(name);
    } else {
        for (const std::uint32_t code : running.buffer<std::uint32_t>(name))
            codes.push_back(code);
    }
    codes.resize(count);
    return codes;
}

/// The cell coordinates of a code, x first.
glm::uvec3 cell_of(std::uint64_t code) {
    glm::uvec3 cell(0u);
    for (int bit = 20; bit-- > 0;)
        for (int axis = 0; axis < 3; ++axis)
            cell[axis] =
                cell[axis] << 1 | static_cast<std::uint32_t>(code >> (3 * bit + 2 - axis) & 1u);
    return cell;
}

glm::dvec3 centroid_of(const Soup& soup, std::size_t triangle) {
    const auto [a, b, c] = soup.corners(triangle);
    return 0.5 *
           (glm::dvec3(glm::min(glm::min(a, b), c)) + glm::dvec3(glm::max(glm::max(a, b), c)));
}

class LbvhTest : public testing_gpu::BvhTest {};

TEST_F(LbvhTest, CodesAreTheInterleavedCoordinatesOfMiddles) {
    const std::vector<Soup> meshes = built_soups();
    Graph g = graph();
    for (const Soup& soup : meshes) {
        const passes::TriangleMesh source = mesh(g, soup);
        for (const CodeBits bits : kBits)
            g.output(name_of(soup, bits), g.add(MortonCodes{.mesh = source, .bits = bits}).codes);
    }
    Running running = run(std::move(g));
    for (const Soup& soup : meshes)
        for (const CodeBits bits : kBits) {
            SCOPED_TRACE(name_of(soup, bits));
            const std::size_t count = soup.triangles.size();
            const auto codes = codes_of(running, name_of(soup, bits), bits, count);
            glm::dvec3 low(1e300);
            glm::dvec3 high(-1e300);
            for (std::size_t i = 0; i < count; ++i) {
                if (testing_gpu::kind_of(soup, i) != Kind::proper) continue;
                low = glm::min(low, centroid_of(soup, i));
                high = glm::max(high, centroid_of(soup, i));
            }
            const double cells = bits == CodeBits::bits30 ? 1024.0 : 1048576.0;
            for (std::size_t i = 0; i < count; ++i) {
                if (testing_gpu::kind_of(soup, i) != Kind::proper) {
                    EXPECT_EQ(codes[i] >> (bits == CodeBits::bits30 ? 30 : 60), 1u);
                    continue;
                }
                ASSERT_EQ(codes[i] >> (bits == CodeBits::bits30 ? 30 : 60), 0u);
                const glm::uvec3 cell = cell_of(codes[i]);
                for (int axis = 0; axis < 3; ++axis) {
                    const double extent = high[axis] - low[axis];
                    const double exact =
                        extent > 0.0 ? (centroid_of(soup, i)[axis] - low[axis]) / extent * cells
                                     : 0.0;
                    // Six roundings to 24 bits on the way.
                    const double error = 1e-4 + 6.0 * 0x1p-24 * cells;
                    EXPECT_GE(cell[axis] + 1.0, std::min(exact, cells) - error);
                    EXPECT_LE(cell[axis], exact + error);
                }
            }
        }
}

glm::vec3 float_middle_of(const Soup& soup, std::size_t triangle) {
    const auto [a, b, c] = soup.corners(triangle);
    return 0.5f * glm::min(glm::min(a, b), c) + 0.5f * glm::max(glm::max(a, b), c);
}

// Each bit halves the longest side that a cell has by then. The sides of the box are floats, whose
// halves are exact: so which axis a bit belongs to is no question of rounding.
TEST_F(LbvhTest, CodesByExtentsHalveTheLongestSideOfACell) {
    std::vector<Soup> meshes = built_soups();
    for (Soup thin : {testing_gpu::random_soup(700, 8), testing_gpu::random_soup(300, 9)}) {
        thin.name = thin.triangles.size() == 700 ? "thin" : "needle";
        for (glm::vec3& p : thin.positions)
            p *= thin.name == "thin" ? glm::vec3(1.0f, 0.01f, 30.0f) : glm::vec3(1e-5f, 7.0f, 0.0f);
        meshes.push_back(std::move(thin));
    }
    Graph g = graph();
    for (const Soup& soup : meshes) {
        const passes::TriangleMesh source = mesh(g, soup);
        for (const CodeBits bits : kBits)
            g.output(
                name_of(soup, bits),
                g.add(MortonCodes{.mesh = source, .bits = bits, .interleave = Interleave::extents})
                    .codes);
    }
    Running running = run(std::move(g));
    for (const Soup& soup : meshes)
        for (const CodeBits bits : kBits) {
            SCOPED_TRACE(name_of(soup, bits));
            const int code_bits = bits == CodeBits::bits30 ? 30 : 60;
            const std::size_t count = soup.triangles.size();
            const auto codes = codes_of(running, name_of(soup, bits), bits, count);
            glm::vec3 low(std::numeric_limits<float>::max());
            glm::vec3 high(-std::numeric_limits<float>::max());
            for (std::size_t i = 0; i < count; ++i) {
                if (testing_gpu::kind_of(soup, i) != Kind::proper) continue;
                low = glm::min(low, float_middle_of(soup, i));
                high = glm::max(high, float_middle_of(soup, i));
            }
            const glm::dvec3 extent(high - low);
            std::vector<int> axes; // of the bits, from the highest
            for (glm::dvec3 side = extent; std::ssize(axes) < code_bits;) {
                int longest = 0;
                for (const int axis : {1, 2})
                    if (side[axis] > side[longest]) longest = axis;
                axes.push_back(longest);
                side[longest] /= 2.0;
            }
            for (std::size_t i = 0; i < count; ++i) {
                if (testing_gpu::kind_of(soup, i) != Kind::proper) {
                    EXPECT_EQ(codes[i] >> code_bits, 1u);
                    continue;
                }
                ASSERT_EQ(codes[i] >> code_bits, 0u);
                glm::dvec3 from(0.0); // where the cell begins, as a share of the box
                glm::dvec3 side(1.0);
                for (int bit = 0; bit < code_bits; ++bit) {
                    const int axis = axes[static_cast<std::size_t>(bit)];
                    side[axis] /= 2.0;
                    if ((codes[i] >> (code_bits - 1 - bit) & 1u) != 0) from[axis] += side[axis];
                }
                const glm::dvec3 middle(float_middle_of(soup, i));
                for (int axis = 0; axis < 3; ++axis) {
                    if (!(extent[axis] > 0.0)) {
                        EXPECT_EQ(from[axis], 0.0);
                        continue;
                    }
                    const double exact = (middle[axis] - glm::dvec3(low)[axis]) / extent[axis];
                    // Four roundings to 24 bits; and cells know 24 bits of a coordinate.
                    constexpr double kOff = 5.0 * 0x1p-24;
                    ASSERT_LE(from[axis], exact + kOff) << "triangle " << i << ", axis " << axis;
                    ASSERT_GE(from[axis] + side[axis], std::min(exact, 1.0) - kOff)
                        << "triangle " << i << ", axis " << axis;
                }
            }
        }
}

TEST_F(LbvhTest, HoldsEachTriangleOnceInBoxesOfTheirOwn) {
    TUFF_ONLY_ON(lavapipe);
    const std::vector<Soup> meshes = built_soups();
    Graph g = graph();
    const auto add = [&](const Soup& soup, const passes::TriangleMesh& source, CodeBits bits,
                         Interleave interleave, std::string_view suffix) {
        output_bvh(g, name_of(soup, bits, suffix),
                   g.add(LbvhBuild{.mesh = source, .bits = bits, .interleave = interleave}).bvh);
    };
    for (const Soup& soup : meshes) {
        const passes::TriangleMesh source = mesh(g, soup);
        for (const CodeBits bits : kBits) {
            add(soup, source, bits, Interleave::xyz, "");
            add(soup, source, bits, Interleave::extents, " extents");
        }
    }
    Running running = run(std::move(g), 2);
    for (const Soup& soup : meshes)
        for (const CodeBits bits : kBits)
            for (const char* suffix : {"", " extents"}) {
                const std::string name = name_of(soup, bits, suffix);
                EXPECT_EQ(fault_in(read_bvh(running, name), soup), "") << name;
            }
}

/// The tree of common prefixes of sorted codes, made from the root down.
class RadixTree {
  public:
    RadixTree(std::vector<std::uint64_t> codes) : codes_(std::move(codes)) {}
    /// The node of leaves [first, last], and what it has at its `left` and `right`.
    std::uint32_t compare(const HostBvh& bvh, std::uint32_t first, std::uint32_t last) {
        if (first == last) return first | BvhStatus::kLeafBit;
        const std::uint32_t split = split_of(first, last);
        const std::uint32_t left = compare(bvh, first, split);
        const std::uint32_t right = compare(bvh, split + 1, last);
        EXPECT_EQ(bvh.nodes[std::size_t{split} * 4].w, left);
        EXPECT_EQ(bvh.nodes[std::size_t{split} * 4 + 2].w, right);
        return split;
    }

  private:
    std::uint32_t split_of(std::uint32_t first, std::uint32_t last) const {
        // The first leaf with the highest bit that not all have.
        const auto key = [&](std::uint32_t i) { return std::pair(codes_[i], i); };
        const std::uint64_t differ = codes_[first] ^ codes_[last];
        for (std::uint32_t i = first; i < last; ++i) {
            const bool here =
                differ != 0 ? std::bit_width(codes_[i] ^ codes_[i + 1]) == std::bit_width(differ)
                            : std::bit_width(i ^ (i + 1)) == std::bit_width(first ^ last);
            if (here) return i;
            EXPECT_LT(key(i), key(i + 1));
        }
        ADD_FAILURE() << "no split";
        return first;
    }
    std::vector<std::uint64_t> codes_;
};

TEST_F(LbvhTest, IsTheTreeOfCommonPrefixes) {
    const std::vector<Soup> meshes = built_soups();
    Graph g = graph();
    for (const Soup& soup : meshes) {
        const passes::TriangleMesh source = mesh(g, soup);
        for (const CodeBits bits : kBits) {
            const std::string name = name_of(soup, bits);
            g.output(name + ".codes", g.add(MortonCodes{.mesh = source, .bits = bits}).codes);
            output_bvh(g, name, g.add(LbvhBuild{.mesh = source, .bits = bits}).bvh);
        }
    }
    Running running = run(std::move(g));
    for (const Soup& soup : meshes)
        for (const CodeBits bits : kBits) {
            const std::string name = name_of(soup, bits);
            SCOPED_TRACE(name);
            const std::size_t count = soup.triangles.size();
            const auto codes = codes_of(running, name + ".codes", bits, count);
            const HostBvh bvh = read_bvh(running, name);
            std::vector<std::uint32_t> order(count);
            std::iota(order.begin(), order.end(), 0u);
            std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return codes[i]; });
            order.resize(bvh.status.leaves);
            std::vector<std::uint64_t> sorted;
            for (std::size_t i = 0; i < order.size(); ++i) {
                ASSERT_EQ(bvh.leaves[i * 3].w, order[i]) << "leaf " << i;
                sorted.push_back(codes[order[i]]);
            }
            if (order.empty()) continue;
            RadixTree tree(std::move(sorted));
            const auto last = static_cast<std::uint32_t>(order.size() - 1);
            EXPECT_EQ(tree.compare(bvh, 0, last), bvh.status.root);
        }
}

TEST_F(LbvhTest, IsTheSameInEveryRun) {
    const Soup soup = testing_gpu::clustered_soup(5000);
    Graph g = graph();
    output_bvh(g, "bvh", g.add(LbvhBuild{.mesh = mesh(g, soup)}).bvh);
    Running running = run(std::move(g));
    const HostBvh first = read_bvh(running, "bvh");
    for (int i = 0; i < 3; ++i) {
        running.execute();
        const HostBvh again = read_bvh(running, "bvh");
        const std::size_t nodes = std::size_t{first.status.nodes} * 4;
        EXPECT_TRUE(std::equal(first.nodes.begin(),
                               first.nodes.begin() + static_cast<std::ptrdiff_t>(nodes),
                               again.nodes.begin()));
        EXPECT_EQ(first.leaves, again.leaves);
    }
}

TEST_F(LbvhTest, ReportsTooManyTrianglesAndShortBuffers) {
    const Soup soup = testing_gpu::random_soup(4);
    const auto code_for = [&](auto change) {
        Graph g = graph();
        LbvhBuild pass{.mesh = mesh(g, soup)};
        change(pass.mesh);
        static_cast<void>(g.add(pass));
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    };
    using passes::TriangleMesh;
    EXPECT_EQ(code_for([](TriangleMesh& m) { m.triangle_count = passes::kMaxMeshTriangles + 1; }),
              "bvh/too-many-triangles");
    EXPECT_EQ(code_for([](TriangleMesh& m) { m.triangle_count = 5; }), "primitives/too-short");
    EXPECT_EQ(code_for([](TriangleMesh& m) { m.vertex_count = 13; }), "primitives/too-short");
    EXPECT_EQ(code_for([](TriangleMesh& m) { m.indices = {}; }), "graph/unconnected");
}

} // namespace
} // namespace tuff
