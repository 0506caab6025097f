// The viewer's scene where another result is looked at: what it remembers from frame to frame goes
// on.

#include "model/edits.hpp"
#include "passes/registry.hpp"
#include "scene/scene_session.hpp"
#include "tests/common/test_folder.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <functional>

namespace tuff::testing_gpu {
namespace {

constexpr std::string_view kStirred = R"json({
 "tuff": 1, "size": [16, 16],
 "params": {"side": {"default": 16}},
 "assets": {"board": {"generate": "checker", "size": [16, 16], "cell": 4}},
 "history": {"past": {"from": "mixed.result", "format": "rgba32_sfloat", "size": ["$side", "$side"]}},
 "nodes": {
  "board_now": {"pass": "image/resize", "in": {"source": "board"}, "params": {"width": "$side", "height": "$side"}},
  "light": {"pass": "image/map", "in": {"source": "board_now.result"},
            "params": {"expression": "x * (1.0 + sin(p.x))", "p": ["$time", 0, 0, 0], "format": "rgba32_sfloat"}},
  "mixed": {"pass": "image/map", "in": {"source": "light.result", "other": "past"},
            "params": {"expression": "mix(y, x, 0.1)", "format": "rgba32_sfloat"}}},
 "outputs": {"picture": "mixed.result"}})json";

class ViewerHistory : public testing::Test {
  protected:
    ViewerHistory() : file_(test::empty_folder() / "stirred.json") {
        std::ofstream(file_) << kStirred;
        options_.modules = passes::modules();
        if (const char* device = std::getenv("TUFF_DEVICE")) options_.device = device;
    }
    static FrameTime at(std::int64_t frame) {
        return {.frame = frame, .time = 0.1 * static_cast<double>(frame), .dt = 0.1};
    }
    /// Opens the config in a scene of its own, runs `between` after frame 2, and gives the picture
    /// of frame 4.
    std::vector<std::byte>
    last_picture(const std::function<void(viewer::SceneSession&)>& between) const {
        auto session = viewer::SceneSession::open(options_, registry_);
        EXPECT_TRUE(session);
        if (!session) return {};
        const viewer::SceneRequest request{.config = file_};
        EXPECT_TRUE(session->load(request));
        for (std::int64_t frame = 0; frame < 5; ++frame) {
            EXPECT_TRUE(session->update(request, at(frame)));
            EXPECT_TRUE(session->run(request, at(frame)));
            if (frame == 2) between(*session);
        }
        return session->shown()->image.texels;
    }

    std::filesystem::path file_;
    viewer::SceneOptions options_;
    const PassRegistry registry_ = passes::make_registry();
};

TEST_F(ViewerHistory, GoesOnWhereAnotherViewIsChosen) {
    const auto expected = last_picture([](auto&) {});
    ASSERT_FALSE(expected.empty());
    const auto picture = last_picture([&](viewer::SceneSession& session) {
        viewer::SceneRequest other{.config = file_};
        other.view.key = {.resource = "light/result", .version = 1};
        const std::uint32_t before = session.compilations();
        for (int i = 0; i < 2; ++i) { // paused, the scene runs its frame again to show it
            EXPECT_TRUE(session.update(other, at(2)));
            EXPECT_TRUE(session.run_again(other, at(2)));
        }
        EXPECT_GT(session.compilations(), before) << "the graph keeps what it did not keep";
        EXPECT_TRUE(session.goes_on());
        EXPECT_EQ(session.shown()->view.key.resource, "light/result");
        EXPECT_TRUE(session.warnings().empty());
    });
    EXPECT_EQ(picture, expected);
}

TEST_F(ViewerHistory, TellsWhatBeginsAgain) {
    (void)last_picture([&](viewer::SceneSession& session) {
        viewer::SceneRequest larger{.config = file_, .edits = viewer::edits_of({"side=20"})};
        EXPECT_TRUE(session.update(larger, at(2)));
        EXPECT_FALSE(session.goes_on());
        const Diagnostics told = session.warnings();
        ASSERT_EQ(told.size(), 1u);
        EXPECT_EQ(told.front().code, "graph/history-restarted");
        EXPECT_THAT(told.front().message, testing::HasSubstr("'past'"));
    });
}

} // namespace
} // namespace tuff::testing_gpu
