// The viewer as a person uses it: a window, a mouse, a keyboard, and an editor beside it.
// The device is whichever the tests run on. Pictures of the window are kept in test-output/viewer.

#include "screen.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kConfig = R"({
  "tuff": 1, "description": "Noise, softened", "size": [160, 90],
  "params": {"exposure": {"default": 0, "range": [-10, 10], "doc": "stops"}},
  "assets": {"grain": {"generate": "noise", "size": [160, 90], "seed": 3}},
  "nodes": {
    "soft": {"pass": "image/gaussian", "in": {"source": "grain"}, "params": {"sigma": 4}},
    "display": {"pass": "image/tonemap", "in": {"source": "soft.result"}, "params": {"exposure": "$exposure"}}
  },
  "outputs": {"picture": "display.result"}
})";

std::string read_whole(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::string problems(const Json::Value& state) {
    std::string all;
    for (const Json::Value& code : state["scene"]["problems"])
        all += code.asString() + " ";
    return all;
}

bool fine(const Json::Value& state) {
    return state["scene"]["problems"].empty() && state["scene"]["state"] == "idle" &&
           state["scene"].isMember("shown");
}

/// Mean brightness of the screen about the middle of a widget, 0 to 255.
double brightness(const HostImage& screen, const Json::Value& widget) {
    double sum = 0.0;
    int count = 0;
    for (int y = -20; y <= 20; ++y)
        for (int x = -20; x <= 20; ++x, ++count)
            for (const float channel :
                 screen.texel(static_cast<std::uint32_t>(widget[0].asInt() + x),
                              static_cast<std::uint32_t>(widget[1].asInt() + y)))
                sum += static_cast<double>(channel);
    return (sum / count - 1.0) / 3.0 * 255.0; // alpha is 1
}

/// What has been drawn is on the screen a little later.
bool soon(const std::function<bool()>& holds) {
    for (int look = 0; look < 200; ++look, usleep(50'000))
        if (holds()) return true;
    return false;
}

class ViewerTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!Screen::is_available())
            GTEST_SKIP() << "Xvfb or xdotool is missing: apt-get install xvfb xdotool";
        folder = fs::path(TUFF_TEST_OUTPUT_DIR) / ("viewer-" + std::to_string(getpid()));
        pictures = fs::path(TUFF_TEST_OUTPUT_DIR) / "viewer";
        fs::create_directories(folder / "kernels/image");
        fs::create_directories(pictures);
        write(folder / "graph.json", kConfig);
        write(folder / "viewer.json", R"({"width": 1280, "height": 800})");
        const fs::path shaders = fs::path(TUFF_TEST_SOURCE_DIR) / "shaders";
        fs::copy(shaders / "include", folder / "kernels/include", fs::copy_options::recursive);
        fs::copy(shaders / "image/tonemap.comp", folder / "kernels/image/tonemap.comp");
    }
    void TearDown() override {
        std::error_code error;
        if (!folder.empty()) fs::remove_all(folder, error);
    }
    /// Keeps a picture of the screen, to be looked at.
    HostImage keep(const Screen& screen, const std::string& name) const {
        HostImage image = screen.pixels();
        EXPECT_FALSE(image.empty());
        const char* device = std::getenv("TUFF_DEVICE");
        const auto saved = save_image(
            pictures / (std::string(device ? device : "auto") + "-" + name + ".png"), image);
        EXPECT_TRUE(saved);
        return image;
    }

    fs::path folder, pictures;
};

TEST_F(ViewerTest, IsWorkedWithMouseKeyboardAndEditor) {
    const Screen screen(folder);
    ViewerOnScreen viewer(screen, folder,
                          {"graph.json", "--validation", "--shaders", "kernels", "--out-dir", "."});

    // It opens and shows the first output.
    ASSERT_TRUE(viewer.wait(fine)) << viewer.errors();
    EXPECT_EQ(viewer.state()["scene"]["shown"]["shape"], "rgba8_unorm 160 x 90");
    ASSERT_TRUE(viewer.wait([](const auto& s) { return s["widgets"].isMember("picture"); }));
    const Json::Value picture = viewer.state()["widgets"]["picture"];
    EXPECT_TRUE(soon([&] { return brightness(screen.pixels(), picture) > 60.0; }))
        << "the picture is grey noise";
    const double before = brightness(keep(screen, "opened"), picture);

    // Another intermediate.
    ASSERT_TRUE(viewer.click("view grain"));
    EXPECT_TRUE(viewer.wait([](const auto& s) {
        return fine(s) && s["scene"]["shown"]["resource"] == "grain";
    })) << viewer.state().toStyledString();
    usleep(200'000);
    keep(screen, "intermediate");
    ASSERT_TRUE(viewer.click("view picture"));
    EXPECT_TRUE(viewer.wait([](const auto& s) {
        return fine(s) && s["scene"]["shown"]["resource"] == "display/result";
    })) << viewer.state().toStyledString();

    // A slider: the picture gets brighter without a compilation.
    const int compiled = viewer.state()["scene"]["compilations"].asInt();
    ASSERT_TRUE(viewer.drag("parameter exposure", 30, 0));
    EXPECT_TRUE(viewer.wait([](const auto& s) {
        return fine(s) && s["edits"].asString().starts_with("--set exposure=");
    })) << viewer.state().toStyledString();
    EXPECT_TRUE(soon([&] { return brightness(screen.pixels(), picture) > before * 1.1; }));
    keep(screen, "slider");
    EXPECT_EQ(viewer.state()["scene"]["compilations"], compiled);
    ASSERT_TRUE(viewer.click("reset all"));
    EXPECT_TRUE(viewer.wait([](const auto& s) { return s["edits"] == "" && fine(s); }));

    // Broken and mended: the config, and then a shader. What worked goes on being shown.
    write(folder / "graph.json", "{ \"tuff\": 1, oops");
    EXPECT_TRUE(viewer.wait([](const auto& s) { return !problems(s).empty(); }));
    EXPECT_THAT(problems(viewer.state()), HasSubstr("config/"));
    EXPECT_TRUE(viewer.state()["scene"].isMember("shown"));
    usleep(200'000);
    keep(screen, "broken-config");
    fs::remove(folder / "graph.json");
    EXPECT_TRUE(viewer.wait(
        [](const auto& s) { return problems(s).find("config/not-found") != std::string::npos; }));
    write(folder / "graph.json", kConfig);
    EXPECT_TRUE(viewer.wait(fine)) << viewer.state().toStyledString();

    const fs::path kernel = folder / "kernels/image/tonemap.comp";
    const std::string good = read_whole(kernel);
    write(kernel, good + "\nthis is no GLSL\n");
    EXPECT_TRUE(viewer.wait([](const auto& s) {
        return problems(s).find("shader/compile") != std::string::npos;
    })) << viewer.state().toStyledString();
    EXPECT_TRUE(viewer.state()["scene"].isMember("shown"));
    usleep(200'000);
    keep(screen, "broken-shader");
    write(kernel, good + "\n");
    EXPECT_TRUE(viewer.wait(fine)) << viewer.state().toStyledString();

    // Every panel.
    for (const char* tab : {"Graph", "Memory", "Values", "Problems", "Passes"}) {
        ASSERT_TRUE(viewer.click(std::string("tab ") + tab));
        usleep(200'000);
        keep(screen, std::string("tab-") + tab);
    }

    // The window gets smaller, goes away and comes back.
    const std::string window = "$(DISPLAY=" + screen.display() + " xdotool search --name Tuff)";
    viewer.xdotool("windowsize " + window + " 900 600");
    EXPECT_TRUE(viewer.wait([](const auto& s) { return s["window"][0] == 900; }))
        << viewer.state().toStyledString();
    usleep(300'000);
    keep(screen, "resized");
    viewer.xdotool("windowunmap " + window);
    usleep(300'000);
    viewer.xdotool("windowmap " + window);
    usleep(300'000);
    EXPECT_TRUE(viewer.running()) << viewer.errors();

    // A picture is saved, and the window closed.
    ASSERT_TRUE(viewer.click("save"));
    EXPECT_TRUE(
        viewer.wait([](const auto& s) { return s["message"].asString().starts_with("wrote "); }));
    EXPECT_TRUE(fs::exists(folder / "graph-001.png"));
    viewer.xdotool("windowfocus " + window + " key ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
    EXPECT_THAT(viewer.errors(), IsEmpty()) << "the validation layer had something to say";

    // It remembers what was open.
    EXPECT_THAT(read_whole(folder / "viewer.json"), HasSubstr("graph.json"));
}

TEST_F(ViewerTest, TellsWhatIsWrongBeforeThereIsAWindow) {
    const auto run = [&](const std::string& command, std::string& errors) {
        const std::string whole =
            "cd " + folder.string() + " && env -u WAYLAND_DISPLAY " + command + " > out 2> err";
        const int status = std::system(whole.c_str());
        errors = read_whole(folder / "err");
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    };
    const std::string tuff = std::string(TUFF_TEST_BINARY) + " view ";
    std::string errors;
    EXPECT_EQ(run("-u DISPLAY " + tuff + "graph.json", errors), 1);
    EXPECT_THAT(errors, HasSubstr("viewer/no-display"));
    EXPECT_EQ(run("DISPLAY=:77 " + tuff + "graph.json", errors), 1);
    EXPECT_THAT(errors, HasSubstr("viewer/no-display"));
    EXPECT_EQ(run(tuff + "gone.json", errors), 2);
    EXPECT_THAT(errors, HasSubstr("config/not-found"));
    EXPECT_EQ(run(tuff + "graph.json --set exposure=99", errors), 2);
    EXPECT_THAT(errors, HasSubstr("config/out-of-range"));
}

} // namespace
} // namespace tuff::test
