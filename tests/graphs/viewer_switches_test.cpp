// The viewer's scene as somebody works it who opens one graph after another: what one took the
// next has back.

#include "model/edits.hpp"
#include "passes/registry.hpp"
#include "scene/scene_session.hpp"
#include "shipped_graphs.hpp"
#include "tests/common/only_on.hpp"
#include "tests/gpu/object_ledger.hpp"
#include "tests/steady/allocations.hpp"

#include <tuff/assets.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace tuff::testing_gpu {
namespace {

std::vector<std::string> as_settings(const Shipped& shipped) {
    std::vector<std::string> settings;
    for (const auto& [name, value] : shipped.settings)
        settings.push_back(name + "=" + value);
    return settings;
}

class ViewerSwitches : public testing::Test {
  protected:
    ViewerSwitches() {
        viewer::SceneOptions options;
        options.modules = passes::modules();
        if (const char* device = std::getenv("TUFF_DEVICE")) options.device = device;
        auto opened = viewer::SceneSession::open(options, registry_);
        if (!opened) {
            ADD_FAILURE() << to_string(opened.error());
            return;
        }
        session_.emplace(std::move(*opened));
        ledger_.emplace(session_->device().impl());
    }
    void open(const Shipped& shipped) {
        const viewer::SceneRequest request{
            .config = fmt::format("{}/apps/graphs/{}.json", TUFF_TEST_SOURCE_DIR, shipped.name),
            .edits = viewer::edits_of(as_settings(shipped)),
            .opened = ++opened_};
        const auto works = [&](const Result<void>& done) {
            EXPECT_TRUE(done) << shipped.name << ": " << to_string(done.error());
            return done.has_value();
        };
        if (!works(session_->load(request)) || !works(session_->update(request, {})) ||
            !works(session_->run(request, {})))
            return;
        ASSERT_TRUE(session_->shown());
        EXPECT_FALSE(session_->shown()->image.empty()) << shipped.name;
    }
    /// Ends where a graph of one kernel is open.
    void open_all(std::span<const Shipped* const> graphs) {
        for (const Shipped* shipped : graphs)
            open(*shipped);
        open(shipped_graph("mandelbrot"));
    }

    const PassRegistry registry_ = passes::make_registry();
    std::optional<ObjectLedger> ledger_; // outlives the device
    std::optional<viewer::SceneSession> session_;
    std::uint64_t opened_ = 0;
};

TEST_F(ViewerSwitches, GiveBackWhatTheyTook) {
    TUFF_ONLY_ON(lavapipe);
    ASSERT_TRUE(session_);
    // All of them six times are a hundred switches, which take minutes.
    const char* const wanted = std::getenv("TUFF_TEST_ROUNDS");
    const int rounds = wanted ? std::atoi(wanted) : 2;
    std::vector<const Shipped*> graphs;
    if (!wanted)
        for (const char* name : {"demo", "raytrace", "jet", "voxels", "oit", "particles"})
            graphs.push_back(&shipped_graph(name));
    else
        for (const Shipped& shipped : shipped_graphs())
            if (shipped.needs.empty() || find_asset(shipped.needs)) graphs.push_back(&shipped);

    // The first round fills what devices and libraries keep for good.
    open_all(graphs);
    const auto objects = ledger_->left();
    const std::int64_t device_bytes = ledger_->device_bytes();
    const std::int64_t heap_blocks = testing_steady::live_blocks();
    for (int round = 1; round < rounds; ++round) {
        open_all(graphs);
        const std::int64_t more = testing_steady::live_blocks() - heap_blocks;
        // Mesa 22.3 keeps some of each graph's shaders, on the same heap.
        if (!session_->device().caps().name.contains("llvmpipe")) {
            EXPECT_EQ(more, 0) << "of " << heap_blocks << " blocks, in round " << round;
        }
        EXPECT_EQ(ledger_->left(), objects) << "in round " << round;
        EXPECT_EQ(ledger_->device_bytes(), device_bytes) << "in round " << round;
    }
    EXPECT_GT(ledger_->made(), 1000u);
}

} // namespace
} // namespace tuff::testing_gpu
