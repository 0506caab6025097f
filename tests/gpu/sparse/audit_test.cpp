#include "passes/sparse/audit.hpp"
#include "passes/sparse/bricks.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

/// sparse/audit: counts what a store does, and finds what does not agree.
namespace tuff {
namespace {

using passes::SparseAudit;
using passes::SparseBricks;
using passes::SparseBricksPass;
using passes::SparseStatus;
using passes::SparseTotals;
using passes::SparseWhenFull;
using testing_gpu::bytes_of;
using testing_gpu::Running;

class SparseAudits : public testing_gpu::GpuTest {
  protected:
    static constexpr std::uint32_t kKept = 5;
    /// A box that moves, in a store that forgets or evicts.
    Graph build(glm::uvec3 dims, bool keep, SparseWhenFull when_full, glm::ivec3 low,
                glm::ivec3 high) {
        Graph g = graph();
        const SparseBricks bricks =
            g.add(SparseBricksPass{.dims = dims,
                                   .bricks_parameters = {.capacity = 60, .when_full = when_full},
                                   .box_low = low,
                                   .box_high = high,
                                   .keep = keep})
                .bricks;
        const SparseAudit audit = g.add(SparseAudit{.bricks = bricks, .kept = kKept});
        output(g, "status", bricks.status);
        for (const auto& [name, buffer] : {std::pair{"totals", audit.totals},
                                           {"active", audit.active},
                                           {"fresh", audit.fresh},
                                           {"refused", audit.refused},
                                           {"evicted", audit.evicted}})
            output(g, name, buffer);
        return g;
    }
    static void output(Graph& g, const std::string& name, Buffer buffer) {
        g.output(name, g.copy(buffer, g.buffer("copy", g.desc(buffer))));
    }
};

TEST_F(SparseAudits, TotalsAndSeriesAreThoseOfTheStatuses) {
    struct Case {
        glm::uvec3 dims;
        bool keep;
        SparseWhenFull when_full;
    };
    for (const Case& c : {Case{glm::uvec3(96), true, SparseWhenFull::evict},
                          Case{glm::uvec3(8192), true, SparseWhenFull::evict},
                          Case{glm::uvec3(8192), false, SparseWhenFull::refuse}}) {
        SCOPED_TRACE(c.dims.x);
        std::mt19937 random(4);
        Running running = start(build(c.dims, c.keep, c.when_full, glm::ivec3(0), glm::ivec3(8)));
        ASSERT_TRUE(running);
        std::vector<SparseStatus> statuses;
        std::uint32_t given_back = 0;
        std::uint32_t before = 0;
        for (int step = 0; step < 12; ++step) {
            glm::ivec3 low, size;
            for (int axis = 0; axis < 3; ++axis) {
                low[axis] = static_cast<int>(random() % 60);
                size[axis] = 10 + static_cast<int>(random() % 26);
            }
            const GraphDesc desc = build(c.dims, c.keep, c.when_full, low, low + size).finish();
            ASSERT_TRUE(running->set_parameters(desc.parameters));
            running.execute();
            const auto status = SparseStatus::read(running.buffer<std::uint32_t>("status"));
            given_back += before + status.fresh - status.active_bricks;
            before = status.active_bricks;
            statuses.push_back(status);
            const auto totals = SparseTotals::read(running.buffer<std::uint32_t>("totals"));
            std::uint32_t fresh = 0, refused = 0, evicted = 0, most = 0;
            for (const SparseStatus& s : statuses) {
                fresh += s.fresh;
                refused += s.refused;
                evicted += s.evicted;
                most = std::max(most, s.active_bricks);
            }
            EXPECT_EQ(totals.executions, statuses.size());
            EXPECT_EQ(totals.broken, 0u);
            EXPECT_EQ(totals.fresh, fresh);
            EXPECT_EQ(totals.refused, refused);
            EXPECT_EQ(totals.evicted, evicted);
            EXPECT_EQ(totals.given_back, given_back);
            EXPECT_EQ(totals.most, most);
            EXPECT_TRUE(totals.warnings().empty());
            for (std::size_t i = 0; i < kKept; ++i) {
                const auto at = static_cast<std::ptrdiff_t>(statuses.size() - kKept + i);
                const SparseStatus s =
                    at < 0 ? SparseStatus{} : statuses[static_cast<std::size_t>(at)];
                const auto number = [&](const std::string& name) {
                    return running.buffer<float>(name)[i];
                };
                EXPECT_EQ(number("active"), static_cast<float>(s.active_bricks));
                EXPECT_EQ(number("fresh"), static_cast<float>(s.fresh));
                EXPECT_EQ(number("refused"), static_cast<float>(s.refused));
                EXPECT_EQ(number("evicted"), static_cast<float>(s.evicted));
            }
        }
        const auto totals = SparseTotals::read(running.buffer<std::uint32_t>("totals"));
        const auto window = [&](std::size_t first) {
            std::uint32_t most = 0;
            for (std::size_t i = first; i < first + kKept; ++i)
                most = std::max(most, statuses[i].active_bricks);
            return most;
        };
        EXPECT_EQ(totals.early_most, window(kKept));
        EXPECT_EQ(totals.last_most, window(kKept));
        EXPECT_GT(totals.given_back, 0u);
    }
}

TEST_F(SparseAudits, WhatDoesNotAgreeIsCounted) {
    Graph g = graph();
    const SparseBricks sound =
        g.add(SparseBricksPass{.dims = glm::uvec3(32), .box_high = glm::ivec3(16)}).bricks;
    // Eight bricks have slots; a list that names one of them twice, one with a slot that it does
    // not have, and one that is not there.
    const auto audited = [&](const std::string& name, const SparseBricks& bricks) {
        g.push_scope(name);
        output(g, name, g.add(SparseAudit{.bricks = bricks, .kept = 1}).totals);
        g.pop_scope();
    };
    audited("sound", sound);
    SparseBricks broken = sound;
    std::vector<std::uint32_t> list(4 + 2 * sound.shape.capacity, 0);
    list[0] = 4;
    list[4] = 63, list[5] = 1;      // is not active
    list[6] = 0, list[7] = 1000000; // no such slot
    list[8] = 63, list[9] = ~0u;    // and no slot at all
    list[10] = 62, list[11] = ~1u;
    broken.list =
        g.constant_buffer("broken", {.size = 4 * list.size(), .stride = 4}, bytes_of(list));
    audited("unlisted", broken);
    SparseBricks twice = sound;
    ASSERT_TRUE(g.desc(sound.list).size > 32);
    Buffer copy = g.copy(sound.list, g.buffer("twice", g.desc(sound.list)));
    twice.list = g.copy(BufferView(sound.list, 16, 8), BufferView(copy, 24, 8));
    audited("twice", twice);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const auto read = [&](const std::string& name) {
        return SparseTotals::read(running.buffer<std::uint32_t>(name));
    };
    EXPECT_EQ(read("sound").broken, 0u);
    EXPECT_EQ(read("unlisted").broken, 4u);
    EXPECT_EQ(read("twice").broken, 1u);
    ASSERT_EQ(read("twice").warnings().size(), 1u);
    EXPECT_EQ(read("twice").warnings()[0].code, "sparse/broken");
}

} // namespace
} // namespace tuff
