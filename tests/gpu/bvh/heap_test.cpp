#include "passes/bvh/implicit_build.hpp"
#include "tests/gpu/bvh/bvh_test.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <bit>
#include <set>

/// The chapter's hierarchy: a heap.
namespace tuff {
namespace {

using passes::EqualCodes;
using passes::HeapSplit;
using passes::ImplicitBuild;
using passes::Interleave;
using testing_gpu::floats;
using testing_gpu::HostBvh;
using testing_gpu::Kind;
using testing_gpu::output_bvh;
using testing_gpu::read_bvh;
using testing_gpu::Running;
using testing_gpu::Soup;

constexpr std::uint32_t kInvalid = 0x80000001u;
constexpr std::uint32_t kLeaf = 4u;

struct Heap {
    HostBvh bvh;
    std::vector<std::uint32_t> codes; ///< sorted; without those of triangles left out
    std::uint32_t levels = 0;
    ImplicitBuild pass;

    std::uint32_t kind(std::size_t node) const { return bvh.nodes[2 * node].w; }
    std::uint32_t first(std::size_t node) const { return bvh.nodes[2 * node + 1].w; }
    bool is_valid(std::size_t node) const { return kind(node) != kInvalid; }
    bool is_leaf(std::size_t node) const { return (kind(node) & kLeaf) != 0; }
    std::uint32_t count(std::size_t node) const { return kind(node) >> 3; }
    std::uint32_t end(std::size_t node) const { return first(node) + count(node); }
    glm::vec3 low(std::size_t node) const { return floats(bvh.nodes[2 * node]); }
    glm::vec3 high(std::size_t node) const { return floats(bvh.nodes[2 * node + 1]); }
};

/// What is wrong with where the triangles of an interior node part, or "".
std::string fault_in_split(const Heap& heap, std::size_t node) {
    const std::size_t left = 2 * node;
    const std::size_t right = left + 1;
    const std::uint32_t first = heap.first(node);
    const std::uint32_t last = heap.end(node) - 1;
    const std::uint32_t differ = heap.codes[first] ^ heap.codes[last];
    const bool in_turn = heap.pass.split == HeapSplit::in_turn;
    if (!in_turn && (!heap.is_valid(left) || !heap.is_valid(right))) return "a child is empty";
    if (!heap.is_valid(left) && !heap.is_valid(right)) return "both children are empty";
    const std::uint32_t middle = heap.is_valid(right) ? heap.first(right) : heap.end(node);
    if (heap.is_valid(left) && (heap.first(left) != first || heap.end(left) != middle))
        return "the left child has other triangles";
    if (!heap.is_valid(left) && middle != first) return "triangles are lost on the left";
    if (heap.is_valid(right) && heap.end(right) != last + 1)
        return "the right child has other triangles";
    if (differ == 0 && heap.pass.equal_codes == EqualCodes::leaf) return "it should be a leaf";
    std::uint32_t bit = static_cast<std::uint32_t>(std::bit_width(differ)) - 1;
    if (differ != 0 && in_turn) bit = 29 - static_cast<std::uint32_t>(std::bit_width(node)) + 1;
    for (std::uint32_t i = first; differ != 0 && i <= last; ++i)
        if ((heap.codes[i] >> bit & 1u) != (i < middle ? 0u : 1u))
            return fmt::format("leaf {} is on the wrong side of bit {}", i, bit);
    if (differ != 0 && heap.pass.interleave == Interleave::xyz &&
        (heap.kind(node) & 3u) != 2 - bit % 3)
        return "the axis is wrong";
    return "";
}

std::string fault_in_leaf(const Heap& heap, std::size_t node) {
    const bool last_level = std::bit_width(node) == heap.levels;
    const std::uint32_t count = heap.count(node);
    if (!last_level && count > 1) {
        const bool equal = heap.codes[heap.first(node)] == heap.codes[heap.end(node) - 1];
        if (!equal || heap.pass.equal_codes == EqualCodes::split) return "a leaf too early";
    }
    glm::vec3 low(std::numeric_limits<float>::max());
    glm::vec3 high(-std::numeric_limits<float>::max());
    for (std::uint32_t quad = 3 * heap.first(node); quad < 3 * heap.end(node); ++quad) {
        low = glm::min(low, floats(heap.bvh.leaves[quad]));
        high = glm::max(high, floats(heap.bvh.leaves[quad]));
    }
    return low == heap.low(node) && high == heap.high(node) ? "" : "the box is wrong";
}

/// The first thing that is wrong with a heap, or "".
std::string fault_in_heap(const Heap& heap, const Soup& soup) {
    const std::size_t proper = testing_gpu::count_of(soup, Kind::proper);
    if (heap.bvh.status.leaves != proper) return "the number of triangles is wrong";
    if (heap.bvh.status.root != (proper == 0 ? passes::BvhStatus::kNoNode : 1u)) return "no root";
    std::uint32_t interior = 0;
    std::uint32_t largest = 0;
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < proper; ++i)
        seen.insert(heap.bvh.leaves[3 * i].w);
    if (seen.size() != proper) return "triangles are missing";
    if (heap.first(1) != 0 || heap.count(1) != proper) return "the root has not all triangles";
    const std::size_t slots = std::size_t{1} << heap.levels;
    std::uint32_t next = 0; // the first triangle that no leaf has had, from left to right
    std::vector<std::size_t> stack{1};
    while (!stack.empty()) {
        const std::size_t node = stack.back();
        stack.pop_back();
        if (!heap.is_valid(node)) continue;
        const auto at = [&](std::string fault) { return fmt::format("node {}: {}", node, fault); };
        if (heap.is_leaf(node)) {
            if (heap.first(node) != next) return at("leaves are not side by side");
            next = heap.end(node);
            largest = std::max(largest, heap.count(node));
            if (auto fault = fault_in_leaf(heap, node); !fault.empty()) return at(fault);
            continue;
        }
        ++interior;
        if (2 * node >= slots) return at("no leaf on the last level");
        if (auto fault = fault_in_split(heap, node); !fault.empty()) return at(fault);
        if (heap.low(node) != glm::min(heap.low(2 * node), heap.low(2 * node + 1)) ||
            heap.high(node) != glm::max(heap.high(2 * node), heap.high(2 * node + 1)))
            return at("the box is not that of the children");
        stack.push_back(2 * node + 1);
        stack.push_back(2 * node);
    }
    if (next != proper) return "leaves do not have all triangles";
    if (heap.bvh.status.nodes != interior)
        return fmt::format("{} nodes are told, and there are {}", heap.bvh.status.nodes, interior);
    if (heap.bvh.status.largest_leaf != largest)
        return fmt::format("a leaf of {} is told, and the largest has {}",
                           heap.bvh.status.largest_leaf, largest);
    const bool told = std::ranges::any_of(
        heap.bvh.status.warnings(), [](const Diagnostic& d) { return d.code == "bvh/large-leaf"; });
    if (told != (largest > 64)) return "the warning of large leaves";
    for (std::size_t node = 1; 2 * node < slots; ++node)
        if ((!heap.is_valid(node) || heap.is_leaf(node)) &&
            (heap.is_valid(2 * node) || heap.is_valid(2 * node + 1)))
            return fmt::format("node {} has children", node);
    return "";
}

class HeapTest : public testing_gpu::BvhTest {};

TEST_F(HeapTest, PartsEveryRangeAndHasBoxesOfItsOwn) {
    std::vector<Soup> soups;
    for (const std::size_t count : {0u, 1u, 2u, 3u, 64u, 257u})
        soups.push_back(testing_gpu::random_soup(count));
    soups.push_back(testing_gpu::broken_soup(200));
    soups.push_back(testing_gpu::duplicate_soup(300));
    soups.push_back(testing_gpu::clustered_soup(500));
    Graph g = graph();
    std::vector<std::vector<Heap>> heaps;
    const auto name_of = [](const Soup& soup, std::size_t variant) {
        return fmt::format("{} {}, variant {}", soup.name, soup.triangles.size(), variant);
    };
    const auto codes_of = [](const Soup& soup, Interleave interleave) {
        return fmt::format("{} {} codes{}", soup.name, soup.triangles.size(),
                           interleave == Interleave::xyz ? "" : " by extents");
    };
    for (const Soup& soup : soups) {
        const passes::TriangleMesh source = mesh(g, soup);
        const std::vector<ImplicitBuild> variants{
            {.mesh = source},
            {.mesh = source, .interleave = Interleave::extents},
            {.mesh = source, .split = HeapSplit::in_turn},
            {.mesh = source, .equal_codes = EqualCodes::leaf},
            {.mesh = source, .levels = 1},
            {.mesh = source, .levels = 5},
            {.mesh = source,
             .split = HeapSplit::in_turn,
             .equal_codes = EqualCodes::leaf,
             .levels = 12},
        };
        for (const Interleave interleave : {Interleave::xyz, Interleave::extents})
            g.output(codes_of(soup, interleave),
                     passes::sorted_codes(g, source, passes::CodeBits::bits30, interleave).codes);
        heaps.emplace_back();
        for (const ImplicitBuild& variant : variants) {
            const std::string name = name_of(soup, heaps.back().size());
            const ImplicitBuild built = g.add(variant);
            output_bvh(g, name, built.bvh);
            heaps.back().push_back(
                {.bvh = {}, .codes = {}, .levels = built.bvh.levels, .pass = built});
        }
    }
    Running running = run(std::move(g));
    for (std::size_t k = 0; k < heaps.size(); ++k)
        for (std::size_t i = 0; i < heaps[k].size(); ++i) {
            const std::string name = name_of(soups[k], i);
            Heap& heap = heaps[k][i];
            heap.bvh = read_bvh(running, name);
            heap.codes = running.buffer<std::uint32_t>(codes_of(soups[k], heap.pass.interleave));
            EXPECT_EQ(fault_in_heap(heap, soups[k]), "") << name;
        }
}

TEST_F(HeapTest, TakesFourNodesATriangleUnlessToldOtherwise) {
    for (const auto& [count, levels] : {std::pair{3u, 8u}, {64u, 8u}, {65u, 9u}, {1024u, 12u}}) {
        Graph g = graph();
        const Soup soup = testing_gpu::random_soup(count);
        EXPECT_EQ(g.add(ImplicitBuild{.mesh = mesh(g, soup)}).bvh.levels, levels) << count;
    }
    DeviceCaps small = device().caps();
    small.max_storage_buffer_bytes = 1u << 14;
    Graph g = graph();
    g.set_target(small);
    const Soup soup = testing_gpu::random_soup(1024);
    EXPECT_EQ(g.add(ImplicitBuild{.mesh = mesh(g, soup)}).bvh.levels, 9u);
}

TEST_F(HeapTest, ReportsLevelsThatThereAreNot) {
    Graph g = graph();
    const Soup soup = testing_gpu::random_soup(3);
    static_cast<void>(g.add(ImplicitBuild{.mesh = mesh(g, soup), .levels = 25}));
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "pass/out-of-range");
}

} // namespace
} // namespace tuff
