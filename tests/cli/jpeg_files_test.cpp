// JPEG files that the device has written, as files and as films.

#include "run_tuff.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace tuff::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Of pictures that change from frame to frame.
constexpr std::string_view kJpegConfig = R"({
  "tuff": 1,
  "nodes": {
    "chart": {"pass": "image/mandelbrot", "params": {"width": 70, "height": 41, "size": "=2.5-0.5*$frame"}},
    "file": {"pass": "jpeg/encode", "in": {"source": "chart.result"}, "params": {"quality": 80}}
  },
  "outputs": {"file": "file.file", "length": "file.length", "picture": "chart.result"}
})";

struct JpegFiles : testing::Test {
    JpegFiles() { folder.write("graph.json", std::string(kJpegConfig)); }
    CommandResult run(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments{"run", "graph.json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_tuff(arguments, folder.path(), {{"TUFF_DEVICE", "lavapipe"}});
    }
    static std::uint32_t word(const std::string& bytes, std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t i = 4; i-- > 0;)
            value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
        return value;
    }
    WorkFolder folder;
};

TEST_F(JpegFiles, end_where_the_file_ends) {
    const CommandResult result =
        run({"--out", "file=a.jpg", "--out", "file=a.jpg", "--out", "length=length.csv"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const std::string file = folder.read("a.jpg");
    EXPECT_EQ(file.size(), std::stoul(folder.read("length.csv")));
    EXPECT_EQ(file.substr(0, 2), "\xff\xd8");
    EXPECT_EQ(file.substr(file.size() - 2), "\xff\xd9");
}

TEST_F(JpegFiles, have_a_frame_number) {
    const CommandResult result = run({"--frames", "2", "--out", "file=f%d.jpg"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(folder.files(), ElementsAre("f0.jpg", "f1.jpg", "graph.json"));
    EXPECT_NE(folder.read("f0.jpg"), folder.read("f1.jpg"));
}

TEST_F(JpegFiles, make_a_film_with_an_index) {
    const CommandResult result = run({"--frames", "3", "--fps", "12.5", "--out", "file=film.avi"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    ASSERT_EQ(run({"--frames", "3", "--out", "file=f%d.jpg"}).exit_code, 0);
    EXPECT_THAT(folder.files(),
                ElementsAre("f0.jpg", "f1.jpg", "f2.jpg", "film.avi", "graph.json"));
    const std::string film = folder.read("film.avi");
    EXPECT_EQ(film.substr(0, 4), "RIFF");
    EXPECT_EQ(word(film, 4), film.size() - 8);
    EXPECT_EQ(word(film, film.find("avih") + 8), 80'000u) << "microseconds a frame";
    EXPECT_EQ(word(film, film.find("avih") + 24), 3u);
    EXPECT_EQ(word(film, film.find("avih") + 40), 70u);
    EXPECT_EQ(word(film, film.find("avih") + 44), 41u);
    const std::size_t list = film.find("movi");
    const std::size_t index = film.find("idx1");
    ASSERT_NE(index, std::string::npos);
    EXPECT_EQ(index, list + word(film, list - 4));
    EXPECT_EQ(word(film, index + 4), 3u * 16);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t at = list + word(film, index + 8 + 16 * i + 8);
        EXPECT_EQ(film.substr(at, 4), "00dc");
        EXPECT_EQ(film.substr(at + 8, word(film, at + 4)),
                  folder.read("f" + std::to_string(i) + ".jpg"))
            << i;
    }
}

TEST_F(JpegFiles, are_not_made_of_what_is_none) {
    const CommandResult length = run({"--out", "length=a.jpg"});
    EXPECT_EQ(length.exit_code, 1);
    EXPECT_THAT(length.errors, HasSubstr("cli/not-jpeg"));
    const CommandResult film = run({"--out", "length=a.avi"});
    EXPECT_THAT(film.errors, HasSubstr("cli/not-jpeg"));
    EXPECT_THAT(folder.files(), ElementsAre("graph.json"));
}

/// A picture of eight bits, as files are made of it by the device, or by the library.
constexpr std::string_view kPictureConfig = R"({
  "tuff": 1,
  "params": {"size": 2.5},
  "nodes": {
    "set": {"pass": "image/mandelbrot", "params": {"width": 70, "height": 41, "size": "=$size-0.5*$frame"}},
    "bright": {"pass": "image/tonemap", "in": {"source": "set.result"}, "params": {"format": "rgba32_sfloat"}},
    "shown": {"pass": "image/tonemap", "in": {"source": "set.result"}, "params": {"format": "rgba8_unorm"}}
  },
  "outputs": {"floats": "bright.result", "picture": "shown.result"}
})";

TEST_F(JpegFiles, of_pictures_are_made_by_the_device_where_it_is_asked_to) {
    folder.write("picture.json", std::string(kPictureConfig));
    const auto make = [&](const std::string& maker, const std::string& file) {
        return run_tuff({"run", "picture.json", "--jpeg", maker, "--out", "picture=" + file},
                        folder.path(), {{"TUFF_DEVICE", "lavapipe"}});
    };
    for (const char* maker : {"device", "library", "auto"}) {
        const CommandResult result = make(maker, std::string(maker) + ".jpg");
        ASSERT_EQ(result.exit_code, 0) << result.errors;
        EXPECT_EQ(result.errors, "");
    }
    // Software devices leave it to the library.
    EXPECT_EQ(folder.read("auto.jpg"), folder.read("library.jpg"));
    EXPECT_NE(folder.read("device.jpg"), folder.read("library.jpg"));
    const std::string file = folder.read("device.jpg");
    EXPECT_EQ(file.substr(file.size() - 2), "\xff\xd9");
    // With the texts of the library's, which stand behind JFIF's segment.
    for (const char* name : {"device.jpg", "library.jpg"}) {
        const std::string bytes = folder.read(name);
        EXPECT_NE(bytes.find("tuff.config: picture.json"), std::string::npos) << name;
        EXPECT_EQ(bytes.substr(20, 2), "\xff\xfe") << name;
    }
    // Both show the same: of each only what rounding differs.
    folder.write("compare.json", R"({
      "tuff": 1,
      "assets": {"a": {"image": "device.jpg"}, "b": {"image": "library.jpg"}},
      "nodes": {"far": {"pass": "image/compare", "in": {"a": "a", "b": "b"}}},
      "outputs": {"far": "far.result"}
    })");
    const CommandResult compared = run_tuff({"run", "compare.json", "--out", "far=far.csv"},
                                            folder.path(), {{"TUFF_DEVICE", "lavapipe"}});
    ASSERT_EQ(compared.exit_code, 0) << compared.errors;
    const std::string numbers = folder.read("far.csv"); // mean square, then decibels
    EXPECT_GT(std::stod(numbers.substr(numbers.find('\n') + 1)), 35.0) << numbers;
}

TEST_F(JpegFiles, of_floats_and_of_many_frames_are_whole) {
    folder.write("picture.json", std::string(kPictureConfig));
    const CommandResult result =
        run_tuff({"run", "picture.json", "--jpeg", "device", "--frames", "3", "--out",
                  "picture=p%d.jpg", "--out", "floats=f%d.jpg"},
                 folder.path(), {{"TUFF_DEVICE", "lavapipe"}});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    for (const char* name : {"p0.jpg", "p1.jpg", "p2.jpg", "f0.jpg", "f1.jpg", "f2.jpg"}) {
        const std::string bytes = folder.read(name);
        EXPECT_EQ(bytes.substr(0, 2), "\xff\xd8") << name;
        EXPECT_EQ(bytes.substr(bytes.size() - 2), "\xff\xd9") << name;
    }
    EXPECT_NE(folder.read("p0.jpg"), folder.read("p1.jpg"));
}

// An installation without the module that encodes: the library does it, and says nothing.
TEST_F(JpegFiles, are_made_by_the_library_where_there_is_no_encoder) {
    namespace fs = std::filesystem;
    folder.write("picture.json", std::string(kPictureConfig));
    const fs::path whole = fs::canonical(TUFF_TEST_BINARY).parent_path().parent_path();
    const fs::path part = folder.path() / "part";
    fs::create_directories(part / "bin");
    fs::create_directories(part / "lib/tuff/modules");
    fs::copy_file(whole / "bin/tuff", part / "bin/tuff"); // it looks beside itself
    for (const fs::path below : {"lib", "lib/tuff/modules"})
        for (const auto& entry : fs::directory_iterator(whole / below))
            if (!entry.is_directory() && entry.path().filename() != "jpeg.so")
                fs::create_symlink(fs::canonical(entry.path()),
                                   part / below / entry.path().filename());
    const auto make = [&](const std::string& maker, const std::string& file) {
        return run_program({(part / "bin/tuff").string(), "run", "picture.json", "--jpeg", maker,
                            "--out", "picture=" + file},
                           folder.path(), {{"TUFF_DEVICE", "lavapipe"}});
    };
    for (const char* maker : {"device", "library", "auto"}) {
        const CommandResult result = make(maker, std::string(maker) + ".jpg");
        ASSERT_EQ(result.exit_code, 0) << maker << ": " << result.errors;
        EXPECT_EQ(result.errors, "") << maker;
    }
    EXPECT_EQ(folder.read("device.jpg"), folder.read("library.jpg"));
    EXPECT_EQ(folder.read("auto.jpg"), folder.read("library.jpg"));
    // The whole installation makes others.
    ASSERT_EQ(run_tuff({"run", "picture.json", "--jpeg", "device", "--out", "picture=whole.jpg"},
                       folder.path(), {{"TUFF_DEVICE", "lavapipe"}})
                  .exit_code,
              0);
    EXPECT_NE(folder.read("whole.jpg"), folder.read("library.jpg"));
}

TEST_F(JpegFiles, are_the_same_on_all_devices) {
    ASSERT_EQ(run({"--out", "picture=picture.png"}).exit_code, 0);
    folder.write("same.json", R"({
      "tuff": 1,
      "assets": {"picture": {"image": "picture.png"}},
      "nodes": {
        "small": {"pass": "jpeg/encode", "in": {"source": "picture"}},
        "best": {"pass": "jpeg/encode", "in": {"source": "picture"},
                 "params": {"quality": 100, "sampling": "4:4:4", "transform": "matrix", "restart": 3}}
      },
      "outputs": {"small": "small.file", "best": "best.file"}
    })");
    const auto encode = [&](const std::string& device) {
        return run_tuff({"run", "same.json", "--out", "small=" + device + ".jpg", "--out",
                         "best=" + device + "_best.jpg"},
                        folder.path(), {{"TUFF_DEVICE", device}});
    };
    ASSERT_EQ(encode("lavapipe").exit_code, 0);
    if (encode("swiftshader").exit_code != 0) GTEST_SKIP() << "no SwiftShader";
    EXPECT_EQ(folder.read("lavapipe.jpg"), folder.read("swiftshader.jpg"));
    EXPECT_EQ(folder.read("lavapipe_best.jpg"), folder.read("swiftshader_best.jpg"));
}

} // namespace
} // namespace tuff::test
