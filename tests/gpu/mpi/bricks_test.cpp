// Sparse stores that ranks have in parts: copies of bricks, and a substance that spreads.

#include "passes/mpi/bricks.hpp"
#include "passes/mpi/exchange_bricks.hpp"
#include "passes/sparse/bricks.hpp"
#include "ranks_fixture.hpp"

#include <fmt/format.h>
#include <glm/vec4.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tuff {
namespace {

using passes::BrickBorder;
using passes::Cells;
using passes::ExchangeBricks;
using passes::GatherBricks;
using passes::SparseBricks;
using passes::SparseBricksPass;
using passes::SparseCell;
using passes::SparseClaims;
using passes::SparseGather;
using passes::SparseShape;
using passes::SparseStorage;
using testing_gpu::bytes_of;
using testing_gpu::Running;

constexpr std::uint32_t kAbsent = ~0u;
constexpr std::uint32_t kFreshBit = 1u << 31;

/// Which bricks of the domain are active, by coordinates.
using Pattern = std::function<bool(const glm::uvec3&)>;

struct World {
    glm::uvec3 dims;
    glm::uvec3 brick;
    std::uint32_t periodic = 0;
    SparseStorage storage = SparseStorage::atlas;

    SparseShape shape() const { return {.dims = dims, .brick = brick}; }
    Cells grid() const {
        const glm::uvec3 g = shape().grid();
        return {g.x, g.y, g.z};
    }
    glm::uvec3 at(std::uint32_t number) const {
        const glm::uvec3 g = shape().grid();
        return {number % g.x, number / g.x % g.y, number / g.x / g.y};
    }
    std::uint32_t number(const glm::uvec3& at) const {
        const glm::uvec3 g = shape().grid();
        return (at.z * g.y + at.y) * g.x + at.x;
    }
    /// A neighbour of a brick, if there is one.
    std::optional<glm::uvec3> beside(const glm::uvec3& brick, const glm::ivec3& off) const {
        const glm::ivec3 g(shape().grid());
        glm::ivec3 to = glm::ivec3(brick) + off;
        for (int axis = 0; axis < 3; ++axis) {
            if ((periodic >> axis & 1u) != 0) to[axis] = (to[axis] + g[axis]) % g[axis];
            if (to[axis] < 0 || to[axis] >= g[axis]) return std::nullopt;
        }
        return glm::uvec3(to);
    }
};

class BricksOfRanks : public testing_gpu::RanksTest {
  protected:
    static glm::ivec3 around(int n) { return glm::ivec3(n % 3, n / 3 % 3, n / 9) - 1; }
    static bool is_in(const std::array<CellSpan, 3>& part, const glm::uvec3& brick) {
        for (int a = 0; a < 3; ++a) {
            const CellSpan& span = part[static_cast<std::size_t>(a)];
            if (brick[a] < span.first || brick[a] >= span.first + span.count) return false;
        }
        return true;
    }
    static std::uint32_t owner_of(const World& world, const Ranks& ranks, const glm::uvec3& brick) {
        for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
            if (is_in(ranks.part(world.grid(), rank), brick)) return rank;
        return kAbsent;
    }
    /// The bricks of a rank, and of its halo.
    static std::set<std::uint32_t> expected(const World& world, const Ranks& ranks,
                                            const Pattern& pattern) {
        std::set<std::uint32_t> numbers;
        const auto part = ranks.part(world.grid());
        for (std::uint32_t z = 0; z < part[2].count; ++z)
            for (std::uint32_t y = 0; y < part[1].count; ++y)
                for (std::uint32_t x = 0; x < part[0].count; ++x) {
                    const glm::uvec3 brick(part[0].first + x, part[1].first + y, part[2].first + z);
                    for (int n = 0; n < 27; ++n) {
                        const auto near = world.beside(brick, around(n));
                        if (near && pattern(*near)) numbers.insert(world.number(*near));
                    }
                }
        return numbers;
    }
    /// A store whose part has the bricks of `pattern`, and elsewhere others that are not there.
    SparseBricks store(Graph& g, const World& world, const Ranks& ranks, const Pattern& pattern,
                       std::uint32_t capacity = 1024) {
        std::vector<glm::vec4> points;
        const auto part = ranks.part(world.grid());
        for (std::uint32_t i = 0; i < world.shape().bricks(); ++i) {
            const glm::uvec3 brick = world.at(i);
            if (is_in(part, brick) ? pattern(brick) : i % 3 == 0)
                points.emplace_back(glm::vec3(brick * world.brick) + 0.5f, 0.0f);
        }
        SparseBricksPass pass{.dims = world.dims,
                              .bricks_parameters = {.brick = world.brick,
                                                    .capacity = capacity,
                                                    .storage = world.storage}};
        if (!points.empty())
            pass.points = g.constant_buffer("points", {.size = 16 * points.size(), .stride = 16},
                                            bytes_of(points));
        return g.add(pass).bricks;
    }
    static Buffer numbers_of(Graph& g, const SparseBricks& bricks, std::uint32_t owner) {
        ComputeNodeBuilder node = g.compute("test/brick_numbers");
        passes::bind_walk(node, bricks);
        node.set("owner", owner);
        return node.write("field", g.buffer("numbers", passes::field_desc(bricks.shape, 8)));
    }
    static void copy_out(Graph& g, const std::string& name, Buffer buffer) {
        g.output(name, g.copy(buffer, g.buffer("copy", g.desc(buffer))));
    }
    static void outputs(Graph& g, const std::string& name, const SparseBricks& bricks,
                        Buffer field) {
        copy_out(g, name + "list", bricks.list);
        copy_out(g, name + "map", bricks.map);
        copy_out(g, name + "neighbors", bricks.neighbors);
        if (field) copy_out(g, name + "field", field);
    }
    static std::map<std::uint32_t, std::uint32_t> words_in(Running& running,
                                                           const std::string& output) {
        std::map<std::uint32_t, std::uint32_t> words;
        const auto list = running.buffer<std::uint32_t>(output);
        for (std::size_t i = 0; !list.empty() && i < list[0]; ++i)
            EXPECT_TRUE(words.emplace(list[4 + 2 * i], list[5 + 2 * i]).second);
        return words;
    }
    /// The list, the map, the neighbours and all cells of a store with these bricks.
    static void expect_store(Running& running, const std::string& name, const World& world,
                             const Ranks& ranks, const std::set<std::uint32_t>& numbers,
                             std::uint32_t capacity) {
        const auto words = words_in(running, name + "list");
        const auto map = running.buffer<std::uint32_t>(name + "map");
        const auto neighbors = running.buffer<std::uint32_t>(name + "neighbors");
        const auto field = running.buffer<std::uint32_t>(name + "field");
        std::set<std::uint32_t> found, slots;
        for (const auto& [number, word] : words) {
            const std::uint32_t slot = word & ~kFreshBit;
            found.insert(number);
            ASSERT_LT(slot, capacity);
            EXPECT_TRUE(slots.insert(slot).second) << "slot " << slot << " is given twice";
        }
        ASSERT_EQ(found, numbers);
        ASSERT_EQ(map.size(), world.shape().bricks());
        for (std::uint32_t number = 0; number < map.size(); ++number)
            ASSERT_EQ(map[number], words.contains(number) ? words.at(number) : kAbsent) << number;
        const std::uint32_t cells = world.shape().cells();
        for (const auto& [number, word] : words) {
            const std::uint32_t slot = word & ~kFreshBit;
            const glm::uvec3 brick = world.at(number);
            for (int n = 0; n < 27; ++n) {
                const auto near = world.beside(brick, around(n));
                const auto other = near ? words.find(world.number(*near)) : words.end();
                ASSERT_EQ(neighbors[27 * slot + static_cast<std::uint32_t>(n)],
                          other == words.end() ? kAbsent : other->second);
            }
            const std::uint32_t owner = owner_of(world, ranks, brick);
            for (std::uint32_t i = 0; i < cells; ++i) {
                const glm::uvec3 cell =
                    brick * world.brick + glm::uvec3(i % world.brick.x,
                                                     i / world.brick.x % world.brick.y,
                                                     i / world.brick.x / world.brick.y);
                const std::size_t at = 2 * (std::size_t{slot} * cells + i);
                ASSERT_EQ(field[at], cell.x | cell.y << 16);
                ASSERT_EQ(field[at + 1], cell.z | owner << 24) << "of brick " << number;
            }
        }
    }
};

const World kWorlds[] = {
    {{20, 13, 9}, {4, 4, 4}},                        // the last bricks reach beyond
    {{16, 12, 20}, {8, 4, 4}, 7},                    // 2 x 3 x 5 bricks, which meet at all ends
    {{24, 6, 6}, {4, 2, 6}, 1, SparseStorage::full}, // 6 x 3 x 1, along x
    {{12, 2, 3}, {2, 2, 3}},                         // 6 x 1 x 1: ranks with one brick
};

const std::pair<const char*, Pattern> kBrickPatterns[] = {
    {"all", [](const glm::uvec3&) { return true; }},
    {"none", [](const glm::uvec3&) { return false; }},
    {"some",
     [](const glm::uvec3& b) { return (b.x * 7 + b.y * 5 + b.z * 3 + b.x * b.y) % 4 == 1; }},
    {"one corner", [](const glm::uvec3& b) { return b.x + b.y + b.z < 2; }},
};

TEST_F(BricksOfRanks, HaveCopiesOfAllThatTouchTheirPart) {
    for (const World& world : kWorlds)
        for (const Ranks& ranks : grids(world.grid())) {
            Graph g = graph_of(ranks);
            std::uint32_t capacity = 0;
            for (const auto& [name, pattern] : kBrickPatterns) {
                const SparseBricks source = store(g, world, ranks, pattern);
                capacity = source.shape.capacity;
                const ExchangeBricks pass{.source = source,
                                          .field = numbers_of(g, source, ranks.rank),
                                          .cell = SparseCell::vec2,
                                          .periodic_x = (world.periodic & 1) != 0,
                                          .periodic_y = (world.periodic & 2) != 0,
                                          .periodic_z = (world.periodic & 4) != 0};
                const auto exchanged = g.add(pass);
                outputs(g, name, exchanged.bricks, exchanged.result);
                copy_out(g, std::string(name) + "source", source.list);
            }
            Running running = run(std::move(g), 2);
            ASSERT_TRUE(running);
            for (const auto& [name, pattern] : kBrickPatterns) {
                SCOPED_TRACE(fmt::format("{} of {}x{}x{} cells, rank {} of {}x{}x{}", name,
                                         world.dims.x, world.dims.y, world.dims.z, ranks.rank,
                                         ranks.grid[0], ranks.grid[1], ranks.grid[2]));
                expect_store(running, name, world, ranks, expected(world, ranks, pattern),
                             capacity);
                // What the rank had stays in place.
                const auto before = words_in(running, std::string(name) + "source");
                const auto after = words_in(running, std::string(name) + "list");
                for (const auto& [number, word] : after)
                    if (is_in(ranks.part(world.grid()), world.at(number))) {
                        ASSERT_EQ(word, before.at(number));
                    }
            }
        }
}

/// A second exchange changes no brick and no slot, so that several fields can be exchanged.
TEST_F(BricksOfRanks, KeepTheirSlotsWhereTheyAreExchangedAgain) {
    const World& world = kWorlds[0];
    const Pattern& pattern = kBrickPatterns[2].second;
    for (const Ranks& ranks : descending_grids(world.grid())) {
        Graph g = graph_of(ranks);
        const SparseBricks source = store(g, world, ranks, pattern);
        const SparseBricks once = g.add(ExchangeBricks{.source = source}).bricks;
        const auto twice = g.add(ExchangeBricks{
            .source = once, .field = numbers_of(g, source, ranks.rank), .cell = SparseCell::vec2});
        copy_out(g, "once", once.list);
        outputs(g, "twice", twice.bricks, twice.result);
        Running running = run(std::move(g));
        expect_store(running, "twice", world, ranks, expected(world, ranks, pattern),
                     once.shape.capacity);
        EXPECT_EQ(words_in(running, "twicelist"), words_in(running, "once"));
    }
}

TEST_F(BricksOfRanks, ComeTogetherOnRankZero) {
    for (const World& world : kWorlds)
        for (const Ranks& ranks : descending_grids(world.grid())) {
            Graph g = graph_of(ranks);
            for (const auto& [name, pattern] : kBrickPatterns) {
                const SparseBricks source = store(g, world, ranks, pattern);
                const auto whole = g.add(GatherBricks{.source = source,
                                                      .field = numbers_of(g, source, ranks.rank),
                                                      .cell = SparseCell::vec2});
                outputs(g, name, whole.bricks, whole.result);
            }
            Running running = run(std::move(g), 2);
            ASSERT_TRUE(running);
            for (const auto& [name, pattern] : kBrickPatterns) {
                std::set<std::uint32_t> numbers;
                for (std::uint32_t i = 0; i < world.shape().bricks(); ++i)
                    if (pattern(world.at(i)) &&
                        (ranks.rank == 0 || is_in(ranks.part(world.grid()), world.at(i))))
                        numbers.insert(i);
                World flat = world;
                flat.periodic = 0;
                expect_store(running, name, flat, ranks, numbers,
                             static_cast<std::uint32_t>(world.shape().bricks()));
            }
        }
}

/// A row of bricks through a domain of more than four million, which has a hash table.
TEST_F(BricksOfRanks, HaveCopiesInDomainsThatAreHashed) {
    const World world{{1024, 1024, 2048}, {4, 8, 8}};
    const auto is_active = [](std::uint32_t x) { return x % 3 != 1; };
    const Ranks ranks{
        .grid = {job_size(), 1, 1}, .rank = job_rank(), .communicator = communicator()};
    const CellSpan part = ranks.part(world.grid())[0];
    std::vector<glm::vec4> points;
    for (std::uint32_t x = part.first; x < part.first + part.count; ++x)
        if (is_active(x))
            points.emplace_back(glm::vec3(glm::uvec3(x, 100, 7) * world.brick) + 0.5f, 0.0f);
    Graph g = graph_of(ranks);
    const SparseBricks source =
        g.add(SparseBricksPass{
                  .points = g.constant_buffer("points", {.size = 16 * points.size(), .stride = 16},
                                              bytes_of(points)),
                  .dims = world.dims,
                  .bricks_parameters = {.brick = world.brick, .capacity = 512}})
            .bricks;
    ASSERT_GT(source.shape.table_bits, 0u);
    const auto exchanged = g.add(ExchangeBricks{
        .source = source, .field = numbers_of(g, source, ranks.rank), .cell = SparseCell::vec2});
    copy_out(g, "list", exchanged.bricks.list);
    copy_out(g, "field", exchanged.result);
    Running running = run(std::move(g), 2);
    ASSERT_TRUE(running);
    const auto words = words_in(running, "list");
    const auto field = running.buffer<std::uint32_t>("field");
    std::size_t expected_bricks = 0;
    for (std::uint32_t x = 0; x < world.grid()[0]; ++x) {
        if (!is_active(x) || x + 1 < part.first || x > part.first + part.count) continue;
        ++expected_bricks;
        const glm::uvec3 brick(x, 100, 7);
        ASSERT_TRUE(words.contains(world.number(brick))) << x;
        const std::uint32_t slot = words.at(world.number(brick)) & ~kFreshBit;
        const std::size_t last = 2 * (std::size_t{slot} + 1) * world.shape().cells() - 2;
        const glm::uvec3 cell = (brick + 1u) * world.brick - 1u;
        EXPECT_EQ(field[last], cell.x | cell.y << 16);
        EXPECT_EQ(field[last + 1], cell.z | owner_of(world, ranks, brick) << 24);
    }
    EXPECT_EQ(words.size(), expected_bricks);
}

TEST_F(BricksOfRanks, ThatDoNotFitIntoMessagesAreReported) {
    const World& world = kWorlds[0];
    for (const Ranks& ranks : descending_grids(world.grid())) {
        if (ranks.size() == 1) continue;
        for (const std::uint32_t border : {1u, 60u}) {
            Graph g = graph_of(ranks);
            const SparseBricks source = store(g, world, ranks, kBrickPatterns[0].second);
            g.output("list", g.add(ExchangeBricks{.source = source, .border = border}).bricks.list);
            Running running = run(std::move(g));
            ASSERT_TRUE(running);
            const auto told = running->warnings();
            ASSERT_TRUE(told);
            // Of 5 x 4 x 3 bricks any part touches several of another rank.
            const bool full = std::ranges::any_of(
                *told, [](const Diagnostic& d) { return d.code == "mpi/border-full"; });
            EXPECT_EQ(full, border == 1);
        }
    }
}

/// A substance that spreads from a source across the borders of parts; a step for each execution.
class SubstanceOfRanks : public BricksOfRanks {
  protected:
    struct Flow {
        World world;
        glm::ivec3 low, high; ///< of the source
    };
    /// The cells of the whole domain on rank 0, and the number of bricks there.
    struct State {
        std::vector<float> cells;
        std::uint32_t bricks = 0;
    };
    State after(const Flow& flow, const Ranks& ranks, unsigned steps) {
        Graph g = graph_of(ranks);
        SparseShape shape = flow.world.shape();
        shape.capacity = static_cast<std::uint32_t>(shape.bricks());
        shape.periodic = flow.world.periodic;
        const auto border = passes::halo_border(g, shape, 256);
        if (!border) return {};
        const BufferHistory list = g.history_buffer("list", passes::list_desc(shape));
        const BufferHistory values = g.history_buffer("values", passes::field_desc(shape, 4));
        SparseClaims wanted =
            passes::adopt_bricks(g, passes::start_claims(g, shape), list.previous[0]);
        const passes::SparseBox source{flow.low, flow.high};
        wanted = passes::claim_boxes(g, wanted, {&source, 1});
        const auto shared = passes::share_bricks(g, *border, wanted.list, wanted.map);
        const SparseBricks bricks = passes::allocate_bricks(g, shared.claims);
        const SparseBricks own = passes::own_bricks(g, *border, bricks);

        ComputeNodeBuilder begin = g.compute("test/brick_source");
        passes::bind_walk(begin, own);
        begin.set("low", flow.low);
        begin.set("high", flow.high);
        begin.set("rate", 0.7f);
        begin.read("before", values.previous[0]);
        const Buffer own_cells =
            begin.write("begun", g.buffer("begun", passes::field_desc(shape, 4)));
        const Buffer begun =
            passes::fill_copies(g, *border, shared.lists, bricks, own_cells, shape.cells());

        ComputeNodeBuilder spread = g.compute("test/brick_spread");
        passes::bind_walk(spread, own);
        passes::bind_neighbors(spread, bricks);
        spread.specialize("kWraps", flow.world.periodic);
        spread.read("brick_map", bricks.map);
        SparseClaims next = passes::start_claims(g, shape, list.current);
        passes::bind_claims(spread, next);
        spread.read("begun", begun);
        const Buffer cells = spread.write("result", values.current);
        (void)passes::send_claims(g, *border, next, bricks);

        const auto whole = g.add(GatherBricks{.source = own, .field = cells});
        g.output("cells",
                 g.add(SparseGather{.bricks = whole.bricks, .field = whole.result}).result);
        copy_out(g, "list", whole.bricks.list);
        Running running = run(std::move(g), steps);
        if (!running) return {};
        const auto words = running.buffer<std::uint32_t>("list");
        return {running.buffer<float>("cells"), words.empty() ? 0 : words[0]};
    }
};

TEST_F(SubstanceOfRanks, HasTheSameBitsForAnyNumberOfThem) {
    const Flow flows[] = {
        {{{26, 12, 11}, {4, 4, 4}}, {2, 4, 3}, {5, 7, 6}},
        {{{24, 8, 8}, {4, 4, 4}, 3}, {20, 0, 2}, {23, 2, 5}}, // goes on at the other end
        {{{16, 16, 24}, {8, 8, 8}}, {7, 7, 14}, {9, 9, 18}},  // in the middle of all parts
    };
    for (const Flow& flow : flows)
        for (const unsigned steps : {1u, 20u}) {
            const State one = after(flow, Ranks{}, steps);
            ASSERT_FALSE(one.cells.empty());
            const auto filled = std::ranges::count_if(one.cells, [](float v) { return v > 0.0f; });
            EXPECT_GT(filled, 0);
            if (steps == 1) {
                EXPECT_LT(one.bricks, flow.world.shape().bricks()) << "all are active";
            }
            for (const Ranks& ranks : descending_grids(flow.world.grid())) {
                const State several = after(flow, ranks, steps);
                if (ranks.rank != 0) continue;
                EXPECT_EQ(several.bricks, one.bricks);
                ASSERT_EQ(several.cells.size(), one.cells.size());
                for (std::size_t i = 0; i < one.cells.size(); ++i)
                    ASSERT_EQ(several.cells[i], one.cells[i])
                        << fmt::format("cell {} after {} steps, {}x{}x{} ranks", i, steps,
                                       ranks.grid[0], ranks.grid[1], ranks.grid[2]);
            }
        }
}

TEST_F(BricksOfRanks, RefuseStoresThatRanksCannotHave) {
    const auto codes_of = [&](const World& world, const Ranks& ranks) {
        Graph g = graph_of(ranks);
        const SparseBricks source =
            g.add(SparseBricksPass{
                      .dims = world.dims,
                      .bricks_parameters = {.brick = world.brick, .storage = world.storage},
                      .box_high = {4, 4, 4}})
                .bricks;
        (void)g.add(ExchangeBricks{.source = source, .periodic_x = world.periodic != 0});
        std::vector<std::string> codes;
        for (const Diagnostic& diagnostic : g.peek().diagnostics)
            codes.push_back(diagnostic.code);
        return codes;
    };
    using testing::ElementsAre;
    using testing::IsEmpty;
    const Ranks two{.grid = {2, 1, 1}};
    EXPECT_THAT(codes_of({{20, 8, 8}, {8, 8, 8}}, two), IsEmpty());
    EXPECT_THAT(codes_of({{20, 8, 8}, {8, 8, 8}, 1}, two), ElementsAre("mpi/periodic-bricks"));
    EXPECT_THAT(codes_of({{8, 64, 64}, {8, 8, 8}}, two), ElementsAre("mpi/too-many-ranks"));
    EXPECT_THAT(codes_of({{20, 8, 8}, {8, 8, 8}, 0, SparseStorage::dense}, two),
                ElementsAre("mpi/dense-store"));
}

} // namespace
} // namespace tuff
