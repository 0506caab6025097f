#include "passes/collision/box.hpp"
#include "passes/collision/box_pairs.hpp"
#include "passes/collision/pairs.hpp"
#include "tests/gpu/collision/stored_soups.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <span>

/// collision/pairs against what CGAL's exact predicates and Embree's hierarchies said of the same
/// soups. The lattice holds their coordinates exactly, so the pairs are the same, those that just
/// touch among them.
namespace tuff {
namespace {

using passes::CollisionPairs;
using passes::CollisionSearch;
using testing_gpu::bytes_of;
using testing_gpu::Running;
using testing_gpu::StoredSoup;

class StoredPairsTest : public testing_gpu::GpuTest {
  protected:
    static passes::BoxTree tree(Graph& g, const std::vector<testing_gpu::SoupTriangle>& soup) {
        std::vector<glm::vec3> positions;
        std::vector<std::uint32_t> indices;
        for (const testing_gpu::SoupTriangle& triangle : soup)
            for (const auto& corner : triangle) {
                indices.push_back(static_cast<std::uint32_t>(positions.size()));
                positions.emplace_back(corner[0], corner[1], corner[2]);
            }
        passes::TriangleMesh mesh{.vertex_count = static_cast<std::uint32_t>(positions.size()),
                                  .triangle_count = static_cast<std::uint32_t>(soup.size())};
        mesh.positions = g.constant_buffer(
            "positions", {.size = 12 * positions.size(), .stride = 4}, bytes_of(positions));
        mesh.indices = g.constant_buffer("indices", {.size = 4 * indices.size(), .stride = 4},
                                         bytes_of(indices));
        return g.add(passes::BuildBoxTree{.mesh = mesh}).tree;
    }
};

TEST_F(StoredPairsTest, SoupsMeetWhereExactPredicatesSay) {
    Graph g = graph();
    for (const StoredSoup& soup : testing_gpu::kStoredSoups) {
        const passes::BoxTree a = tree(g, testing_gpu::soup_of(soup, 0));
        const passes::BoxTree b = tree(g, testing_gpu::soup_of(soup, 1));
        for (const CollisionSearch search : {CollisionSearch::each, CollisionSearch::levels}) {
            const std::string name =
                std::to_string(soup.seed) + (search == CollisionSearch::each ? "e" : "l");
            const CollisionPairs found =
                g.add(CollisionPairs{.a = a, .b = b, .search = search}, name);
            g.output(name + " pairs", found.pairs);
            g.output(name + " count", found.count);
        }
    }
    Running running = run(std::move(g));
    for (const StoredSoup& soup : testing_gpu::kStoredSoups)
        for (const std::string search : {"e", "l"}) {
            const std::string name = std::to_string(soup.seed) + search;
            const auto count = running.buffer<std::uint32_t>(name + " count")[0];
            EXPECT_EQ(count, soup.pairs) << name;
            auto pairs = running.buffer<std::array<std::uint32_t, 2>>(name + " pairs");
            pairs.resize(count);
            EXPECT_EQ(testing_gpu::digest_of(pairs), soup.digest) << name;
        }
}

// Boxes that are not turned, each with each: as many meet as Embree's hierarchies found.
TEST_F(StoredPairsTest, BoxesMeetWhereHierarchiesOfEmbreeSay) {
    Graph g = graph();
    const auto array = [&](const std::string& name, const auto& values, std::uint32_t stride) {
        const auto bytes = bytes_of(values);
        return g.constant_buffer(name, {.size = bytes->size(), .stride = stride}, bytes);
    };
    const std::span soups = std::span(testing_gpu::kStoredSoups).last(2);
    for (const StoredSoup& soup : soups) {
        std::array<std::vector<passes::OrientedBox>, 2> boxes;
        for (const std::uint32_t which : {0u, 1u})
            for (const testing_gpu::SoupTriangle& triangle : testing_gpu::soup_of(soup, which)) {
                if (!testing_gpu::has_area(triangle)) continue;
                const testing_gpu::SoupBox box = testing_gpu::box_of(triangle);
                passes::OrientedBox& turned = boxes[which].emplace_back();
                turned.x = {1.0f, 0.0f, 0.0f, 0.0f};
                turned.y = {0.0f, 1.0f, 0.0f, 0.0f};
                for (std::size_t i = 0; i < 3; ++i) { // halves are exact
                    turned.middle[i] = 0.5f * static_cast<float>(box.low[i] + box.high[i]);
                    turned.half_size[i] = 0.5f * static_cast<float>(box.high[i] - box.low[i]);
                }
            }
        std::vector<glm::uvec2> all;
        for (std::uint32_t i = 0; i < boxes[0].size(); ++i)
            for (std::uint32_t j = 0; j < boxes[1].size(); ++j)
                all.emplace_back(i, j);
        const std::string name = std::to_string(soup.seed);
        const passes::BoxPairs found =
            g.add(passes::BoxPairs{.a = array(name + " a", boxes[0], sizeof(passes::OrientedBox)),
                                   .b = array(name + " b", boxes[1], sizeof(passes::OrientedBox)),
                                   .pairs = array(name + " all", all, sizeof(glm::uvec2))});
        g.output(name, found.count);
    }
    Running running = run(std::move(g));
    for (const StoredSoup& soup : soups)
        EXPECT_EQ(running.buffer<std::uint32_t>(std::to_string(soup.seed))[0], soup.candidates)
            << soup.seed;
}

} // namespace
} // namespace tuff
