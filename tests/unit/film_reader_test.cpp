// What films give where they are whole, and what is told where they or ffmpeg are not.

#include "scene/film/film_reader.hpp"
#include "tests/common/film_files.hpp"
#include "tests/common/test_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tuff {
namespace {

using testing::HasSubstr;

class FilmReaders : public testing::Test {
  protected:
    void TearDown() override { setenv("PATH", path_.c_str(), 1); }

    /// Scripts in place of the programs; an empty text: there is none.
    void stand_in(const std::string& ffmpeg, const std::string& ffprobe = "echo 3") {
        const std::filesystem::path folder = folder_ / "bin";
        std::filesystem::create_directories(folder);
        for (const auto& [name, text] : {std::pair{"ffmpeg", ffmpeg}, {"ffprobe", ffprobe}}) {
            if (text.empty()) continue;
            std::ofstream(folder / name) << "#!/bin/sh\n" << text << "\n";
            std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
        }
        setenv("PATH", folder.c_str(), 1);
    }
    /// A picture of 2 x 1 texels as ffmpeg writes it.
    static std::string picture(int width = 2) {
        return "printf 'P7\\nWIDTH " + std::to_string(width) +
               "\\nHEIGHT 1\\nDEPTH 4\\nMAXVAL 255\\nTUPLTYPE RGB_ALPHA\\nENDHDR\\n';" +
               "printf '" + std::string(static_cast<std::size_t>(4 * width), 'x') + "';";
    }
    static std::string error_of(const Result<HostImage>& picture) {
        return picture ? "" : to_string(picture.error());
    }

    const std::filesystem::path folder_ = test::empty_folder();
    const std::string path_ = std::getenv("PATH");
};

TEST_F(FilmReaders, GiveThePicturesOfEveryKind) {
    if (!test::have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    for (const char* name : {"a.mkv", "a.avi"}) {
        test::make_film(folder_ / name, 6);
        FilmReader film(folder_ / name);
        EXPECT_EQ(film.count(), 6u) << name;
        for (const int number : {0, 1, 4, 5, 2}) {
            const auto picture = film.picture(static_cast<std::uint64_t>(number));
            ASSERT_TRUE(picture) << name << to_string(picture.error());
            EXPECT_EQ(picture->texels, test::film_picture(number, {32, 16, 1}).texels) << name;
        }
        EXPECT_THAT(error_of(film.picture(6)), HasSubstr("film/ended"));
        EXPECT_TRUE(film.picture(3)) << "a reader goes on after an error";
    }
}

TEST_F(FilmReaders, SkipManyPicturesExactly) {
    if (!test::have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    constexpr int kMany = 256 + 20; // reading on costs more than beginning again
    test::make_film(folder_ / "long.mkv", kMany);
    FilmReader film(folder_ / "long.mkv");
    ASSERT_TRUE(film.picture(1));
    const auto last = film.picture(kMany - 1);
    ASSERT_TRUE(last) << to_string(last.error());
    EXPECT_EQ(last->texels[0], static_cast<std::byte>((kMany - 1) % 256));
}

TEST_F(FilmReaders, TellWhereFilesOfOtherFilesArePlaylists) {
    if (!test::have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    test::make_film(folder_ / "a.mkv", 2);
    // A list that names a file would read it, wherever it is.
    std::ofstream(folder_ / "list.mp4") << "ffconcat version 1.0\nfile a.mkv\n";
    FilmReader list(folder_ / "list.mp4");
    ASSERT_FALSE(list.count());
    EXPECT_THAT(error_of(list.picture(0)), HasSubstr("film/damaged"));
}

TEST_F(FilmReaders, TellThatFfmpegIsMissing) {
    stand_in("", "");
    FilmReader film(folder_ / "a.mp4");
    ASSERT_FALSE(film.count());
    EXPECT_EQ(film.count().error().front().code, "film/no-ffmpeg");
    EXPECT_THAT(error_of(film.picture(0)), HasSubstr("film/no-ffmpeg"));
}

TEST_F(FilmReaders, TellWhatIsDamaged) {
    const auto error_with = [&](const std::string& ffmpeg) {
        stand_in(ffmpeg);
        FilmReader film(folder_ / "a.mp4");
        auto first = film.picture(0);
        return first ? error_of(film.picture(1)) : error_of(first);
    };
    EXPECT_EQ(error_with(picture() + picture()), "");
    EXPECT_THAT(error_with(picture()), HasSubstr("film/ended"));
    EXPECT_THAT(error_with(picture() + "echo bad packet >&2; exit 1"),
                testing::AllOf(HasSubstr("film/damaged"), HasSubstr("bad packet")));
    EXPECT_THAT(error_with(picture() + "printf 'P7\\nWIDTH 2'"), HasSubstr("film/damaged"));
    EXPECT_THAT(error_with("printf 'P6 2 1 255 '"), HasSubstr("film/damaged"));
    EXPECT_THAT(error_with("head -c 100000 /dev/zero"), HasSubstr("film/damaged"));
    EXPECT_THAT(error_with(picture() + picture(3)), HasSubstr("film/size"));
    EXPECT_THAT(error_with(picture(99999)), HasSubstr("image/too-large"));
    std::string cut = picture();
    cut.resize(cut.size() - 4);
    EXPECT_THAT(error_with(cut + "'"), HasSubstr("film/damaged"));
    EXPECT_THAT(error_with("kill -9 $$"), HasSubstr("film/damaged"));
}

TEST_F(FilmReaders, TellThatThereAreNoPictures) {
    for (const char* probe : {"echo 0", "echo N/A", "true", "exit 1", "echo 5; exit 1"}) {
        stand_in("true", probe);
        FilmReader film(folder_ / "a.mp4");
        ASSERT_FALSE(film.count()) << probe;
        EXPECT_EQ(film.count().error().front().code, "film/damaged") << probe;
    }
}

} // namespace
} // namespace tuff
