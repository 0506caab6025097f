// Shipped graphs run frame after frame as an animation does: what the process and the device hold
// does not grow, and the pictures of a second run are those of the first. A few hundred frames of
// each, or as many as the environment asks for:
//
//     TUFF_SOAK_FRAMES   of each graph
//     TUFF_SOAK_SECONDS  of all together: more frames than that, if there is time

#include "process_state.hpp"
#include "steady_fixture.hpp"
#include "tests/common/environment.hpp"
#include "tests/common/only_on.hpp"
#include "tests/gpu/object_ledger.hpp"

#include <tuff/assets.hpp>
#include <tuff/config.hpp>
#include <tuff/graph_runner.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace tuff::testing_steady {
namespace {

using testing_gpu::ObjectLedger;
using SteadyClock = std::chrono::steady_clock;

constexpr std::int64_t kWarmUp = 40;  ///< frames, after which all that is made once is there
constexpr std::int64_t kCompared = 6; ///< frames of a run whose last picture is compared
/// Of what the process may grow by: allocators keep pages, and threads have heaps of their own.
constexpr std::int64_t kSlackBytes = std::int64_t{4} << 20;
/// Blocks of the heap that a driver in C++ may hold more of at one moment than at another.
constexpr std::int64_t kSlackBlocks = 64;

/// A shipped graph in a size that takes a software device milliseconds.
struct SmallGraph {
    std::string name;
    std::map<std::string, std::string> settings;
    std::uint64_t few_frames; ///< of the short form: about a second
};

/// One without a history, one of sorted particles, and two flows with their solvers.
const SmallGraph kSmallGraphs[] = {
    {"mandelbrot", {{"width", "32"}, {"height", "18"}}, 300},
    {"particles", {{"width", "32"}, {"height", "18"}, {"count", "64"}, {"steps", "1"}}, 200},
    {"taylor-green",
     {{"width", "64"}, {"height", "40"}, {"side", "8"}, {"numbers", "256"}, {"kept", "8"}},
     50}};

void PrintTo(const SmallGraph& graph, std::ostream* stream) {
    *stream << graph.name;
}

/// What must not grow.
struct Holdings {
    std::map<std::string, std::int64_t> objects;
    std::int64_t device_bytes = 0;
    std::int64_t files = 0;
    std::int64_t blocks = 0;
    std::int64_t resident = 0;
};

class EnduranceTest : public SteadyTest, public testing::WithParamInterface<SmallGraph> {
  protected:
    void SetUp() override {
        SteadyTest::SetUp();
        ledger_.emplace(device_->impl());
        runner_.emplace(*device_);
        static const PassRegistry kRegistry = passes::make_registry();
        auto config = Config::load(
            fmt::format("{}/apps/graphs/{}.json", TUFF_TEST_SOURCE_DIR, GetParam().name),
            kRegistry);
        ASSERT_TRUE(config) << to_string(config.error());
        for (const auto& [name, value] : GetParam().settings)
            ASSERT_TRUE(config->set(name, value)) << name;
        config_.emplace(std::move(*config));
    }
    void TearDown() override {
        runner_.reset();
        device_.reset();
        EXPECT_THAT(ledger_->left(), testing::IsEmpty());
    }

    Result<void> run_frame(std::int64_t frame) {
        auto built = config_->build(shaders_, assets_,
                                    {.frame = frame, .time = static_cast<double>(frame) / 60.0},
                                    device_->caps(), runner_->pools());
        if (!built) return propagate(std::move(built));
        output_ = built->outputs.front().name;
        if (auto taken = runner_->take(std::move(built->graph), shaders_); !taken) return taken;
        return runner_->executor()->execute();
    }
    /// Frames from the first on, whose last picture is returned.
    HostImage first_frames() {
        runner_->begin_again();
        for (std::int64_t frame = 0; frame < kCompared; ++frame) {
            auto done = run_frame(frame);
            EXPECT_TRUE(done) << to_string(done.error());
        }
        auto image = runner_->executor()->read_image(output_);
        EXPECT_TRUE(image) << to_string(image.error());
        return image ? std::move(*image) : HostImage{};
    }
    Holdings holdings() {
        EXPECT_TRUE(runner_->executor()->wait());
        return {.objects = ledger_->left(),
                .device_bytes = ledger_->device_bytes(),
                .files = open_files(),
                .blocks = live_blocks(),
                .resident = resident_bytes()};
    }

    std::optional<ObjectLedger> ledger_;
    std::optional<GraphRunner> runner_;
    std::optional<Config> config_;
    AssetCache assets_;
    std::string output_;
};

TEST_P(EnduranceTest, FramesLeaveNothingBehind) {
    TUFF_ONLY_ON(swiftshader); // lavapipe of Mesa 22.3 keeps memory by itself
    const std::uint64_t at_least = test::number_from("TUFF_SOAK_FRAMES", GetParam().few_frames);
    const auto until =
        SteadyClock::now() +
        std::chrono::seconds(test::number_from("TUFF_SOAK_SECONDS", 0)) / std::size(kSmallGraphs);
    const HostImage first = first_frames();
    std::int64_t frame = kCompared;
    for (; frame < kWarmUp; ++frame)
        ASSERT_TRUE(run_frame(frame));
    const Holdings before = holdings();
    const std::uint32_t compilations = runner_->compilations();
    std::uint64_t frames = 0;
    for (; frames < at_least || SteadyClock::now() < until; ++frames, ++frame) {
        const auto done = run_frame(frame);
        ASSERT_TRUE(done) << "frame " << frame << ": " << to_string(done.error());
    }
    const Holdings after = holdings();
    EXPECT_EQ(runner_->compilations(), compilations);
    EXPECT_EQ(after.objects, before.objects);
    EXPECT_EQ(after.device_bytes, before.device_bytes);
    EXPECT_EQ(after.files, before.files);
    EXPECT_LE(after.blocks - before.blocks, kSlackBlocks);
    EXPECT_LE(after.resident - before.resident, kSlackBytes);
    EXPECT_EQ(first_frames().texels, first.texels);
    std::int64_t objects = 0;
    for (const auto& [kind, count] : after.objects)
        objects += count;
    fmt::print("{}: {} frames; resident {} KiB, {:+} KiB; {} Vulkan objects, {} files, heap blocks "
               "{:+}\n",
               GetParam().name, frames, after.resident / 1024,
               (after.resident - before.resident) / 1024, objects, after.files,
               after.blocks - before.blocks);
}

INSTANTIATE_TEST_SUITE_P(Shipped, EnduranceTest, testing::ValuesIn(kSmallGraphs),
                         [](const auto& test) {
                             std::string name = test.param.name;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

} // namespace
} // namespace tuff::testing_steady
