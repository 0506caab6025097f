// The viewer as a person uses it: a window, a mouse, a keyboard, and an editor beside it.
// The device is whichever the tests run on. Pictures of the window are kept in test-output/viewer.

#include "drop.hpp"
#include "fixture.hpp"
#include "screen.hpp"
#include "tests/common/only_on.hpp"
#include "tests/common/source_tree.hpp"
#include "unserved_display.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <utility>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

/// Wavefront OBJ, four units wide.
std::string pyramid(double height) {
    return "v -2 0 -2\nv 2 0 -2\nv 2 0 2\nv -2 0 2\nv 0 " + std::to_string(3.0 * height) +
           " 0\nf 1 2 3 4\nf 2 1 5\nf 3 2 5\nf 4 3 5\nf 1 4 5\n";
}

TEST_F(ViewerTest, IsWorkedWithMouseKeyboardAndEditor) {
    const Screen screen(folder);
    ViewerOnScreen viewer(screen, folder,
                          {"graph.json", "--validation", "--jpeg", "device", "--shaders", "kernels",
                           "--out-dir", "."});

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
    write(folder / "graph.json", kViewedConfig);
    EXPECT_TRUE(viewer.wait(fine)) << viewer.state().toStyledString();

    const fs::path kernel = folder / "kernels/image/tonemap.comp";
    const std::string good = read_file(kernel);
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
        EXPECT_TRUE(viewer.wait([&](const auto& s) { return s["tab"] == tab; })) << tab;
        // Those that show no times look the same in every run and on every device.
        if (std::string_view("Memory Values Problems").find(tab) != std::string_view::npos) {
            expect_like_golden(screen, std::string("tab-") + tab);
        } else {
            usleep(200'000);
            keep(screen, std::string("tab-") + tab);
        }
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
    viewer.xdotool("windowfocus " + window + " key ctrl+F11");
    EXPECT_TRUE(soon([&] { return fs::exists(folder / "graph-001.jpg"); }));
    EXPECT_TRUE(viewer.wait(
        [](const auto& s) { return s["message"].asString().ends_with("graph-001.jpg"); }));
    const auto png = load_image((folder / "graph-001.png").string());
    const auto jpeg = load_image((folder / "graph-001.jpg").string());
    ASSERT_TRUE(png && jpeg);
    const auto difference = compare_images(*jpeg, *png);
    ASSERT_TRUE(difference);
    EXPECT_GT(difference->psnr, 35.0);
    // The device fits its tables to the picture, the library does not.
    ASSERT_TRUE(save_image((folder / "library.jpg").string(), *png));
    EXPECT_NE(fs::file_size(folder / "graph-001.jpg"), fs::file_size(folder / "library.jpg"));
    viewer.xdotool("windowfocus " + window + " key ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
    EXPECT_THAT(viewer.errors(), IsEmpty()) << "the validation layer had something to say";
}

TEST_F(ViewerTest, OpensWhatWasOpenAndLeavesNothingBehind) {
    const Screen screen(folder);
    {
        ViewerOnScreen viewer(screen, folder, {"graph.json"});
        ASSERT_TRUE(viewer.wait(fine)) << viewer.errors();
        viewer.xdotool("key ctrl+q");
        EXPECT_EQ(viewer.exit_code(), 0);
    }
    fs::remove(folder / "state.json");
    // llvmpipe leaves something behind itself, and so does the validation layer.
    const char* const device = std::getenv("TUFF_DEVICE");
    const bool counts = device && std::string_view(device) == "swiftshader";
    ViewerOnScreen viewer(screen, folder, {}, counts ? AtExit::leaks_are_errors : AtExit::nothing);
    ASSERT_TRUE(viewer.wait(fine)) << viewer.errors();
    EXPECT_THAT(viewer.state()["scene"]["config"].asString(), HasSubstr("graph.json"));
    ASSERT_TRUE(viewer.click("view grain"));
    EXPECT_TRUE(viewer.wait([](const auto& s) {
        return fine(s) && s["scene"]["shown"]["resource"] == "grain";
    })) << viewer.state().toStyledString();
    write(folder / "graph.json", "{ \"tuff\": 1, oops");
    EXPECT_TRUE(viewer.wait([](const auto& s) { return !problems(s).empty(); }));
    viewer.xdotool("key ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
    EXPECT_THAT(viewer.errors(), IsEmpty());
}

// A pyramid of the file manager's: looked at from all sides, filmed, and changed meanwhile.
TEST_F(ViewerTest, ShowsModelsThatAreDroppedOnIt) {
    TUFF_ONLY_ON(lavapipe);
    const Screen screen(folder);
    ViewerOnScreen viewer(screen, folder, {"graph.json", "--validation", "--out-dir", "."});
    ASSERT_TRUE(viewer.wait(fine)) << viewer.errors();
    const fs::path model = folder / "pyramid.obj";
    write(model, pyramid(1.0));
    ASSERT_TRUE(drop_file(screen.display(), "Tuff", model));
    EXPECT_TRUE(viewer.wait([](const auto& s) {
        return fine(s) && s["scene"]["config"].asString().ends_with("pyramid.json");
    })) << viewer.state().toStyledString();

    // The mouse turns the camera, and the wheel brings it nearer.
    const auto edited = [&](const char* parameter) {
        return viewer.wait([&](const auto& s) {
            return fine(s) && s["edits"].asString().find(parameter) != std::string::npos;
        });
    };
    ASSERT_TRUE(viewer.drag("picture", 120, 40));
    EXPECT_TRUE(edited("view.camera.azimuth")) << viewer.state().toStyledString();
    viewer.xdotool("click 4");
    EXPECT_TRUE(edited("view.camera.zoom")) << viewer.state().toStyledString();
    const Json::Value picture = viewer.state()["widgets"]["picture"];
    usleep(300'000);
    const double before = brightness(keep(screen, "model"), picture);

    // Its file is written anew by another program: flat now, where it was high.
    const int reloads = viewer.state()["scene"]["reloads"].asInt();
    write(model, pyramid(0.05));
    EXPECT_TRUE(viewer.wait([&](const auto& s) {
        return fine(s) && s["scene"]["reloads"].asInt() > reloads;
    })) << viewer.state().toStyledString();
    EXPECT_TRUE(
        soon([&] { return std::abs(brightness(screen.pixels(), picture) - before) > 1.0; }));

    // The whole window is saved, and a film made.
    const std::string window = "$(DISPLAY=" + screen.display() + " xdotool search --name Tuff)";
    viewer.xdotool("windowfocus " + window + " key F12");
    EXPECT_TRUE(soon([&] { return fs::exists(folder / "pyramid-window-001.png"); }));
    viewer.xdotool("windowfocus " + window + " key F10");
    EXPECT_TRUE(viewer.wait([](const auto& s) { return s["recording"].asBool(); }))
        << viewer.state().toStyledString();
    viewer.xdotool("key Right key Right key F10"); // faster than the graph
    EXPECT_TRUE(viewer.wait([](const auto& s) {
        return !s["recording"].asBool() && s["message"].asString().starts_with("wrote ");
    })) << viewer.state().toStyledString();
    EXPECT_GE(fs::file_size(folder / "pyramid-001.mp4"), 2u * 1280 * 720 * 4)
        << "the stand-in for ffmpeg keeps every byte";

    // The config is opened again by name.
    viewer.xdotool("key ctrl+o");
    ASSERT_TRUE(viewer.wait([](const auto& s) { return s["widgets"].isMember("open path"); }));
    ASSERT_TRUE(viewer.wait_for_frames());
    viewer.xdotool("type --delay 30 graph.json");
    viewer.xdotool("key Return");
    EXPECT_TRUE(viewer.wait([](const auto& s) {
        return fine(s) && s["scene"]["config"].asString().ends_with("graph.json") &&
               s["edits"] == "";
    })) << viewer.state().toStyledString();
    viewer.xdotool("key ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
    EXPECT_THAT(viewer.errors(), IsEmpty());
}

/// A ball of bytes, denser within.
void write_ball(const fs::path& path, int side) {
    std::string text = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: " + std::to_string(side) + " " +
                       std::to_string(side) + " " + std::to_string(side) +
                       "\nspacings: 1 1 1.5\nencoding: raw\n\n";
    for (int z = 0; z < side; ++z)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                const auto along = [&](int i) { return (2.0 * i + 1.0) / side - 1.0; };
                const double radius =
                    std::sqrt(along(x) * along(x) + along(y) * along(y) + along(z) * along(z));
                text += static_cast<char>(static_cast<int>(std::max(255.0 * (1.0 - radius), 0.0)));
            }
    write(path, text);
}

// A volume of the file manager's: its views, its transfer function, its filters.
TEST_F(ViewerTest, ShowsVolumesAndEditsTheirTransferFunction) {
    TUFF_ONLY_ON(lavapipe);
    write_ball(folder / "ball.nrrd", 24);
    const Screen screen(folder);
    ViewerOnScreen viewer(screen, folder, {"ball.nrrd", "--validation", "--out-dir", "."});
    ASSERT_TRUE(viewer.wait(fine)) << viewer.errors();
    ASSERT_TRUE(viewer.wait([](const auto& s) { return s["widgets"].isMember("transfer"); }))
        << viewer.state().toStyledString();
    usleep(300'000);
    keep(screen, "volume-overview");
    const auto shows = [&](const std::string& text) {
        return viewer.wait([&](const auto& s) {
            return fine(s) && s["edits"].asString().find(text) != std::string::npos;
        });
    };
    for (const char* view : {"slices", "projection", "slots", "cast"}) {
        ASSERT_TRUE(viewer.click(std::string("volume view ") + view));
        EXPECT_TRUE(shows(std::string("view=") + view)) << viewer.state().toStyledString();
        const std::string resource = std::string(view) == "cast" ? "first_shown/result"
                                     : std::string(view) == "projection"
                                         ? "projection_shown/sheet"
                                         : view + std::string("/sheet");
        EXPECT_TRUE(viewer.wait([&](const auto& s) {
            return fine(s) && s["scene"]["shown"]["resource"] == resource;
        })) << viewer.state()["scene"].toStyledString();
        usleep(300'000);
        keep(screen, std::string("volume-") + view);
    }

    // A preset, then a point that is dragged up, one that is added and one that is removed: the
    // picture follows, and nothing is compiled.
    const Json::Value picture = viewer.state()["widgets"]["picture"];
    const int compiled = viewer.state()["scene"]["compilations"].asInt();
    // Whether a transfer function of `points` is what the picture was made with.
    const auto follows = [&](std::ptrdiff_t points) {
        return viewer.wait([&](const auto& s) {
            std::string transfer = s["scene"]["values"]["transfer"].asString();
            std::erase_if(transfer, [](char c) { return c == '[' || c == ']'; });
            return fine(s) &&
                   s["edits"].asString().find("transfer=" + transfer) != std::string::npos &&
                   std::ranges::count(transfer, ',') + 1 == 5 * points;
        });
    };
    const auto light = [&] { return brightness(screen.pixels(), picture); };
    ASSERT_TRUE(viewer.click("preset thesis"));
    EXPECT_TRUE(follows(2)) << viewer.state()["edits"];
    usleep(300'000);
    const double before = brightness(keep(screen, "volume-thesis"), picture);
    ASSERT_TRUE(viewer.drag("transfer", 0, -60)); // pressed where nothing is: adds a point
    EXPECT_TRUE(follows(3)) << viewer.state()["edits"];
    EXPECT_TRUE(soon([&] { return std::abs(light() - before) > 3.0; }));
    keep(screen, "volume-point");
    viewer.xdotool("click 3"); // on the point that the mouse still holds
    EXPECT_TRUE(follows(2)) << viewer.state()["edits"];
    EXPECT_TRUE(soon([&] { return std::abs(light() - before) < 1.0; }))
        << before << ", " << light();
    EXPECT_EQ(viewer.state()["scene"]["compilations"], compiled);

    // The ball darkens itself, and is as before without that.
    ASSERT_TRUE(viewer.click("volume occlusion"));
    EXPECT_TRUE(shows("occlusion=true")) << viewer.state()["edits"];
    EXPECT_TRUE(soon([&] { return light() < before - 10.0; })) << before << ", " << light();
    keep(screen, "volume-occlusion");
    ASSERT_TRUE(viewer.click("volume occlusion"));
    EXPECT_TRUE(shows("occlusion=false")) << viewer.state()["edits"];
    EXPECT_TRUE(soon([&] { return std::abs(light() - before) < 1.0; }))
        << before << ", " << light();
    EXPECT_EQ(problems(viewer.state()), "");
    viewer.xdotool("key ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 0);
    EXPECT_THAT(viewer.errors(), IsEmpty());
}

// The compiler is in the middle of nothing, and will be for years.
TEST_F(ViewerTest, LivesOnWhileTheCompilationOfAShaderHangs) {
    TUFF_ONLY_ON(lavapipe);
    const Screen screen(folder);
    ViewerOnScreen viewer(screen, folder, {"graph.json", "--shaders", "kernels"});
    ASSERT_TRUE(viewer.wait(fine)) << viewer.errors();
    const fs::path kernel = folder / "kernels/image/tonemap.comp";
    std::string bomb = "#define N0\n";
    for (int i = 1; i <= 60; ++i)
        bomb += "#define N" + std::to_string(i) + " N" + std::to_string(i - 1) + " N" +
                std::to_string(i - 1) + "\n";
    write(kernel, read_file(kernel) + bomb + "N60\n");
    EXPECT_TRUE(viewer.wait([](const auto& s) { return s["scene"]["state"] == "building"; }))
        << viewer.state().toStyledString();
    for (const char* tab : {"Memory", "Values"}) {
        ASSERT_TRUE(viewer.click(std::string("tab ") + tab));
        EXPECT_TRUE(viewer.wait([&](const auto& s) { return s["tab"] == tab; })) << tab;
    }
    viewer.xdotool("key ctrl+q");
    EXPECT_EQ(viewer.exit_code(), 1);
    EXPECT_THAT(viewer.errors(), HasSubstr("viewer/stuck"));
}

TEST_F(ViewerTest, TellsWhatIsWrongBeforeThereIsAWindow) {
    const auto run = [&](const std::string& command, std::string& errors) {
        const std::string whole =
            "cd " + folder.string() + " && env -u WAYLAND_DISPLAY " + command + " > out 2> err";
        const int status = std::system(whole.c_str());
        errors = read_file(folder / "err");
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    };
    const std::string tuff = std::string(TUFF_TEST_BINARY) + " view ";
    std::string errors;
    EXPECT_EQ(run("-u DISPLAY " + tuff + "graph.json", errors), 1);
    EXPECT_THAT(errors, HasSubstr("viewer/no-display"));
    EXPECT_EQ(run("DISPLAY=" + unserved_display() + " " + tuff + "graph.json", errors), 1);
    EXPECT_THAT(errors, HasSubstr("viewer/no-display"));
    EXPECT_EQ(run(tuff + "gone.json", errors), 2);
    EXPECT_THAT(errors, HasSubstr("config/not-found"));
    EXPECT_EQ(run(tuff + "graph.json --set exposure=99", errors), 2);
    EXPECT_THAT(errors, HasSubstr("config/out-of-range"));
}

} // namespace
} // namespace tuff::test
