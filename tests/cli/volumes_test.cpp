// Volumes through the command line: in, through a pass, out, and back.

#include "run_tuff.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// Two by two by two numbers of 16 bits, big-endian.
const std::string kBytes("\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00\x07\xff\xff", 16);

constexpr std::string_view kRaw = R"({"volume": "v.raw", "type": "i16", "size": [2, 2, 2],
 "byte_order": "big", "spacing": [0.5, 0.5, 2], "origin": [0, 0, -1]})";

std::string copying(std::string_view asset, std::string_view files) {
    return fmt::format(R"json({{"tuff": 1, "assets": {{"body": {}}}, "outputs": {{{}}}}})json",
                       asset, files);
}

TEST(Volumes, GoOutInEveryFormatAndComeBackEqual) {
    const WorkFolder folder;
    folder.write("v.raw", kBytes);
    folder.write("out.json", copying(kRaw, R"("n": {"from": "body", "file": "x.nrrd"},
 "m": {"from": "body", "file": "x.nii"}, "z": {"from": "body", "file": "x.nii.gz"},
 "t": {"from": "body", "file": "x.vti"}, "d": {"from": "body", "file": "x.vdb"},
 "r": {"from": "body", "file": "x.bin"}, "p": {"from": "body", "file": "x.npy"})"));
    const CommandResult out = run_tuff({"run", "out.json"}, folder.path());
    ASSERT_EQ(out.exit_code, 0) << out.errors;
    const std::string texels = folder.read("x.bin");
    ASSERT_EQ(texels.size(), 32u);
    for (const std::string_view name : {"x.nrrd", "x.nii", "x.nii.gz", "x.vti", "x.vdb", "x.npy"}) {
        SCOPED_TRACE(name);
        folder.write("back.json", copying(fmt::format(R"({{"volume": "{}"}})", name),
                                          R"("o": {"from": "body", "file": "back.bin"})"));
        const CommandResult back = run_tuff({"run", "back.json"}, folder.path());
        EXPECT_EQ(back.exit_code, 0) << back.errors;
        EXPECT_EQ(back.errors, "");
        EXPECT_TRUE(folder.read("back.bin") == texels);
        const CommandResult shown = run_tuff({"inspect", "back.json", "body"}, folder.path());
        EXPECT_THAT(shown.output,
                    HasSubstr(name == "x.npy"
                                  ? "body: 2x2x2 (spacing 1 1 1, origin 0 0 0) r32_sfloat"
                                  : "body: 2x2x2 (spacing 0.5 0.5 2, origin 0 0 -1) r32_sfloat"));
    }
}

TEST(Volumes, ASeriesHasACollectionWithTheTimes) {
    const WorkFolder folder;
    folder.write("v.raw", kBytes);
    folder.write("c.json", copying(kRaw, R"("o": {"from": "body", "file": "frames/x_%03d.vti"})"));
    const CommandResult run =
        run_tuff({"run", "c.json", "--frames", "3", "--fps", "4"}, folder.path());
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_THAT(run.output, HasSubstr("wrote frames/x.pvd"));
    EXPECT_THAT(folder.files(), ElementsAre("c.json", "frames/x.pvd", "frames/x_000.vti",
                                            "frames/x_001.vti", "frames/x_002.vti", "v.raw"));
    EXPECT_THAT(folder.read("frames/x.pvd"),
                AllOf(HasSubstr("<VTKFile type=\"Collection\""),
                      HasSubstr("<DataSet timestep=\"0\" part=\"0\" file=\"x_000.vti\"/>"),
                      HasSubstr("<DataSet timestep=\"0.25\" part=\"0\" file=\"x_001.vti\"/>"),
                      HasSubstr("<DataSet timestep=\"0.5\" part=\"0\" file=\"x_002.vti\"/>")));
}

TEST(Volumes, BadFilesAreOneErrorAtTheAssetAndNothingIsWritten) {
    const WorkFolder folder;
    folder.write("v.raw", kBytes);
    folder.write("cut.nrrd", "NRRD0005\ntype: float\ndimension: 3\nsizes: 9 9 9\n"
                             "endian: little\nencoding: raw\n\nxx");
    folder.write("odd.nrrd", "NRRD0005\ntype: uchar\ndimension: 3\nsizes: 1 1 1\n"
                             "encoding: bzip2\n\nx");
    folder.write("back.nrrd", "NRRD0005\ntype: uchar\ndimension: 3\nsizes: 1 1 1\n"
                              "spacings: 1 1 -1\nencoding: raw\n\nx");
    folder.write("huge.nrrd", "NRRD0005\ntype: uchar\ndimension: 3\nsizes: 16000 16000 16000\n"
                              "encoding: raw\n\nx");
    folder.write("series.nrrd", "NRRD0005\ntype: uchar\ndimension: 4\nsizes: 8 1 1 2\n"
                                "encoding: raw\n\nxxxxxxxxxxxxxxxx");
    folder.write("cut.vdb", std::string("\x20\x42\x44\x56\0\0\0\0\xe0\0\0\0", 12));
    folder.write("cut.vti", "<VTKFile type=\"ImageData\"><ImageData WholeExtent=\"0 1");
    folder.write("cut.nii", std::string(344, '\0') + std::string("n+1\0", 4));
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"cut.nrrd", "volume/corrupt"},          {"odd.nrrd", "volume/unsupported"},
        {"back.nrrd", "volume/bad-geometry"},    {"huge.nrrd", "volume/too-large"},
        {"series.nrrd", "volume/no-such-frame"}, {"cut.vdb", "volume/corrupt"},
        {"cut.vti", "volume/corrupt"},           {"cut.nii", "volume/corrupt"},
        {"none.vdb", "asset/not-found"},         {"v.raw", "volume/unknown-format"}};
    for (const auto& [name, code] : cases) {
        SCOPED_TRACE(name);
        folder.write("c.json", copying(fmt::format(R"({{"volume": "{}"}})", name),
                                       R"("o": {"from": "body", "file": "o.vti"})"));
        const CommandResult run = run_tuff({"run", "c.json"}, folder.path());
        EXPECT_EQ(run.exit_code, 2) << run.errors;
        EXPECT_THAT(run.errors, AllOf(HasSubstr(fmt::format("error[{}]", code)),
                                      HasSubstr("c.json:1:"), HasSubstr("hint: ")));
        EXPECT_EQ(run.errors.find("error["), run.errors.rfind("error["));
        EXPECT_THAT(folder.files(), testing::Not(testing::Contains("o.vti")));
    }
}

TEST(Volumes, ACollectionIsAsConfinedAsItsFrames) {
    const WorkFolder folder;
    folder.write("v.raw", kBytes);
    std::filesystem::create_symlink("elsewhere", folder.path() / "x.pvd");
    folder.write("c.json", copying(kRaw, R"("o": {"from": "body", "file": "x_%d.vti"})"));
    const CommandResult run = run_tuff({"run", "c.json"}, folder.path());
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.errors, HasSubstr("error[cli/unsafe-output]"));
    EXPECT_THAT(folder.files(), testing::Not(testing::Contains("x_0.vti")));
}

} // namespace
} // namespace tuff::test
