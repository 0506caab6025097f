// Films: what is handed to ffmpeg, and what is left where it is missing or fails. A script stands
// in for ffmpeg, so that none needs to be installed.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Films : public testing::Test {
  protected:
    Films() { folder.write("graph.json", kGoodConfig); }

    /// Runs three frames into a film with `script` as ffmpeg.
    CommandResult film(const std::string& script, const std::string& file = "film.mp4",
                       const std::string& fps = "24") {
        namespace fs = std::filesystem;
        fs::create_directories(folder.path() / "bin");
        folder.write("bin/ffmpeg", "#!/bin/sh\n" + script);
        fs::permissions(folder.path() / "bin/ffmpeg", fs::perms::owner_all);
        return run_tuff({"run", "graph.json", "--frames", "3", "--fps", fps, "--out", file},
                        folder.path(),
                        {{"PATH", (folder.path() / "bin").string() + ":/usr/bin:/bin"}});
    }

    WorkFolder folder;
};

TEST_F(Films, get_every_frame_as_rgba_and_their_name_at_the_end) {
    // Writes what it is given where the last argument says, and its arguments beside it.
    const CommandResult result =
        film("echo \"$@\" > arguments\nfor last; do :; done\nexec cat > \"$last\"\n");
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("wrote film.mp4"));
    EXPECT_THAT(folder.files(), ElementsAre("arguments", "bin/ffmpeg", "film.mp4", "graph.json"));
    EXPECT_EQ(folder.read("film.mp4").size(), 3u * 32 * 16 * 4);
    EXPECT_THAT(folder.read("arguments"),
                AllOf(HasSubstr("-video_size 32x16"), HasSubstr("-framerate 24"),
                      HasSubstr("-pixel_format rgba"), HasSubstr("libx264")));
}

TEST_F(Films, are_of_the_kind_that_the_extension_says) {
    const std::string script =
        "echo \"$@\" > arguments\nfor last; do :; done\nexec cat > \"$last\"\n";
    const auto arguments = [&](const std::string& file, const std::string& fps) {
        const CommandResult result = film(script, file, fps);
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        EXPECT_EQ(folder.read(file).size(), 3u * 32 * 16 * 4);
        return folder.read("arguments");
    };
    EXPECT_THAT(arguments("film.gif", "24"),
                AllOf(HasSubstr("-loop 0 -f gif"), Not(HasSubstr("fps=50"))));
    EXPECT_THAT(arguments("film.gif", "60"), HasSubstr("fps=50"));
    EXPECT_THAT(arguments("film.webp", "24"), HasSubstr("-f webp"));
}

TEST_F(Films, are_not_numbered) {
    for (const std::string file : {"film_%d.mp4", "film_%02d.gif"}) {
        const CommandResult result =
            run_tuff({"run", "graph.json", "--frames", "3", "--out", file}, folder.path());
        EXPECT_EQ(result.exit_code, 2);
        EXPECT_THAT(result.errors, HasSubstr("error[cli/bad-pattern]"));
        EXPECT_THAT(folder.files(), ElementsAre("graph.json"));
    }
}

TEST_F(Films, leave_nothing_where_ffmpeg_fails) {
    const CommandResult result = film("echo 'no such encoder' >&2\ncat > /dev/null\nexit 3\n");
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("cli/video"), HasSubstr("no such encoder")));
    EXPECT_THAT(folder.files(), ElementsAre("bin/ffmpeg", "graph.json"));
}

TEST_F(Films, leave_nothing_where_ffmpeg_stops_early) {
    const CommandResult result = film("echo 'had enough' >&2\nexit 1\n");
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("cli/video"), HasSubstr("had enough")));
    EXPECT_THAT(folder.files(), ElementsAre("bin/ffmpeg", "graph.json"));
}

TEST_F(Films, ask_for_ffmpeg_before_anything_runs) {
    const CommandResult result =
        run_tuff({"run", "graph.json", "--frames", "3", "--out", "film.mp4"}, folder.path(),
                 {{"PATH", folder.path().string()}});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("cli/no-ffmpeg"), HasSubstr("install ffmpeg")));
    EXPECT_THAT(folder.files(), ElementsAre("graph.json"));
}

} // namespace
} // namespace tuff::test
