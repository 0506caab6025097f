#include "passes/occlusion/followed.hpp"
#include "tests/gpu/occlusion/occlusion_test.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

/// A volume that changes in places, from one execution to the next, against a full build.
namespace tuff {
namespace {

using passes::OcclusionAmbient;
using passes::OcclusionBorder;
using passes::OcclusionFollowed;
using testing_gpu::OpacityVolume;
using testing_gpu::Running;

class Followed : public testing_gpu::GpuTest {
  protected:
    struct Frame {
        OpacityVolume volume;
        std::uint32_t shells = 6;
        OcclusionBorder border = OcclusionBorder::open;
        float growth = 1.4f;
    };
    /// The volume comes from the host in every execution.
    Graph describe(const Frame& frame) {
        std::vector<std::uint16_t> units(frame.volume.numbers.size());
        std::ranges::transform(frame.volume.numbers, units.begin(), [](float number) {
            return static_cast<std::uint16_t>(number * 65535.0f + 0.5f);
        });
        Graph g = graph();
        const glm::uvec3 size(frame.volume.dims);
        const Buffer texels = g.upload(g.buffer("texels", {.size = 2 * units.size(), .stride = 2}),
                                       testing_gpu::bytes_of(units));
        const Image opacity =
            g.copy_to_image(texels, g.image("opacity", {.format = Format::r16_unorm,
                                                        .extent = {size.x, size.y, size.z},
                                                        .shape = ImageShape::d3}));
        OcclusionFollowed followed{.opacity = opacity, .shells = frame.shells};
        followed.border = frame.border;
        followed.growth = frame.growth;
        followed = g.add(followed);
        g.output("followed", followed.result);
        g.output("dirty", followed.dirty);
        OcclusionAmbient whole{.opacity = opacity, .shells = frame.shells};
        whole.border = frame.border;
        whole.growth = frame.growth;
        g.output("whole", g.add(whole).result);
        return g;
    }
    static std::uint32_t expect_whole(Running& running, const char* what) {
        EXPECT_EQ(running.image("followed").texels, running.image("whole").texels) << what;
        const auto dirty = running.buffer<std::uint32_t>("dirty");
        return std::accumulate(dirty.begin(), dirty.end(), 0u);
    }
    void next(Running& running, const Frame& frame) {
        const GraphDesc desc = describe(frame).finish();
        ASSERT_TRUE(same_structure(running->plan().graph, desc));
        ASSERT_TRUE(running->set_parameters(desc.parameters));
        running->set_uploads(desc);
        running.execute();
    }
};

TEST_F(Followed, ChangesGiveTheResultOfTheWholeVolume) {
    TUFF_ONLY_ON(lavapipe);
    for (const OcclusionBorder border : {OcclusionBorder::open, OcclusionBorder::clamp}) {
        // 13 x 2 x 2 bricks, of which the last ones are cut off; the widest cubes reach two.
        Frame frame{.volume = OpacityVolume::noise({200, 20, 24}, 3, 0.2), .border = border};
        const auto at = [&](int x, int y, int z) -> float& {
            return frame.volume.numbers[static_cast<std::size_t>((z * 20 + y) * 200 + x)];
        };
        Running running = run(describe(frame));
        EXPECT_EQ(expect_whole(running, "at first"), 52u);
        next(running, frame);
        EXPECT_EQ(expect_whole(running, "as it was"), 0u);
        at(100, 3, 20) = 1.0f; // in the brick from 96 on
        next(running, frame);
        EXPECT_EQ(expect_whole(running, "a voxel"), 20u);
        at(0, 19, 0) = 0.9f;
        at(199, 0, 23) = 0.8f;
        next(running, frame);
        EXPECT_EQ(expect_whole(running, "both ends"), 24u);
        at(100, 3, 20) = 0.0f;
        next(running, frame);
        EXPECT_EQ(expect_whole(running, "a voxel goes"), 20u);
        frame.growth = 1.0f;
        next(running, frame);
        EXPECT_EQ(expect_whole(running, "another parameter"), 52u);
    }
}

// A buffer of an earlier execution that a later one wrote too soon, or a phase of a history taken
// for another, would leave other bits behind. Devices of software run what was submitted in order,
// and synchronisation validation looks for what they would not show.
TEST_F(Followed, ExecutionsInFlightLeaveTheStateOfOneAtATime) {
    constexpr int kFrames = 8;
    constexpr glm::ivec3 kDims{70, 20, 33};
    std::vector<Frame> frames{{.volume = OpacityVolume::noise(kDims, 11, 0.3), .shells = 4}};
    for (int i = 1; i < kFrames; ++i) {
        Frame& frame = frames.emplace_back(frames.back());
        if (i % 3 == 0) continue; // nothing changes
        if (i == 5) frame.growth = 1.1f;
        // Here and there, so that each execution has other bricks.
        const auto changes = static_cast<std::uint32_t>(i);
        for (std::uint32_t k = 0; k < changes; ++k) {
            const std::uint32_t at = 7919u * changes + 104729u * k;
            frame.volume.numbers[at % frame.volume.numbers.size()] = 0.1f * static_cast<float>(i);
        }
    }
    std::vector<GraphDesc> descs; // made beforehand, so that submissions follow each other at once
    for (const Frame& frame : frames)
        descs.push_back(describe(frame).finish());
    const auto state_after = [&](std::size_t count, std::uint32_t in_flight, bool one_at_a_time) {
        Running running = start(describe(frames[0]), {.frames_in_flight = in_flight});
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_TRUE(running->set_parameters(descs[i].parameters));
            running->set_uploads(descs[i]);
            running.execute();
            const bool goes_on = !one_at_a_time || running->wait();
            EXPECT_TRUE(goes_on);
        }
        std::vector<std::vector<std::byte>> state;
        for (std::size_t h = 0; h < running->histories().size(); ++h)
            state.push_back(running->read_history(h).value());
        EXPECT_EQ(state.size(), 3u);
        EXPECT_EQ(running.image("followed").texels, running.image("whole").texels) << count;
        state.push_back(running.image("followed").texels);
        const auto dirty = running.buffer<std::uint32_t>("dirty");
        const auto bytes = std::as_bytes(std::span(dirty));
        state.emplace_back(bytes.begin(), bytes.end());
        return state;
    };
    for (const std::size_t count : {std::size_t{5}, frames.size()}) {
        const auto expected = state_after(count, 1, true);
        for (const std::uint32_t in_flight : {2u, 3u, 5u})
            EXPECT_EQ(state_after(count, in_flight, false), expected)
                << count << " executions, " << in_flight << " in flight";
    }
}

TEST_F(Followed, FewShellsReachTheBricksBeside) {
    Frame frame{.volume = OpacityVolume::noise({70, 50, 33}, 5, 0.3), .shells = 3};
    Running running = run(describe(frame));
    EXPECT_EQ(expect_whole(running, "at first"), 5u * 4u * 3u);
    frame.volume.numbers[std::size_t{20} * 50 * 70 + 20 * 70 + 20] = 1.0f;
    next(running, frame);
    EXPECT_EQ(expect_whole(running, "a voxel"), 27u);
}

TEST_F(Followed, VolumesThatDoNotFitAreRefused) {
    const auto code_of = [&](glm::ivec3 size, std::uint64_t most_bytes) {
        Graph g = graph();
        DeviceCaps caps = g.target();
        caps.max_storage_buffer_bytes = most_bytes;
        g.set_target(caps);
        (void)g.add(OcclusionFollowed{.opacity = OpacityVolume::noise(size, 1).image(g)});
        return testing_gpu::occlusion_codes(g);
    };
    EXPECT_EQ(code_of({9, 8, 7}, 1u << 27), "");
    EXPECT_EQ(code_of({1, 1, 1}, 1u << 27), "");
    EXPECT_NE(code_of({9, 8, 7}, 1u << 12).find("occlusion/too-large"), std::string::npos);
}

} // namespace
} // namespace tuff
