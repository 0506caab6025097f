// The viewer as a place to work: changes are taken back and saved, pictures compared, lists folded.

#include "fixture.hpp"
#include "screen.hpp"
#include "tests/common/only_on.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kCommented = R"({ // noise
  "tuff": 1, "description": "Noise, softened", "size": [160, 90],
  "params": {
    "exposure": {"default": 0, "range": [-10, 10], "doc": "stops"} // how bright
  },
  "assets": {"grain": {"generate": "noise", "size": [160, 90], "seed": 3}},
  "nodes": {
    "soft": {"pass": "image/gaussian", "in": {"source": "grain"}, "params": {"sigma": 4}},
    "again": {"pass": "image/gaussian", "in": {"source": "soft.result"}, "params": {"sigma": "=2*1.5"}},
    "display": {"pass": "image/tonemap", "in": {"source": "again.result"}, "params": {"exposure": "$exposure"}}
  },
  "outputs": {"picture": "display.result"}
}
)";

class WorkplaceTest : public ViewerTest {
  protected:
    void SetUp() override {
        ViewerTest::SetUp();
        if (!IsSkipped()) write(folder / "graph.json", kCommented);
    }
    static std::string edits(const Json::Value& state) { return state["edits"].asString(); }
};

TEST_F(WorkplaceTest, NothingIsDrawnWhileNothingChanges) {
    const Screen screen(folder);
    ViewerOnScreen viewer(screen, folder, {"graph.json"});
    ASSERT_TRUE(viewer.wait(fine)) << viewer.errors();
    Json::UInt64 drawn = 0, since = 0;
    const auto rests = [&](const Json::Value& s) {
        if (s["drawn_frames"].asUInt64() != drawn) since = s["interface_frames"].asUInt64();
        drawn = s["drawn_frames"].asUInt64();
        return s["interface_frames"].asUInt64() >= since + 20;
    };
    EXPECT_TRUE(viewer.wait(rests)) << viewer.state().toStyledString();
    // Then the list of keys is drawn, once.
    const Json::UInt64 before = drawn;
    viewer.xdotool("key F1");
    EXPECT_TRUE(viewer.wait([&](const auto& s) {
        return s["widgets"].isMember("close keys") && s["drawn_frames"].asUInt64() > before;
    })) << viewer.state().toStyledString();
    EXPECT_TRUE(viewer.wait(rests)) << viewer.state().toStyledString();
    viewer.xdotool("key ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
}

TEST_F(WorkplaceTest, ChangesAreTakenBackAndSaved) {
    const Screen screen(folder);
    ViewerOnScreen viewer(screen, folder, {"graph.json", "--validation"});
    ASSERT_TRUE(viewer.wait(fine)) << viewer.errors();
    const auto has = [&](const std::string& text) {
        return viewer.wait([&](const auto& s) {
            return fine(s) &&
                   (text.empty() ? edits(s).empty() : edits(s).find(text) != std::string::npos);
        });
    };
    // A drag is one step.
    ASSERT_TRUE(viewer.drag("parameter exposure", 40, 0));
    ASSERT_TRUE(has("exposure="));
    ASSERT_TRUE(viewer.wait([](const auto& s) { return s["can_undo"].asBool(); }));
    const std::string changed = edits(viewer.state());
    viewer.xdotool("key ctrl+z");
    EXPECT_TRUE(has("")) << viewer.state().toStyledString();
    viewer.xdotool("key ctrl+y");
    EXPECT_TRUE(has(changed)) << viewer.state().toStyledString();

    // Saved: the file has the number and its comments, and there is no change any longer.
    ASSERT_TRUE(viewer.click("save config"));
    EXPECT_TRUE(has("")) << viewer.state().toStyledString();
    const std::string value = changed.substr(changed.find('=') + 1);
    const std::string saved = read_file(folder / "graph.json");
    EXPECT_THAT(saved, HasSubstr("{\"default\": " + value +
                                 ", \"range\": [-10, 10], \"doc\": \"stops\"} // how bright"));
    EXPECT_THAT(saved, HasSubstr("{ // noise\n"));
    // Going back behind what was saved is a change of the file as it is now.
    viewer.xdotool("key ctrl+z");
    EXPECT_TRUE(has("--set exposure=0")) << viewer.state().toStyledString();
    viewer.xdotool("key ctrl+z");

    // What an expression gives is shown as it is, and not saved.
    EXPECT_EQ(viewer.state()["scene"]["values"]["again.sigma"], "3");
    ASSERT_TRUE(viewer.click("reset all"));
    ASSERT_TRUE(has(""));
    ASSERT_TRUE(viewer.click("node again"));
    ASSERT_TRUE(viewer.drag("parameter again.sigma", 30, 0));
    ASSERT_TRUE(has("again.sigma="));
    keep(screen, "parameters");
    ASSERT_TRUE(viewer.click("save config"));
    EXPECT_TRUE(viewer.wait([](const auto& s) { return s["notices"][0] == "viewer/computed"; }))
        << viewer.state().toStyledString();
    keep(screen, "refused");
    EXPECT_EQ(read_file(folder / "graph.json"), saved);
    ASSERT_TRUE(viewer.click("close problems"));
    EXPECT_TRUE(viewer.wait([](const auto& s) { return s["notices"].empty(); }));
    viewer.xdotool("key ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
    EXPECT_THAT(viewer.errors(), IsEmpty());
}

TEST_F(WorkplaceTest, ListsFoldAndPanelsMove) {
    const Screen screen(folder);
    ViewerOnScreen viewer(screen, folder, {"graph.json"});
    ASSERT_TRUE(viewer.wait(fine)) << viewer.errors();
    const auto shows = [&](const std::string& widget, bool wanted = true) {
        return viewer.wait([&](const auto& s) { return s["widgets"].isMember(widget) == wanted; });
    };
    // Views and times.
    EXPECT_TRUE(shows("fold views soft/convolve")) << viewer.state().toStyledString();
    const auto shows_any = [](const Json::Value& s, std::string_view begin) {
        for (const std::string& name : s["widgets"].getMemberNames())
            if (name.starts_with(begin)) return true;
        return false;
    };
    EXPECT_FALSE(shows_any(viewer.state(), "view soft/"));
    ASSERT_TRUE(viewer.click("fold views soft/convolve"));
    EXPECT_TRUE(viewer.wait([&](const auto& s) { return shows_any(s, "view soft/convolve/"); }))
        << viewer.state()["widgets"].toStyledString();
    EXPECT_FALSE(shows_any(viewer.state(), "time soft/"));
    ASSERT_TRUE(viewer.click("fold times soft/convolve"));
    EXPECT_TRUE(viewer.wait([&](const auto& s) { return shows_any(s, "time soft/convolve/"); }))
        << viewer.state()["widgets"].toStyledString();
    for (int i = 0; i < 4; ++i)
        ASSERT_TRUE(viewer.click("step"));
    EXPECT_TRUE(viewer.wait([](const auto& s) { return s["times"].asInt() >= 2; }))
        << "means leave the first execution out";
    EXPECT_TRUE(shows("time plot"));

    // The graph: open a node, zoom, fit.
    ASSERT_TRUE(viewer.click("tab Graph"));
    ASSERT_TRUE(shows("box soft"));
    ASSERT_TRUE(viewer.double_click("box soft"));
    EXPECT_TRUE(shows("box soft", false)) << viewer.state()["widgets"].toStyledString();
    ASSERT_TRUE(viewer.click("graph close all"));
    EXPECT_TRUE(shows("box soft"));
    const double scale = viewer.state()["graph_scale"].asDouble();
    ASSERT_TRUE(viewer.click("graph larger"));
    EXPECT_TRUE(
        viewer.wait([&](const auto& s) { return s["graph_scale"].asDouble() > scale * 1.1; }));
    ASSERT_TRUE(viewer.click("graph fit"));
    EXPECT_TRUE(viewer.wait(
        [&](const auto& s) { return std::abs(s["graph_scale"].asDouble() - scale) < 1e-3; }));
    ASSERT_TRUE(viewer.click("box again"));
    EXPECT_TRUE(viewer.wait([](const auto& s) {
        return s["scene"]["shown"]["resource"].asString().starts_with("again/");
    })) << viewer.state()["scene"].toStyledString();

    // Edges between panels, the picture alone, the list of keys.
    const int width = viewer.state()["widgets"]["picture"][2].asInt();
    ASSERT_TRUE(viewer.drag("edge views", -80, 0));
    EXPECT_TRUE(viewer.wait(
        [&](const auto& s) { return s["widgets"]["picture"][2].asInt() >= width + 60; }));
    viewer.xdotool("key f");
    EXPECT_TRUE(viewer.wait([](const auto& s) {
        return s["picture_alone"].asBool() && s["widgets"]["picture"][2].asInt() > 1200;
    })) << viewer.state()["widgets"].toStyledString();
    viewer.xdotool("key Escape");
    EXPECT_TRUE(shows("edge views"));
    viewer.xdotool("key F1");
    EXPECT_TRUE(shows("close keys"));
    keep(screen, "keys");
    viewer.xdotool("key F1");
    EXPECT_TRUE(shows("close keys", false));

    // The dialog says what is wrong, and opens what lies in the folder.
    viewer.xdotool("key ctrl+o");
    ASSERT_TRUE(shows("open path"));
    ASSERT_TRUE(viewer.wait_for_frames());
    viewer.xdotool("type --delay 30 gone");
    viewer.xdotool("key Return");
    EXPECT_TRUE(viewer.wait([](const auto& s) {
        return s["open_problem"].asString().find("gone") != std::string::npos;
    })) << viewer.state().toStyledString();
    viewer.xdotool("key ctrl+a key BackSpace");
    keep(screen, "open");
    ASSERT_TRUE(viewer.double_click("file graph.json"));
    EXPECT_TRUE(shows("open path", false));
    EXPECT_TRUE(viewer.wait(fine));
    viewer.xdotool("key ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
    EXPECT_THAT(viewer.errors(), IsEmpty());
}

TEST_F(WorkplaceTest, TwoPicturesAreCompared) {
    TUFF_ONLY_ON(lavapipe);
    const Screen screen(folder);
    ViewerOnScreen viewer(screen, folder, {"graph.json", "--validation"});
    ASSERT_TRUE(viewer.wait(fine)) << viewer.errors();
    const auto compares = [&](const char* how) {
        return viewer.wait([&](const auto& s) { return s["compare"] == how; });
    };
    ASSERT_TRUE(viewer.click("keep as A"));
    ASSERT_TRUE(compares("split"));
    // Another set of parameters is B: only the right half gets brighter.
    const Json::Value picture = viewer.state()["widgets"]["picture"];
    const auto half = [&](bool right) {
        Json::Value at = picture;
        at[0] = picture[0].asInt() + (right ? 1 : -1) * picture[2].asInt() / 4;
        return brightness(screen.pixels(), at);
    };
    EXPECT_TRUE(soon([&] { return half(false) > 60.0; })) << "grey noise";
    const double left = half(false), right = half(true);
    ASSERT_TRUE(viewer.drag("parameter exposure", 15, 0));
    EXPECT_TRUE(soon([&] { return half(true) > right * 1.1; }));
    EXPECT_NEAR(half(false), left, left * 0.02);
    keep(screen, "compare-split");
    ASSERT_TRUE(viewer.drag("compare line", 60, 0));
    EXPECT_TRUE(viewer.wait([](const auto& s) { return s["compare_line"].asDouble() > 0.52; }))
        << viewer.state().toStyledString();
    const std::string changed = edits(viewer.state());
    ASSERT_TRUE(viewer.click("swap with A"));
    EXPECT_TRUE(viewer.wait([](const auto& s) { return fine(s) && edits(s).empty(); }));
    ASSERT_TRUE(viewer.click("swap with A"));
    EXPECT_TRUE(viewer.wait([&](const auto& s) { return fine(s) && edits(s) == changed; }));
    ASSERT_TRUE(viewer.click("compare difference"));
    ASSERT_TRUE(compares("difference"));
    EXPECT_TRUE(soon([&] { return half(true) > 5.0; }));
    keep(screen, "compare-difference");
    ASSERT_TRUE(viewer.click("forget A"));
    EXPECT_TRUE(compares("off"));
    viewer.xdotool("key ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
    EXPECT_THAT(viewer.errors(), IsEmpty());
}

TEST_F(WorkplaceTest, TheTimeLineGoesToFrames) {
    TUFF_ONLY_ON(lavapipe);
    std::string animated = kCommented;
    const std::string from = "\"=2*1.5\"";
    animated.replace(animated.find(from), from.size(), "\"=2+sin($time)\"");
    write(folder / "graph.json", animated);
    const Screen screen(folder);
    ViewerOnScreen viewer(screen, folder, {"graph.json"});
    ASSERT_TRUE(viewer.wait([](const auto& s) { return s["scene"].isMember("shown"); }))
        << viewer.errors();
    ASSERT_TRUE(viewer.click("pause"));
    ASSERT_TRUE(viewer.wait([](const auto& s) { return s["scene"]["paused"].asBool(); }));
    const auto frame = [](const Json::Value& s) { return s["scene"]["shown"]["frame"].asInt(); };
    ASSERT_TRUE(viewer.click("time line")); // its middle
    EXPECT_TRUE(viewer.wait([&](const auto& s) { return frame(s) > 80; }))
        << viewer.state()["scene"].toStyledString();
    keep(screen, "time-line");
    const int middle = frame(viewer.state());
    ASSERT_TRUE(viewer.drag("time line", -200, 0));
    EXPECT_TRUE(viewer.wait([&](const auto& s) { return frame(s) < middle - 20; }))
        << viewer.state()["scene"].toStyledString();
    EXPECT_TRUE(viewer.state()["scene"]["paused"].asBool());
    viewer.xdotool("key ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
    EXPECT_THAT(viewer.errors(), IsEmpty());
}

} // namespace
} // namespace tuff::test
