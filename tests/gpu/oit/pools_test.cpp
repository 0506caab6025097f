// Pools that are too small grow when their graph is built anew, frame by frame.

#include "passes/geometry/compute_raster.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/oit/compute.hpp"
#include "passes/oit/shade.hpp"
#include "passes/oit/tiled.hpp"
#include "tests/gpu/oit/oit_fixture.hpp"

#include <tuff/graph_runner.hpp>

#include <functional>

namespace tuff {
namespace {

using passes::OitCapture;
using passes::OitResolve;
using passes::OitTiled;

class OitPools : public OitTest {
  protected:
    /// Adds what makes the picture of panes.
    using Way = std::function<Image(Graph&, const Seen&)>;

    struct Frames {
        Diagnostics told;               ///< pools that grew
        std::vector<std::size_t> lacks; ///< by frame: warnings of passes
        std::uint32_t compilations = 0;
        PoolSizes pools;
        HostImage last;
        std::vector<std::byte> first;  ///< picture of the first frame, where that was waited for
        std::vector<std::byte> before; ///< what a history held in the last frame
    };
    /// `wait`: for each frame, as somebody does who looks at it.
    Frames run_frames(int count, bool wait, const std::function<void(Graph&)>& build) {
        Frames frames;
        GraphRunner runner(device());
        for (int frame = 0; frame < count; ++frame) {
            auto grown = runner.grow_pools();
            EXPECT_TRUE(grown);
            if (frame == 0 || !grown->empty()) {
                Graph g = graph();
                g.set_pools(runner.pools());
                build(g);
                const auto taken = runner.take(std::move(g).finish(), shaders());
                EXPECT_TRUE(taken) << to_string(taken.error());
                if (!taken) return frames;
            }
            std::ranges::move(*grown, std::back_inserter(frames.told));
            EXPECT_TRUE(runner.executor()->execute());
            if (!wait && frame + 1 < count) continue;
            const auto warnings = runner.executor()->warnings();
            EXPECT_TRUE(warnings);
            frames.lacks.push_back(warnings->size());
            if (frame == 0) frames.first = runner.executor()->read_image("color")->texels;
        }
        frames.compilations = runner.compilations();
        frames.pools = runner.pools();
        frames.last = *runner.executor()->read_image("color");
        if (const auto before = runner.executor()->read_image("before"))
            frames.before = before->texels;
        return frames;
    }

    std::mt19937 random_{5};
    const PaneScene scene_ = random_panes(random_, 24, 12, 12);
};

TEST_F(OitPools, GrowToWhatWasNeededAndNothingIsLostAnyMore) {
    const auto linked = [](Graph& g, const Seen& seen) {
        OitCapture capture{.scene = seen.scene, .view = seen.view};
        capture.pool.capacity = 100;
        return g.add(OitResolve{.lists = g.add(capture, "glass").lists, .view = seen.view}).color;
    };
    const auto arrays = [](Graph& g, const Seen& seen) {
        OitCapture capture{
            .scene = seen.scene, .view = seen.view, .layout = passes::FragmentLayout::arrays};
        capture.pool.capacity = 0;
        return g.add(OitResolve{.lists = g.add(capture, "glass").lists, .view = seen.view}).color;
    };
    const auto tiled = [](Graph& g, const Seen& seen) {
        OitTiled small{.scene = seen.scene, .view = seen.view, .tile = {9, 8}};
        small.pool.capacity = 1;
        return g.add(small, "glass").color;
    };
    // Nobody reads how many fragments there are.
    const auto counted = [](Graph& g, const Seen& seen) {
        passes::CaptureFragments capture{.mesh = g.add(passes::Triangles{.scene = seen.scene}).mesh,
                                         .capacity = 1};
        const Extent extent = g.extent(seen.view.color);
        capture.width = extent.width;
        capture.height = extent.height;
        capture.clip_from_mesh = seen.view.view_projection;
        passes::OitShade shade{.scene = seen.scene, .view = seen.view};
        shade.captured = g.add(capture, "glass").lists;
        return g.add(OitResolve{.lists = g.add(shade).lists, .view = seen.view}).color;
    };
    const std::pair<const char*, Way> ways[] = {
        {"linked", linked}, {"arrays", arrays}, {"tiled", tiled}, {"counted", counted}};
    const auto expected = blended_by_sorting(scene_, quantized_8bit);
    for (const auto& [name, way] : ways) {
        const auto build = [&, &way = way](Graph& g) {
            const Seen seen = see(g, scene_);
            g.output("color", way(g, seen));
        };
        const Frames frames = run_frames(4, false, build);
        expect_near(frames.last, expected, 2.0 / 1024.0, name);
        EXPECT_EQ(frames.compilations, 2u) << name;
        ASSERT_EQ(frames.told.size(), 1u) << name;
        EXPECT_EQ(frames.told.front().code, "graph/pool-grown");
        EXPECT_TRUE(frames.told.front().message.starts_with("glass/fragments: ")) << name;
        EXPECT_EQ(frames.lacks, std::vector<std::size_t>{0}) << name; // the last frame
        // A quarter more than what there is, of a rectangle or of all.
        const std::uint64_t room = frames.pools.at("glass/fragments");
        const std::size_t most = fragments_of(scene_);
        EXPECT_LE(room, most + most / 4) << name;
        if (std::string_view(name) != "tiled") {
            EXPECT_GE(room, most) << name;
        }
    }
}

TEST_F(OitPools, GrowForTheNextFrameWhereEachIsWaitedForAndHistoriesGoOn) {
    const auto build = [&](bool remembers) {
        return [&, remembers](Graph& g) {
            const Seen seen = see(g, scene_);
            OitCapture capture{.scene = seen.scene, .view = seen.view};
            capture.pool.capacity = 100;
            const Image color =
                g.add(OitResolve{.lists = g.add(capture).lists, .view = seen.view}).color;
            g.output("color", color);
            if (!remembers) return;
            const ImageHistory kept = g.history_image("kept", g.desc(color), 1);
            static_cast<void>(g.copy(color, kept.current));
            const Image before = g.image("before", g.desc(color));
            g.output("before", g.copy(kept.previous.front(), before));
        };
    };
    const Frames frames = run_frames(3, true, build(false));
    EXPECT_EQ(frames.lacks, (std::vector<std::size_t>{1, 0, 0}));
    const Frames kept = run_frames(2, true, build(true));
    EXPECT_EQ(kept.lacks, (std::vector<std::size_t>{1, 0}));
    EXPECT_EQ(kept.compilations, 2u);
    EXPECT_EQ(kept.told.size(), 1u);
    // Of the execution that lacked room, in which the plan before has run.
    EXPECT_EQ(kept.before, kept.first);
}

TEST_F(OitPools, AreThoseOfAPictureWhoseSizeChangesBetweenFrames) {
    GraphRunner runner(device());
    for (const std::uint32_t side : {24u, 9u, 31u, 24u}) {
        const PaneScene scene = random_panes(random_, side, 6, 6);
        Graph g = graph();
        g.set_pools(runner.pools());
        const Seen seen = see(g, scene);
        const auto lists = g.add(OitCapture{.scene = seen.scene, .view = seen.view}).lists;
        g.output("color", g.add(OitResolve{.lists = lists, .view = seen.view}).color);
        ASSERT_TRUE(runner.take(std::move(g).finish(), shaders()));
        ASSERT_TRUE(runner.executor()->execute());
        expect_near(*runner.executor()->read_image("color"),
                    blended_by_sorting(scene, quantized_8bit), 2.0 / 1024.0, std::to_string(side));
        EXPECT_TRUE(runner.grow_pools()->empty());
    }
}

TEST_F(OitPools, OfComputeTilesAreTwo) {
    const passes::OitComputeStatus status{.triangles = 8, .needed = 9, .bins = 7, .bin_room = 5};
    const auto needs = status.pool_needs();
    ASSERT_EQ(needs.size(), 2u);
    EXPECT_EQ(needs[0].pool, "triangles");
    EXPECT_EQ(needs[0].elements, 9u);
    EXPECT_EQ(needs[1].pool, "bins");
    EXPECT_EQ(needs[1].elements, 7u);
    EXPECT_TRUE(passes::OitComputeStatus{}.pool_needs().empty());
}

} // namespace
} // namespace tuff
