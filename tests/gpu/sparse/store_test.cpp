#include "passes/sparse/bricks.hpp"
#include "passes/sparse/field.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <fmt/format.h>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

/// The sparse store: claims, slots, neighbours, fields.
namespace tuff {
namespace {

using passes::SparseBricks;
using passes::SparseBricksPass;
using passes::SparseCell;
using passes::SparseParameters;
using passes::SparseShape;
using passes::SparseStatus;
using passes::SparseStorage;
using testing_gpu::bytes_of;
using testing_gpu::Running;

constexpr std::uint32_t kInactive = ~0u;
constexpr std::uint32_t kFresh = 1u << 31;

class SparseStore : public testing_gpu::GpuTest {
  protected:
    static Buffer points_of(Graph& g, const std::vector<glm::vec4>& points) {
        return g.constant_buffer("points", {.size = 16 * points.size(), .stride = 16},
                                 bytes_of(points));
    }
    static void copy_out(Graph& g, const std::string& name, Buffer buffer) {
        g.output(name, g.copy(buffer, g.buffer("copy", g.desc(buffer))));
    }
    static void outputs(Graph& g, const SparseBricks& bricks) {
        copy_out(g, "list", bricks.list);
        copy_out(g, "map", bricks.map);
        copy_out(g, "neighbors", bricks.neighbors);
        copy_out(g, "groups", bricks.groups);
        copy_out(g, "status", bricks.status);
    }
    struct Store {
        SparseShape shape;
        std::map<std::uint32_t, std::uint32_t> words; ///< slot word by brick number
        std::vector<std::uint32_t> map, neighbors, groups;
        SparseStatus status;

        std::set<std::uint32_t> numbers() const {
            std::set<std::uint32_t> all;
            for (const auto& [number, word] : words)
                all.insert(number);
            return all;
        }
        std::uint32_t look_up(std::uint32_t number) const {
            if (shape.table_bits == 0) return map[number];
            for (std::size_t entry = 0; entry < map.size(); entry += 2)
                if (map[entry] == number) return map[entry + 1];
            return kInactive;
        }
    };
    static Store read(Running& running, const SparseShape& shape) {
        Store store{.shape = shape};
        const auto list = running.buffer<std::uint32_t>("list");
        for (std::size_t i = 0; i < list[0]; ++i)
            EXPECT_TRUE(store.words.emplace(list[4 + 2 * i], list[5 + 2 * i]).second);
        store.map = running.buffer<std::uint32_t>("map");
        store.neighbors = running.buffer<std::uint32_t>("neighbors");
        store.groups = running.buffer<std::uint32_t>("groups");
        store.status = SparseStatus::read(running.buffer<std::uint32_t>("status"));
        return store;
    }
    /// Everything that must agree in a store.
    static void expect_sound(const Store& store) {
        const SparseShape& shape = store.shape;
        const glm::ivec3 grid(shape.grid());
        std::set<std::uint32_t> slots;
        std::uint32_t fresh = 0;
        for (const auto& [number, word] : store.words) {
            const std::uint32_t slot = word & ~kFresh;
            ASSERT_LT(slot, shape.capacity);
            EXPECT_TRUE(slots.insert(slot).second) << "slot " << slot << " is given twice";
            EXPECT_EQ(store.look_up(number), word);
            fresh += word >> 31;
            const glm::uvec3 g = shape.grid();
            const glm::ivec3 at(glm::uvec3(number % g.x, number / g.x % g.y, number / g.x / g.y));
            for (int n = 0; n < 27; ++n) {
                const glm::ivec3 other = at + glm::ivec3(n % 3, n / 3 % 3, n / 9) - 1;
                std::uint32_t expected = kInactive;
                if (glm::all(glm::greaterThanEqual(other, glm::ivec3(0))) &&
                    glm::all(glm::lessThan(other, grid))) {
                    const auto found = store.words.find(static_cast<std::uint32_t>(
                        (other.z * grid.y + other.y) * grid.x + other.x));
                    if (found != store.words.end()) expected = found->second;
                }
                ASSERT_EQ(store.neighbors[27 * slot + static_cast<std::uint32_t>(n)], expected);
            }
        }
        EXPECT_EQ(store.status.active_bricks, store.words.size());
        EXPECT_EQ(store.status.fresh, fresh);
        EXPECT_EQ(store.status.capacity, shape.capacity);
        EXPECT_EQ(store.status.wanted, store.status.active_bricks + store.status.refused);
        EXPECT_EQ(store.groups[0], store.words.size());
        const std::uint64_t needed = store.words.size() * ((shape.cells() + 255) / 256);
        const std::uint64_t launched = std::uint64_t{store.groups[3]} * store.groups[4];
        EXPECT_GE(launched, needed);
        EXPECT_LE(store.groups[3], 65535u);
    }
    static std::uint32_t number_of(const SparseShape& shape, glm::vec4 point) {
        const glm::uvec3 brick = glm::uvec3(point) / shape.brick;
        return (brick.z * shape.grid().y + brick.y) * shape.grid().x + brick.x;
    }
    static std::vector<glm::vec4> random_points(std::size_t count, glm::uvec3 dims,
                                                std::uint32_t seed) {
        std::mt19937 random(seed);
        std::vector<glm::vec4> points(count);
        for (glm::vec4& point : points)
            for (int axis = 0; axis < 3; ++axis)
                point[axis] = static_cast<float>(random() % dims[axis]) + 0.5f;
        return points;
    }
    Store claimed(const SparseBricksPass& pass, const std::vector<glm::vec4>& points,
                  unsigned executions = 1) {
        Graph g = graph();
        SparseBricksPass wired = pass;
        if (!points.empty()) wired.points = points_of(g, points);
        const SparseBricks bricks = g.add(wired).bricks;
        if (!bricks) {
            ADD_FAILURE() << "refused";
            return {};
        }
        outputs(g, bricks);
        Running running = run(std::move(g), executions);
        return running ? read(running, bricks.shape) : Store{};
    }
};

TEST_F(SparseStore, PointsGetTheirBricksAndNoOthers) {
    struct Case {
        glm::uvec3 dims, brick;
        std::size_t points;
    };
    for (const Case& c :
         {Case{{64, 48, 40}, {8, 8, 8}, 60},
          Case{{70, 33, 17}, {8, 8, 8}, 300}, // the last bricks reach beyond
          Case{{1024, 1024, 1024}, {32, 16, 16}, 443}, Case{{9, 9, 9}, {1, 1, 1}, 20}}) {
        SCOPED_TRACE(c.dims.x);
        std::vector<glm::vec4> points = random_points(c.points, c.dims, 5);
        SparseBricksPass pass{.dims = c.dims, .bricks_parameters = {.brick = c.brick}};
        std::set<std::uint32_t> expected;
        const SparseShape shape{.dims = c.dims, .brick = c.brick};
        for (const glm::vec4& point : points)
            expected.insert(number_of(shape, point));
        points.emplace_back(-0.5f, 3.0f, 3.0f, 0.0f);
        points.emplace_back(3.0f, static_cast<float>(c.dims.y), 3.0f, 0.0f);
        points.emplace_back(3.0f, 3.0f, std::numeric_limits<float>::quiet_NaN(), 0.0f);
        points.emplace_back(3.0f, std::numeric_limits<float>::infinity(), 3.0f, 0.0f);
        const Store store = claimed(pass, points);
        expect_sound(store);
        EXPECT_EQ(store.numbers(), expected);
        EXPECT_EQ(store.status.refused, 0u);
        EXPECT_EQ(store.status.fresh, expected.size());
    }
}

TEST_F(SparseStore, DomainsBeyondTwoToThe31CellsAreHashed) {
    const glm::uvec3 dims(1u << 13);
    const std::vector<glm::vec4> points = random_points(2000, dims, 8);
    const Store store = claimed({.dims = dims, .bricks_parameters = {.capacity = 2048}}, points);
    ASSERT_GT(store.shape.table_bits, 0u);
    std::set<std::uint32_t> expected;
    for (const glm::vec4& point : points)
        expected.insert(number_of(store.shape, point));
    expect_sound(store);
    EXPECT_EQ(store.numbers(), expected);
    // A box makes neighbours, which random points have none of.
    const Store box = claimed({.dims = dims,
                               .bricks_parameters = {.capacity = 256},
                               .box_low = {4090, 8000, -5},
                               .box_high = {4110, 9000, 30}},
                              {});
    expect_sound(box);
    EXPECT_EQ(box.words.size(), 3u * 24u * 4u > 256u ? 256u : 288u);
    EXPECT_EQ(box.status.refused, 288u - 256u);
    EXPECT_EQ(box.status.warnings().size(), 1u);
}

TEST_F(SparseStore, BricksThatAreKeptKeepTheirSlotsAndAreNotFresh) {
    const glm::uvec3 dims(64);
    const std::vector<glm::vec4> points = random_points(90, dims, 2);
    const SparseBricksPass pass{.dims = dims};
    const Store once = claimed(pass, points);
    const Store thrice = claimed(pass, points, 3);
    expect_sound(thrice);
    EXPECT_EQ(thrice.status.fresh, 0u);
    EXPECT_EQ(thrice.numbers(), once.numbers());
    const Store begun_again = claimed({.dims = dims, .keep = false}, points, 3);
    EXPECT_EQ(begun_again.status.fresh, begun_again.words.size());
}

TEST_F(SparseStore, APoolAtItsEndKeepsWhatItHasAndCountsWhatItRefuses) {
    const glm::uvec3 dims(128);
    const std::vector<glm::vec4> points = random_points(700, dims, 3);
    std::set<std::uint32_t> wanted;
    for (const glm::vec4& point : points)
        wanted.insert(number_of({.dims = dims}, point));
    const SparseBricksPass pass{.dims = dims, .bricks_parameters = {.capacity = 100}};
    const Store store = claimed(pass, points, 2);
    expect_sound(store);
    EXPECT_EQ(store.words.size(), 100u);
    EXPECT_EQ(store.status.fresh, 0u); // those of the first execution stay
    EXPECT_EQ(store.status.refused, wanted.size() - 100u);
    for (const std::uint32_t number : store.numbers())
        EXPECT_TRUE(wanted.contains(number));
}

/// Boxes overlap, so that bricks are claimed both ways, in any order; the second execution adopts
/// what the first one claimed without a slot for it.
TEST_F(SparseStore, WhatIsClaimedForLaterGetsWhatOthersLeave) {
    for (const glm::uvec3 dims : {glm::uvec3(96, 40, 24), glm::uvec3(4096, 2048, 1024)}) {
        SCOPED_TRACE(dims.x);
        const std::array<passes::SparseBox, 2> now{
            {{{8, 8, 0}, {40, 16, 8}}, {{0, 0, 0}, {9, 9, 9}}}};
        const passes::SparseBox later{{0, 0, 0}, {80, 40, 16}};
        for (const std::uint32_t capacity : {7u, 12u, 30u, 200u}) {
            SCOPED_TRACE(capacity);
            Graph g = graph();
            const auto shape =
                passes::sparse_shape(g, SparseParameters{.capacity = capacity}, dims, 4);
            ASSERT_TRUE(shape);
            EXPECT_EQ(shape->table_bits > 0, dims.x == 4096u);
            const passes::SparseClaims claims =
                passes::claim_boxes(g, passes::start_claims(g, *shape), now, 0, {&later, 1});
            const SparseBricks bricks = passes::allocate_bricks(g, claims);
            outputs(g, bricks);
            Running running = run(std::move(g));
            ASSERT_TRUE(running);
            const Store store = read(running, *shape);
            expect_sound(store);
            // 4 bricks of the first box and 8 of the second, one of them in both; 100 of the other.
            const std::set<std::uint32_t> found = store.numbers();
            std::uint32_t first = 0;
            for (const glm::uvec3 at : {glm::uvec3(1, 1, 0),
                                        {2, 1, 0},
                                        {3, 1, 0},
                                        {4, 1, 0},
                                        {0, 0, 0},
                                        {1, 0, 0},
                                        {0, 1, 0},
                                        {0, 0, 1},
                                        {1, 0, 1},
                                        {0, 1, 1},
                                        {1, 1, 1}}) {
                const glm::uvec3 grid = shape->grid();
                first += std::uint32_t(found.contains((at.z * grid.y + at.y) * grid.x + at.x));
            }
            EXPECT_EQ(first, std::min(capacity, 11u));
            EXPECT_EQ(found.size(), std::min(shape->capacity, 100u));
            EXPECT_EQ(store.status.wanted, 100u);
        }
    }
}

/// One kernel, and kernels one after the other: the same bricks, also where slots run out. Some
/// bricks of the execution before have slots, some have been claimed in it.
TEST_F(SparseStore, FewBricksGetTheirSlotsAtOnce) {
    constexpr std::uint32_t kPending = ~0u - 2;
    const glm::uvec3 dims(96, 40, 24); // 12 x 5 x 3 bricks
    const passes::SparseBox now{{8, -3, 0}, {40, 16, 8}};
    const std::array<passes::SparseBox, 2> later{
        {{{0, 0, 0}, {60, 40, 16}}, {{5, 5, 5}, {5, 5, 5}}}};
    const std::map<std::uint32_t, std::uint32_t> had{
        {0, 2}, {1, 0}, {179, 3}, {25, kPending}, {60, 4}, {90, kPending}, {178, kPending}};
    // 4 with slots, and before others: 3 pending ones and 8 of the box, one of them among the 4.
    const std::set<std::uint32_t> first{0, 1, 179, 60, 25, 90, 178, 2, 3, 4, 13, 14, 15, 16};
    for (const bool begins : {false, true})
        for (const std::uint32_t capacity : {5u, 9u, 30u, 180u}) {
            SCOPED_TRACE(fmt::format("{} {}", begins, capacity));
            const auto given = [&](bool at_once) {
                Graph g = graph();
                const SparseShape shape =
                    *passes::sparse_shape(g, SparseParameters{.capacity = capacity}, dims, 4);
                EXPECT_TRUE(passes::is_few(shape));
                std::vector<std::uint32_t> words(passes::list_desc(shape).size / 4);
                for (const auto& [number, word] : had) {
                    words[4 + 2 * words[0]] = number;
                    words[5 + 2 * words[0]++] = word;
                    if (word == kPending) ++words[1];
                }
                const Buffer list =
                    begins ? Buffer{}
                           : g.constant_buffer("before", passes::list_desc(shape), bytes_of(words));
                passes::SparseClaims claims{.shape = shape};
                if (!at_once) claims = passes::start_claims(g, shape);
                if (!at_once && !begins) claims = passes::adopt_bricks(g, claims, list);
                SparseBricks bricks;
                if (at_once) {
                    const passes::FewBricks few =
                        passes::give_few(g, shape, list, g.buffer("next", passes::list_desc(shape)),
                                         {&now, 1}, later);
                    bricks = few.bricks;
                    copy_out(g, "next_map", few.next.map);
                    copy_out(g, "next_list", few.next.list);
                } else {
                    bricks = passes::allocate_bricks(
                        g, passes::claim_boxes(g, claims, {&now, 1}, 0, later));
                }
                outputs(g, bricks);
                Running running = run(std::move(g));
                if (running && at_once) { // nothing is claimed yet
                    const auto words_of = [&](std::string_view name) {
                        return running.buffer<std::uint32_t>(name);
                    };
                    EXPECT_EQ(words_of("next_map"),
                              std::vector<std::uint32_t>(shape.bricks(), ~0u));
                    EXPECT_EQ(words_of("next_list")[0], 0u);
                    EXPECT_EQ(words_of("next_list")[1], 0u);
                }
                return running ? read(running, shape) : Store{};
            };
            const Store once = given(true), steps = given(false);
            for (const Store& store : {once, steps}) {
                expect_sound(store);
                EXPECT_EQ(store.status.wanted, begins ? 80u : 82u);
                EXPECT_EQ(store.words.size(), std::min(store.status.wanted, capacity));
                for (const auto& [number, word] : had) {
                    if (begins || word == kPending) continue;
                    ASSERT_TRUE(store.words.contains(number));
                    EXPECT_EQ(store.words.at(number), word);
                }
                std::size_t found = 0;
                for (const std::uint32_t number : store.numbers())
                    found += std::size_t(first.contains(number));
                if (!begins) {
                    EXPECT_EQ(found, std::min<std::size_t>(capacity, first.size()));
                }
            }
            EXPECT_EQ(once.groups, steps.groups);
            if (capacity == 180u) {
                EXPECT_EQ(once.numbers(), steps.numbers());
            }
        }
}

TEST_F(SparseStore, FullAndDenseStoragesHaveSlotsByNumber) {
    const glm::uvec3 dims(40, 24, 16);
    const std::vector<glm::vec4> points = random_points(20, dims, 4);
    const Store full =
        claimed({.dims = dims, .bricks_parameters = {.storage = SparseStorage::full}}, points, 2);
    expect_sound(full);
    EXPECT_EQ(full.shape.capacity, 5u * 3u * 2u);
    for (const auto& [number, word] : full.words)
        EXPECT_EQ(word, number);
    const Store dense =
        claimed({.dims = {300, 30, 3}, .bricks_parameters = {.storage = SparseStorage::dense}}, {});
    expect_sound(dense);
    EXPECT_EQ(dense.shape.brick, glm::uvec3(300, 30, 3));
    EXPECT_EQ(dense.words.size(), 1u);
}

TEST_F(SparseStore, FieldsGoThereAndBackAndHalosHoldTheNeighborsCells) {
    struct Case {
        glm::uvec3 dims, brick;
        SparseCell cell;
        std::uint32_t words, width;
        SparseStorage storage;
    };
    for (const Case& c :
         {Case{{40, 30, 20}, {8, 8, 8}, SparseCell::f32, 1, 1, SparseStorage::atlas},
          Case{{70, 40, 20}, {32, 16, 16}, SparseCell::vec4, 4, 1, SparseStorage::atlas},
          Case{{33, 20, 9}, {4, 4, 4}, SparseCell::vec2, 2, 2, SparseStorage::full},
          Case{{33, 20, 9}, {8, 8, 8}, SparseCell::u32, 1, 3, SparseStorage::dense}}) {
        SCOPED_TRACE(c.dims.x);
        const std::size_t cells = std::size_t{c.dims.x} * c.dims.y * c.dims.z;
        std::mt19937 random(6);
        std::vector<std::uint32_t> values(cells * c.words);
        for (std::uint32_t& value : values)
            value = static_cast<std::uint32_t>(random() >> 8);
        Graph g = graph();
        SparseBricksPass pass{.dims = c.dims,
                              .bricks_parameters = {.brick = c.brick, .storage = c.storage}};
        pass.points = points_of(g, random_points(12, c.dims, 7));
        const SparseBricks bricks = g.add(pass).bricks;
        const Buffer source = g.constant_buffer(
            "values", {.size = 4 * values.size(), .stride = 4 * c.words}, bytes_of(values));
        const Buffer field =
            g.add(passes::SparseScatter{.bricks = bricks, .source = source, .cell = c.cell}).field;
        g.output(
            "gathered",
            g.add(passes::SparseGather{.bricks = bricks, .field = field, .cell = c.cell}).result);
        g.output("padded",
                 g.add(passes::SparseHalo{
                           .bricks = bricks, .field = field, .cell = c.cell, .width = c.width})
                     .result);
        outputs(g, bricks);
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const Store store = read(running, bricks.shape);
        expect_sound(store);
        const SparseShape& shape = bricks.shape;
        const auto expected = [&](glm::ivec3 cell, std::size_t k) -> std::uint32_t {
            const glm::ivec3 dims(c.dims);
            if (glm::any(glm::lessThan(cell, glm::ivec3(0))) ||
                glm::any(glm::greaterThanEqual(cell, dims)))
                return 0;
            if (!store.words.contains(number_of(shape, glm::vec4(cell, 0)))) return 0;
            return values[static_cast<std::size_t>((cell.z * dims.y + cell.y) * dims.x + cell.x) *
                              c.words +
                          k];
        };
        const auto gathered = running.buffer<std::uint32_t>("gathered");
        std::size_t set = 0;
        for (std::size_t i = 0; i < cells; ++i)
            for (std::size_t k = 0; k < c.words; ++k) {
                const glm::ivec3 cell(i % c.dims.x, i / c.dims.x % c.dims.y,
                                      i / c.dims.x / c.dims.y);
                ASSERT_EQ(gathered[i * c.words + k], expected(cell, k));
                set += gathered[i * c.words + k] != 0;
            }
        EXPECT_GT(set, 100u);
        const auto padded = running.buffer<std::uint32_t>("padded");
        const glm::uvec3 size = shape.brick + 2 * c.width;
        const std::size_t brick_cells = std::size_t{size.x} * size.y * size.z;
        for (const auto& [number, word] : store.words) {
            const glm::uvec3 grid = shape.grid();
            const glm::ivec3 origin(
                glm::uvec3(number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y) *
                shape.brick);
            for (std::size_t i = 0; i < brick_cells; ++i) {
                const glm::ivec3 local(i % size.x, i / size.x % size.y, i / size.x / size.y);
                for (std::size_t k = 0; k < c.words; ++k)
                    ASSERT_EQ(padded[((word & ~kFresh) * brick_cells + i) * c.words + k],
                              expected(origin + local - int(c.width), k));
            }
        }
    }
}

TEST_F(SparseStore, WhatCannotBeIsRefused) {
    Graph g = graph();
    g.add(SparseBricksPass{.dims = glm::uvec3(1u << 17)}); // 2^42 bricks
    g.add(SparseBricksPass{.dims = glm::uvec3(4096),
                           .bricks_parameters = {.storage = SparseStorage::dense}});
    g.add(SparseBricksPass{.dims = {0, 8, 8}});
    g.add(SparseBricksPass{.length = 4});
    const SparseBricks bricks = g.add(SparseBricksPass{.dims = glm::uvec3(16)}).bricks;
    g.add(passes::SparseGather{.bricks = bricks, .field = bricks.groups});
    const GraphDesc desc = std::move(g).finish();
    ASSERT_EQ(desc.diagnostics.size(), 5u);
    EXPECT_EQ(desc.diagnostics[0].code, "sparse/too-large");
    EXPECT_EQ(desc.diagnostics[1].code, "sparse/too-large");
    EXPECT_EQ(desc.diagnostics[2].code, "pass/out-of-range");
    EXPECT_EQ(desc.diagnostics[3].code, "primitives/too-long");
    EXPECT_EQ(desc.diagnostics[4].code, "primitives/too-short");
}

} // namespace
} // namespace tuff
