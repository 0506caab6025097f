// Films of JPEG files that `tuff run` makes of pictures: read back whole, every frame decoded.

#include "apps/tuff/report/motion_jpeg.hpp"
#include "avi_reader.hpp"
#include "run_tuff.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <span>
#include <string>
#include <vector>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Pictures that change from frame to frame: of bytes, of floats, grey ones and whole numbers.
constexpr std::string_view kFilmConfig = R"({
  "tuff": 1,
  "params": {"columns": 70, "rows": 41, "growth": 0},
  "nodes": {
    "set": {"pass": "image/mandelbrot", "params": {"width": "=$columns+$growth*$frame", "height": "$rows", "size": "=2.5-0.02*$frame"}},
    "floats": {"pass": "image/tonemap", "in": {"source": "set.result"}, "params": {"format": "rgba32_sfloat"}},
    "bytes": {"pass": "image/tonemap", "in": {"source": "set.result"}, "params": {"format": "rgba8_unorm"}},
    "seed": {"pass": "distance/seed", "in": {"source": "bytes.result"}}
  },
  "outputs": {"bytes": "bytes.result", "floats": "floats.result", "numbers": "seed.seed"}
})";

/// A JPEG file without the comment that `tuff run` writes behind JFIF's segment.
std::string without_comment(const std::string& file) {
    const auto byte = [&](std::size_t at) -> std::size_t {
        return static_cast<unsigned char>(file.at(at));
    };
    if (byte(20) != 0xff || byte(21) != 0xfe) return file;
    return file.substr(0, 20) + file.substr(22 + (byte(22) << 8 | byte(23)));
}

class JpegFilms : public testing::Test {
  protected:
    JpegFilms() { folder.write("graph.json", std::string(kFilmConfig)); }
    CommandResult run(const std::vector<std::string>& more,
                      const std::string& device = "lavapipe") const {
        std::vector<std::string> arguments{"run", "graph.json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_tuff(arguments, folder.path(), {{"TUFF_DEVICE", device}});
    }
    /// What `read_avi` gives, with every frame decoded at the film's size.
    AviFilm read(const std::string& name) const {
        AviFilm film;
        EXPECT_NO_THROW(film = read_avi(folder.read(name))) << name;
        EXPECT_EQ(film.frame_count, film.frames.size()) << name;
        for (const std::string& frame : film.frames) {
            const DecodedJpeg picture = decode_jpeg(frame);
            EXPECT_FALSE(picture.pixels.empty()) << name;
            EXPECT_EQ(picture.width, static_cast<int>(film.width)) << name;
            EXPECT_EQ(picture.height, static_cast<int>(film.height)) << name;
        }
        return film;
    }
    WorkFolder folder;
};

TEST_F(JpegFilms, have_the_frames_that_files_would_be_whoever_makes_them) {
    for (const std::string maker : {"device", "library", "auto"}) {
        const CommandResult made = run({"--jpeg", maker, "--frames", "4", "--fps", "25", "--out",
                                        "bytes=bytes.avi", "--out", "floats=floats.avi"});
        ASSERT_EQ(made.exit_code, 0) << made.errors;
        EXPECT_THAT(made.errors, Not(HasSubstr("warning")));
        EXPECT_THAT(made.output,
                    AllOf(HasSubstr("wrote bytes.avi"), HasSubstr("wrote floats.avi")));
        ASSERT_EQ(run({"--jpeg", maker, "--frames", "4", "--out", "bytes=bytes%d.jpg", "--out",
                       "floats=floats%d.jpg"})
                      .exit_code,
                  0);
        for (const std::string name : {"bytes", "floats"}) {
            const AviFilm film = read(name + ".avi");
            EXPECT_EQ(film.frame_microseconds, 40'000u);
            EXPECT_EQ(film.width, 70u);
            EXPECT_EQ(film.height, 41u);
            ASSERT_EQ(film.frames.size(), 4u) << maker;
            for (std::size_t i = 0; i < 4; ++i)
                EXPECT_EQ(film.frames[i],
                          without_comment(folder.read(fmt::format("{}{}.jpg", name, i))))
                    << name << " by " << maker << ", frame " << i;
            EXPECT_NE(film.frames[0], film.frames[3]);
        }
    }
}

TEST_F(JpegFilms, may_be_long_or_of_one_frame_and_of_any_size) {
    struct Size {
        int width, height, frames;
    };
    for (const Size size : {Size{1, 1, 2}, Size{17, 9, 60}, Size{333, 5, 1}}) {
        const CommandResult made =
            run({"--set", fmt::format("columns={}", size.width), "--set",
                 fmt::format("rows={}", size.height), "--frames", std::to_string(size.frames),
                 "--jpeg", "device", "--out", "bytes=film.avi"});
        ASSERT_EQ(made.exit_code, 0) << made.errors;
        const AviFilm film = read("film.avi");
        EXPECT_EQ(film.width, static_cast<std::uint32_t>(size.width));
        EXPECT_EQ(film.height, static_cast<std::uint32_t>(size.height));
        EXPECT_EQ(film.frames.size(), static_cast<std::size_t>(size.frames));
    }
}

TEST_F(JpegFilms, leave_nothing_where_pictures_change_their_size) {
    for (const char* maker : {"device", "library"}) {
        const CommandResult made =
            run({"--set", "growth=1", "--jpeg", maker, "--frames", "3", "--out", "bytes=film.avi"});
        EXPECT_EQ(made.exit_code, 1);
        EXPECT_THAT(made.errors,
                    AllOf(HasSubstr("error[cli/video]"), HasSubstr("size has changed")));
        EXPECT_THAT(folder.files(), ElementsAre("graph.json"));
    }
}

TEST_F(JpegFilms, are_one_file_of_pictures_that_files_can_show) {
    const CommandResult numbered = run({"--frames", "3", "--out", "bytes=film_%d.avi"});
    EXPECT_EQ(numbered.exit_code, 2);
    EXPECT_THAT(numbered.errors, HasSubstr("error[cli/bad-pattern]"));
    const CommandResult numbers = run({"--frames", "3", "--out", "numbers=film.avi"});
    EXPECT_EQ(numbers.exit_code, 1);
    EXPECT_THAT(numbers.errors, HasSubstr("error[image/unsupported]"));
    EXPECT_THAT(folder.files(), ElementsAre("graph.json"));
}

TEST_F(JpegFilms, end_whole_where_they_would_be_too_long) {
    ASSERT_EQ(run({"--out", "bytes=b.jpg"}).exit_code, 0);
    const std::string file = folder.read("b.jpg");
    const auto bytes = std::as_bytes(std::span(file));
    cli::MotionJpegWriter writer(folder.path() / "film.avi", 24.0, 4 * file.size());
    std::size_t added = 0;
    auto done = writer.add(bytes);
    for (; done && added < 8; ++added)
        done = writer.add(bytes);
    ASSERT_FALSE(done);
    EXPECT_THAT(to_string(done.error().diagnostics), HasSubstr("cli/video"));
    const AviFilm film = read("film.avi");
    EXPECT_EQ(film.frames.size(), added);
    EXPECT_LE(folder.read("film.avi").size(), 4 * file.size());
    EXPECT_THAT(folder.files(), ElementsAre("b.jpg", "film.avi", "graph.json"));
    // Where not even one frame fits, nothing is left.
    cli::MotionJpegWriter small(folder.path() / "small.avi", 24.0, 100);
    EXPECT_FALSE(small.add(bytes));
    EXPECT_THAT(folder.files(), ElementsAre("b.jpg", "film.avi", "graph.json"));
}

} // namespace
} // namespace tuff::test
