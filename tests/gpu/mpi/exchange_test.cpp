// Halos of parts of a field. Each rank compares its own image with what its cells should be; under
// mpirun all of them do.

#include "passes/mpi/exchange.hpp"
#include "passes/mpi/gather.hpp"
#include "passes/mpi/transfer.hpp"
#include "ranks_fixture.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <optional>

namespace tuff {
namespace {

using passes::Cells;
using passes::GatherParts;
using passes::HaloEdge;
using passes::HaloEdges;
using passes::HaloExchange;
using passes::ScatterParts;
using testing_gpu::cell_value;
using testing_gpu::floats;
using testing_gpu::part_size;
using testing_gpu::Running;
using testing_gpu::texels_of;
using testing_gpu::values_in;

constexpr float kUntouched = -7.0f;

class Exchange : public testing_gpu::RanksTest {
  protected:
    /// A rank's image: its cells, and in the halo a number of no cell.
    static std::shared_ptr<const std::vector<std::byte>>
    part_texels(const Ranks& ranks, const Cells& cells, const Cells& halo) {
        return testing_gpu::part_texels(ranks, cells, halo, kUntouched, [](const Cells& cell) {
            return cell_value(cell[0], cell[1], cell[2]);
        });
    }

    /// What a place along an axis holds: step by step, unlike the pass.
    static std::optional<std::uint32_t> cell_at(std::int64_t at, std::uint32_t cells,
                                                HaloEdge edge) {
        while (at < 0 || at >= cells) {
            if (edge == HaloEdge::keep) return std::nullopt;
            if (edge == HaloEdge::clamp)
                at += at < 0 ? 1 : -1;
            else
                at += at < 0 ? static_cast<std::int64_t>(cells) : -static_cast<std::int64_t>(cells);
        }
        return static_cast<std::uint32_t>(at);
    }
    static float expected(const Ranks& ranks, const Cells& cells, const Cells& halo,
                          const HaloEdges& edges, const Cells& texel) {
        const auto part = ranks.part(cells);
        std::array<std::uint32_t, 3> cell{};
        for (std::size_t a = 0; a < 3; ++a) {
            const auto at =
                cell_at(std::int64_t{part[a].first} + texel[a] - halo[a], cells[a], edges[a]);
            if (!at) return kUntouched;
            cell[a] = *at;
        }
        return cell_value(cell[0], cell[1], cell[2]);
    }

    void check(const Ranks& ranks, const Cells& cells, std::uint32_t width, bool volume,
               std::span<const HaloEdges> edges, unsigned executions = 1) {
        const Cells halo{width, width, volume ? width : 0};
        const Cells size = part_size(ranks, cells, halo);
        Graph g = graph_of(ranks);
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const Image part = g.constant_image(fmt::format("part{}", i), floats(size, volume),
                                                part_texels(ranks, cells, halo));
            const HaloExchange pass{.source = part,
                                    .cells = {static_cast<int>(cells[0]),
                                              static_cast<int>(cells[1]),
                                              static_cast<int>(cells[2])},
                                    .halo = static_cast<std::int32_t>(width),
                                    .edge_x = edges[i][0],
                                    .edge_y = edges[i][1],
                                    .edge_z = edges[i][2]};
            g.output(fmt::format("result{}", i), g.add(pass).result);
        }
        Running running = run(std::move(g), executions);
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const std::vector<float> values = values_in(running, fmt::format("result{}", i));
            ASSERT_EQ(values.size(), std::size_t{size[0]} * size[1] * size[2]);
            std::size_t at = 0;
            for (std::uint32_t z = 0; z < size[2]; ++z)
                for (std::uint32_t y = 0; y < size[1]; ++y)
                    for (std::uint32_t x = 0; x < size[0]; ++x, ++at)
                        ASSERT_EQ(values[at], expected(ranks, cells, halo, edges[i], {x, y, z}))
                            << fmt::format("texel {}, {}, {} of rank {} of {}x{}x{}, field {}x{}x{}"
                                           ", halo {}, edges {}",
                                           x, y, z, ranks.rank, ranks.grid[0], ranks.grid[1],
                                           ranks.grid[2], cells[0], cells[1], cells[2], width, i);
        }
    }
};

constexpr HaloEdges kFlatEdges[] = {
    {HaloEdge::clamp, HaloEdge::clamp, HaloEdge::clamp},
    {HaloEdge::periodic, HaloEdge::periodic, HaloEdge::clamp},
    {HaloEdge::clamp, HaloEdge::periodic, HaloEdge::clamp},
    {HaloEdge::keep, HaloEdge::keep, HaloEdge::clamp},
    {HaloEdge::periodic, HaloEdge::keep, HaloEdge::clamp},
};
constexpr HaloEdges kSolidEdges[] = {
    {HaloEdge::clamp, HaloEdge::clamp, HaloEdge::clamp},
    {HaloEdge::periodic, HaloEdge::periodic, HaloEdge::periodic},
    {HaloEdge::keep, HaloEdge::clamp, HaloEdge::periodic},
};

TEST_F(Exchange, FillsHalosOfPictures) {
    for (const Cells& cells : {Cells{17, 11, 1}, Cells{8, 4, 1}, Cells{5, 13, 1}})
        for (const Ranks& ranks : grids(cells))
            for (const std::uint32_t halo : {1u, 3u})
                check(ranks, cells, halo, false, kFlatEdges);
}

TEST_F(Exchange, FillsHalosOfVolumes) {
    for (const Cells& cells : {Cells{7, 5, 6}, Cells{4, 9, 4}})
        for (const Ranks& ranks : grids(cells))
            for (const std::uint32_t halo : {1u, 3u})
                check(ranks, cells, halo, true, kSolidEdges);
}

/// Cells of three words, in buffers.
TEST_F(Exchange, FillsHalosOfArrays) {
    constexpr std::uint32_t kWords = 3;
    const Cells cells{7, 5, 6};
    const Cells halo{2, 1, 3};
    for (const Ranks& ranks : grids(cells))
        for (const HaloEdges& edges : kSolidEdges) {
            const Cells size = part_size(ranks, cells, halo);
            std::vector<float> words;
            const auto texels = part_texels(ranks, cells, halo);
            for (std::size_t i = 0; i < texels->size() / sizeof(float); ++i) {
                float value = 0.0f;
                std::memcpy(&value, texels->data() + i * sizeof(float), sizeof(float));
                for (std::uint32_t w = 0; w < kWords; ++w)
                    words.push_back(value == kUntouched ? value
                                                        : value + 0.125f * static_cast<float>(w));
            }
            Graph g = graph_of(ranks);
            const BufferDesc desc{.size = words.size() * sizeof(float), .stride = sizeof(float)};
            const Buffer given = g.constant_buffer("given", desc, testing_gpu::bytes_of(words));
            const passes::CellArray part{g.copy(given, g.buffer("part", desc), "copy"), size,
                                         kWords};
            g.output("result", passes::fill_halo(g, part, {cells, halo, edges}).buffer);
            const std::vector<float> values = run(std::move(g), 2).buffer<float>("result");
            ASSERT_EQ(values.size(), words.size());
            std::size_t at = 0;
            for (std::uint32_t z = 0; z < size[2]; ++z)
                for (std::uint32_t y = 0; y < size[1]; ++y)
                    for (std::uint32_t x = 0; x < size[0]; ++x)
                        for (std::uint32_t w = 0; w < kWords; ++w, ++at) {
                            const float cell = expected(ranks, cells, halo, edges, {x, y, z});
                            ASSERT_EQ(values[at], cell == kUntouched
                                                      ? cell
                                                      : cell + 0.125f * static_cast<float>(w))
                                << fmt::format("cell {}, {}, {}, word {}", x, y, z, w);
                        }
        }
}

/// Halos then reach beyond the next rank, and around the field.
TEST_F(Exchange, FillsHalosOfRanksWithOneCell) {
    const std::uint32_t size = job_size();
    const Ranks row{.grid = {size, 1, 1}, .rank = job_rank(), .communicator = communicator()};
    const Ranks column{.grid = {1, 1, size}, .rank = job_rank(), .communicator = communicator()};
    for (const std::uint32_t halo : {1u, 3u}) {
        check(row, {size, 1, 1}, halo, false, kFlatEdges);
        check(row, {size, 3, 1}, halo, false, kFlatEdges);
        check(column, {2, 1, size}, halo, true, kSolidEdges);
    }
}

TEST_F(Exchange, GoesOnInEveryExecution) {
    const Cells cells{9, 6, 1};
    for (const Ranks& ranks : grids(cells))
        check(ranks, cells, 2, false, kFlatEdges, 9);
}

TEST_F(Exchange, KeepsTheBitsOfNarrowFormats) {
    const Cells cells{6, 8, 1};
    for (const Ranks& ranks : grids(cells)) {
        const auto part = ranks.part(cells);
        const Extent size{part[0].count + 2, part[1].count + 2, 1};
        std::vector<std::uint8_t> bytes(std::size_t{size.width} * size.height * 4);
        const auto byte_at = [](std::uint32_t x, std::uint32_t y, std::size_t c) {
            return static_cast<std::uint8_t>(7 * x + 31 * y + 83 * c);
        };
        for (std::uint32_t y = 0; y < part[1].count; ++y)
            for (std::uint32_t x = 0; x < part[0].count; ++x)
                for (std::size_t c = 0; c < 4; ++c)
                    bytes[((y + 1) * size.width + x + 1) * 4 + c] =
                        byte_at(part[0].first + x, part[1].first + y, c);
        Graph g = graph_of(ranks);
        const Image image = g.constant_image(
            "part", {.format = Format::rgba8_unorm, .extent = size}, testing_gpu::bytes_of(bytes));
        const HaloExchange pass{.source = image,
                                .cells = {6, 8, 1},
                                .halo = 1,
                                .edge_x = HaloEdge::periodic,
                                .edge_y = HaloEdge::periodic};
        g.output("result", g.add(pass).result);
        const HostImage result = run(std::move(g)).image("result");
        ASSERT_EQ(result.texels.size(), bytes.size());
        for (std::uint32_t y = 0; y < size.height; ++y)
            for (std::uint32_t x = 0; x < size.width; ++x)
                for (std::size_t c = 0; c < 4; ++c)
                    ASSERT_EQ(
                        std::to_integer<unsigned>(result.texels[(y * size.width + x) * 4 + c]),
                        byte_at((part[0].first + x + 5) % 6, (part[1].first + y + 7) % 8, c));
    }
}

TEST_F(Exchange, ScattersAFieldAndGathersItAgain) {
    struct Case {
        Cells cells;
        std::uint32_t halo;
        bool volume;
    };
    for (const Case& c :
         {Case{{13, 7, 1}, 2, false}, Case{{4, 4, 1}, 0, false}, Case{{5, 4, 7}, 1, true}})
        for (const Ranks& ranks : grids(c.cells)) {
            Graph g = graph_of(ranks);
            // That of rank 0 counts.
            const Image whole = g.constant_image(
                "whole", floats(c.cells, c.volume),
                texels_of(c.cells, [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
                    return ranks.rank == 0 ? cell_value(x, y, z) : kUntouched;
                }));
            const glm::ivec3 cells(c.cells[0], c.cells[1], c.cells[2]);
            const auto halo = static_cast<std::int32_t>(c.halo);
            const Image part =
                g.add(ScatterParts{.source = whole, .cells = cells, .halo = halo}).result;
            const Image again =
                g.add(GatherParts{.source = part, .cells = cells, .halo = halo}).result;
            g.output("part", part);
            g.output("again", again);
            Running running = run(std::move(g), 3);
            const Cells width{c.halo, c.halo, c.volume ? c.halo : 0};
            const Cells size = part_size(ranks, c.cells, width);
            const HaloEdges outside{HaloEdge::keep, HaloEdge::keep, HaloEdge::keep};
            const std::vector<float> parts = values_in(running, "part");
            ASSERT_EQ(parts.size(), std::size_t{size[0]} * size[1] * size[2]);
            const auto own = ranks.part(c.cells);
            std::size_t at = 0;
            for (std::uint32_t z = 0; z < size[2]; ++z)
                for (std::uint32_t y = 0; y < size[1]; ++y)
                    for (std::uint32_t x = 0; x < size[0]; ++x, ++at) {
                        const Cells texel{x, y, z};
                        bool inside = true;
                        for (std::size_t a = 0; a < 3; ++a)
                            inside = inside && texel[a] >= width[a] &&
                                     texel[a] < width[a] + own[a].count;
                        ASSERT_EQ(parts[at],
                                  inside ? expected(ranks, c.cells, width, outside, texel) : 0.0f);
                    }
            const std::vector<float> gathered = values_in(running, "again");
            at = 0;
            for (std::uint32_t z = 0; z < c.cells[2]; ++z)
                for (std::uint32_t y = 0; y < c.cells[1]; ++y)
                    for (std::uint32_t x = 0; x < c.cells[0]; ++x, ++at)
                        ASSERT_EQ(gathered[at], ranks.rank == 0 ? cell_value(x, y, z) : 0.0f);
        }
}

/// The steps of a field over ranks are those of one rank, to the bit.
TEST_F(Exchange, StepsAFieldAsOneRankDoes) {
    struct Case {
        Cells cells;
        bool volume;
        HaloEdges edges;
    };
    const Case cases[] = {
        {{31, 22, 1}, false, {HaloEdge::clamp, HaloEdge::periodic, HaloEdge::clamp}},
        {{9, 8, 7}, true, {HaloEdge::periodic, HaloEdge::clamp, HaloEdge::periodic}},
    };
    const auto steps_of = [&](const Case& c, const Ranks& ranks) {
        Graph g = graph_of(ranks);
        const glm::ivec3 cells(c.cells[0], c.cells[1], c.cells[2]);
        const auto part = ranks.part(c.cells);
        const Cells size = part_size(ranks, c.cells, {1, 1, c.volume ? 1u : 0u});
        const ImageHistory state = g.history_image("state", floats(size, c.volume));
        // The first execution begins with zeros, so each adds the same source.
        const Image source = g.constant_image(
            "source", floats(size, c.volume),
            texels_of(size, [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
                return cell_value(part[0].first + x, part[1].first + y, part[2].first + z) * 1e-3f;
            }));
        Image field = state.previous[0];
        for (const Image from : {source, field}) {
            Image current = from;
            for (int i = 0; i < 3; ++i) {
                const HaloExchange pass{.source = current,
                                        .cells = cells,
                                        .halo = 1,
                                        .edge_x = c.edges[0],
                                        .edge_y = c.edges[1],
                                        .edge_z = c.edges[2]};
                const Image whole = g.add(pass).result;
                ComputeNodeBuilder node = g.compute("test/heat", {{"VOLUME", c.volume}});
                node.read("source", whole, Sampler::nearest());
                node.set("halo", 1u);
                node.set("rate", 0.1f);
                current = node.write("result", g.image("stepped", floats(size, c.volume)));
                node.dispatch_over(g.extent(current));
            }
            field = current;
            if (from == source) (void)g.copy(current, state.current);
        }
        g.output("field", g.add(GatherParts{.source = field, .cells = cells, .halo = 1}).result);
        Running running = run(std::move(g), 5, {.frames_in_flight = 3});
        return values_in(running, "field");
    };
    for (const Case& c : cases) {
        const std::vector<float> one = steps_of(c, Ranks{});
        ASSERT_FALSE(one.empty());
        EXPECT_GT(*std::ranges::max_element(one), 0.0f);
        for (const Ranks& ranks : grids(c.cells)) {
            const std::vector<float> several = steps_of(c, ranks);
            if (ranks.rank != 0) continue;
            ASSERT_EQ(several.size(), one.size());
            for (std::size_t i = 0; i < one.size(); ++i)
                ASSERT_EQ(several[i], one[i]) << "cell " << i << " of a grid of " << ranks.grid[0]
                                              << "x" << ranks.grid[1] << "x" << ranks.grid[2];
        }
    }
}

/// Work that reads the part before its halo has come does not wait for the host.
TEST_F(Exchange, LetsTheInteriorRunMeanwhile) {
    const Cells cells{16, 16, 1};
    for (const Ranks& ranks : grids(cells)) {
        if (ranks.size() == 1) continue;
        Graph g = graph_of(ranks);
        const Cells size = part_size(ranks, cells, {1, 1, 0});
        const auto heat = [&](Image source, std::string_view name) {
            ComputeNodeBuilder node = g.compute("test/heat", {{"VOLUME", 0}}, name);
            node.read("source", source, Sampler::nearest());
            node.set("halo", 1u);
            node.set("rate", 0.1f);
            const Image result = node.write("result", g.image(name, floats(size, false)));
            node.dispatch_over(g.extent(result));
            return result;
        };
        const Image part = g.clear(g.image("part", floats(size, false)), std::array<float, 4>{});
        const Image interior = heat(part, "interior");
        const Image filled =
            g.add(HaloExchange{.source = part, .cells = {16, 16, 1}, .halo = 1}).result;
        g.output("interior", interior);
        g.output("border", heat(filled, "border"));
        const auto plan = compile_graph(std::move(g));
        ASSERT_TRUE(plan);
        const auto submission_of = [&](std::string_view name) -> const Submission& {
            for (const Level& level : plan->levels)
                for (std::uint32_t i = 0; i < level.node_count; ++i)
                    if (plan->graph.name_of(plan->order[level.first_node + i]) == name)
                        return plan->submissions[level.submission];
            ADD_FAILURE() << name;
            return plan->submissions[0];
        };
        EXPECT_EQ(submission_of("exchange/send_receive").queue, Queue::host);
        EXPECT_EQ(submission_of("interior").from_host, MemoryBarrier{});
        EXPECT_EQ(submission_of("interior").to_host, MemoryBarrier{});
        EXPECT_NE(submission_of("border").from_host, MemoryBarrier{});
    }
}

/// So that the plan of a frame serves the next ones.
TEST_F(Exchange, HasTheSameStructureWhereverItsGraphIsBuiltAgain) {
    const Cells cells{8, 9, 1};
    for (const Ranks& ranks : grids(cells)) {
        const auto built = [&](float clear) {
            Graph g = graph_of(ranks);
            Image image =
                g.clear(g.image("part", floats(part_size(ranks, cells, {1, 1, 0}), false)),
                        std::array<float, 4>{clear});
            image = g.add(HaloExchange{.source = image, .cells = {8, 9, 1}, .halo = 1}).result;
            g.output("whole",
                     g.add(GatherParts{.source = image, .cells = {8, 9, 1}, .halo = 1}).result);
            return std::move(g).finish();
        };
        EXPECT_TRUE(same_structure(built(1.0f), built(1.0f)));
        EXPECT_FALSE(same_structure(built(1.0f), built(2.0f)));
    }
}

TEST_F(Exchange, RefusesImagesThatAreNotTheRanksPart) {
    const Ranks alone;
    const auto codes_of = [&](const Ranks& ranks, const Cells& image, glm::ivec3 cells,
                              Format format = Format::r32_sfloat) {
        Graph g = graph_of(ranks);
        const Image part =
            g.image("part", {.format = format, .extent = {image[0], image[1], image[2]}});
        (void)g.add(HaloExchange{.source = part, .cells = cells, .halo = 1});
        std::vector<std::string> codes;
        for (const Diagnostic& diagnostic : g.peek().diagnostics)
            codes.push_back(diagnostic.code);
        return codes;
    };
    using testing::ElementsAre;
    using testing::IsEmpty;
    EXPECT_THAT(codes_of(alone, {6, 7, 1}, {4, 5, 1}), IsEmpty());
    EXPECT_THAT(codes_of(alone, {6, 6, 1}, {4, 5, 1}), ElementsAre("mpi/part-size"));
    EXPECT_THAT(codes_of(alone, {4, 5, 1}, {4, 5, 1}), ElementsAre("mpi/part-size"));
    EXPECT_THAT(codes_of(alone, {6, 7, 1}, {4, 5, 2}), ElementsAre("mpi/part-size"));
    EXPECT_THAT(codes_of(alone, {6, 7, 1}, {4, 5, 1}, Format::rgba8_srgb),
                ElementsAre("mpi/unsupported-format"));
    EXPECT_THAT(codes_of({.grid = {5, 1, 1}}, {3, 7, 1}, {4, 5, 1}),
                ElementsAre("mpi/too-many-ranks"));
}

} // namespace
} // namespace tuff
