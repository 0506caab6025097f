// Files that ranks write together, each its part of a field.

#include "ranks_fixture.hpp"

#include <tuff/image.hpp>
#include <tuff/volume.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace tuff::test {
namespace {

using testing::HasSubstr;

/// A volume of one number a cell, x + 100 y + 10000 z; the halo holds -1, which no file may have.
/// `whole` is the same by mpi/gather, whose file one process writes.
constexpr std::string_view kVolume = R"json({
 "tuff": 1, "domain": {"cells": [5, 4, 3]},
 "nodes": {
  "fill": {"glsl": ["#version 460", "layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;",
    "layout(r32f) writeonly uniform image3D field;",
    "uniform Params { ivec3 first; ivec3 count; } params;",
    "void main() {",
    "  ivec3 texel = ivec3(gl_GlobalInvocationID);",
    "  if (any(greaterThanEqual(texel, imageSize(field)))) return;",
    "  ivec3 cell = texel - HALO;",
    "  bool own = all(greaterThanEqual(cell, ivec3(0))) && all(lessThan(cell, params.count));",
    "  cell += params.first;",
    "  imageStore(field, texel, vec4(own ? float(cell.x + 100 * cell.y + 10000 * cell.z) : -1.0));",
    "}"],
    "out": {"field": {"size": ["=$part_width + 2 * HALO", "=$part_height + 2 * HALO", "=$part_depth + 2 * HALO"], "format": "r32_sfloat"}},
    "params": {"first": ["$part_x", "$part_y", "$part_z"], "count": ["$part_width", "$part_height", "$part_depth"]}},
  "whole": {"pass": "mpi/gather", "in": {"source": "fill.field"},
    "params": {"cells": ["$cells_x", "$cells_y", "$cells_z"], "halo": HALO}}
 },
 "outputs": {
  "pieces": {"from": "fill.field", "part": {"halo": HALO}, "file": "pieces.pvti", "spacing": [0.5, 1, 2], "origin": [10, 20, 30]},
  "array": {"from": "fill.field", "part": {"halo": HALO}, "file": "array.npy"},
  "volume": {"from": "fill.field", "part": {"halo": HALO}, "file": "volume.nrrd"},
  "wholearray": {"from": "whole.result", "file": "whole.npy"},
  "wholevolume": {"from": "whole.result", "file": "whole.nrrd"}
 }
})json";

std::string with(std::string text, const std::string& from, const std::string& to) {
    return std::regex_replace(text, std::regex(from), to);
}

using Box = std::array<std::uint32_t, 6>; ///< low and high of each axis

class FilesOfFields : public RunsOfRanks {
  protected:
    /// One process or several.
    CommandResult run(int count, const Words& words) const {
        return count == 1 ? run_tuff(joined({"run"}, words), folder.path())
                          : mpirun(joined(ranks(count), words));
    }

    static Box box_of(const std::string& text) {
        Box box{};
        std::istringstream numbers(text);
        for (std::uint32_t& number : box)
            numbers >> number;
        return box;
    }

    /// Checks by ParaView's rules that the pieces of a .pvti are its whole, each once, and hold
    /// `value(x, y, z)`.
    template <typename Value>
    void check_pieces(const std::string& below, const std::string& name, std::size_t count,
                      Value value) const {
        const std::string text = folder.read(below + "/" + name);
        std::smatch match;
        ASSERT_TRUE(std::regex_search(text, match, std::regex("WholeExtent=\"([^\"]*)\"")));
        const Box whole = box_of(match[1]);
        std::vector<int> seen(std::size_t{whole[1]} * whole[3] * whole[5], 0);
        const std::regex piece("<Piece Extent=\"([^\"]*)\" Source=\"([^\"]*)\"");
        std::size_t pieces = 0;
        for (auto at = std::sregex_iterator(text.begin(), text.end(), piece);
             at != std::sregex_iterator(); ++at, ++pieces) {
            const Box box = box_of((*at)[1]);
            const auto file = folder.path() / below / (*at)[2].str();
            // A piece by itself is a volume in its place.
            const auto volume = load_volume(file);
            ASSERT_TRUE(volume) << to_string(volume.error());
            const Extent extent = volume->image.extent;
            ASSERT_EQ(extent, (Extent{box[1] - box[0], box[3] - box[2], box[5] - box[4]}));
            EXPECT_DOUBLE_EQ(volume->geometry.origin[0],
                             origin[0] + box[0] * volume->geometry.spacing[0]);
            EXPECT_DOUBLE_EQ(volume->geometry.origin[2],
                             origin[2] + box[4] * volume->geometry.spacing[2]);
            for (std::uint32_t z = 0; z < extent.depth; ++z)
                for (std::uint32_t y = 0; y < extent.height; ++y)
                    for (std::uint32_t x = 0; x < extent.width; ++x) {
                        const std::uint32_t cx = box[0] + x, cy = box[2] + y, cz = box[4] + z;
                        ++seen[cx + std::size_t{whole[1]} * (cy + std::size_t{whole[3]} * cz)];
                        EXPECT_EQ(volume->image.texel(x, y, z)[0], value(cx, cy, cz));
                    }
        }
        EXPECT_EQ(pieces, count);
        for (const int times : seen)
            EXPECT_EQ(times, 1);
    }
    std::array<double, 3> origin = {10, 20, 30};
};

TEST_F(FilesOfFields, hold_a_volume_once_for_any_number_of_ranks) {
    struct Case {
        int count;
        std::string grid, cells, halo;
    };
    const std::vector<Case> cases = {{1, "", "5, 4, 3", "1"},      {2, "1,2,1", "5, 4, 3", "1"},
                                     {3, "3,1,1", "5, 4, 3", "2"}, {4, "2,1,2", "5, 4, 3", "1"},
                                     {4, "1,2,2", "5, 4, 3", "0"}, {6, "3,2,1", "3, 2, 1", "1"}};
    for (const std::string& device : software_devices())
        for (const Case& of : cases) {
            SCOPED_TRACE(
                fmt::format("{}, {} ranks of {}, halo {}", device, of.count, of.cells, of.halo));
            folder.write("v.json",
                         with(with(std::string(kVolume), "5, 4, 3", of.cells), "HALO", of.halo));
            Words words = {"v.json", "--device", device, "--out-dir", "out"};
            if (of.count > 1) words = joined(words, {"--ranks", of.grid});
            const CommandResult result = run(of.count, joined(words, {"--force"}));
            ASSERT_EQ(result.exit_code, 0) << result.errors;
            EXPECT_EQ(folder.read("out/array.npy"), folder.read("out/whole.npy"));
            EXPECT_EQ(with(folder.read("out/volume.nrrd"), "volume", "v"),
                      with(folder.read("out/whole.nrrd"), "wholevolume", "v"));
            check_pieces("out", "pieces.pvti", static_cast<std::size_t>(of.count),
                         [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
                             return static_cast<float>(x + 100 * y + 10000 * z);
                         });
        }
}

TEST_F(FilesOfFields, are_in_the_manifest_with_the_pieces_of_all_ranks) {
    folder.write("v.json", with(std::string(kVolume), "HALO", "1"));
    for (const int count : {1, 3}) {
        const std::string out = fmt::format("out{}", count);
        const auto made = [&] {
            const CommandResult result =
                run(count, {"v.json", "--device", software_devices().front(), "--out-dir", out,
                            "--manifest"});
            EXPECT_EQ(result.exit_code, 0) << result.errors;
            return !result.output.contains("skipped 1 run");
        };
        EXPECT_TRUE(made());
        const Json::Value runs = manifest(out)["runs"];
        ASSERT_EQ(runs.size(), 1u);
        std::set<std::string> outputs;
        for (const Json::Value& output : runs[0]["outputs"]) {
            outputs.insert(output["file"].asString());
            EXPECT_EQ(output.isMember("pieces"), output["output"] == "pieces") << output;
            const Json::Value& pieces = output["pieces"];
            for (Json::ArrayIndex rank = 0; rank < pieces.size(); ++rank) {
                EXPECT_EQ(pieces[rank]["file"], fmt::format("pieces_{}.vti", rank));
                const std::string written =
                    folder.read(out + "/" + pieces[rank]["file"].asString());
                EXPECT_EQ(pieces[rank]["bytes"].asUInt64(), written.size());
                EXPECT_EQ(pieces[rank]["sha256"].asString().size(), 64u);
            }
            if (output["output"] == "pieces") {
                EXPECT_EQ(pieces.size(), static_cast<unsigned>(count));
            }
        }
        EXPECT_EQ(outputs, (std::set<std::string>{"array.npy", "pieces.pvti", "volume.nrrd",
                                                  "whole.npy", "whole.nrrd"}));
        // What is missing or changed is made again.
        EXPECT_FALSE(made());
        const std::string last = fmt::format("{}/pieces_{}.vti", out, count - 1);
        const std::string whole = folder.read(last);
        folder.write(last, whole + " ");
        EXPECT_TRUE(made());
        EXPECT_EQ(folder.read(last), whole);
        EXPECT_FALSE(made());
    }
}

/// Of each frame, the picture and the array of the patterns are those of one process.
TEST_F(FilesOfFields, of_frames_are_those_of_one_process) {
    const std::string config = TUFF_TEST_SOURCE_DIR "/examples/ranks/gray_scott_frames.json";
    for (const std::string& device : software_devices()) {
        const auto words = [&](const std::string& into) {
            return Words{config,
                         "--device",
                         device,
                         "--set",
                         "steps=2",
                         "--frames",
                         "2",
                         "--out",
                         "picture=" + into + "/p_%d.png",
                         "--out",
                         "numbers=" + into + "/n_%d.npy",
                         "--out",
                         "field=" + into + "/f_%d.pvti"};
        };
        std::string text[2];
        for (const int count : {1, 2, 3, 4}) {
            const std::string into = fmt::format("{}{}", device, count);
            std::filesystem::create_directory(folder.path() / into);
            const CommandResult result = run(count, words(into));
            ASSERT_EQ(result.exit_code, 0) << result.errors;
            EXPECT_THAT(folder.read(into + "/f.pvd"), HasSubstr("f_1.pvti"));
            EXPECT_TRUE(std::filesystem::exists(folder.path() / into /
                                                fmt::format("f_1_{}.vti", count - 1)));
            for (const char* frame : {"0", "1"})
                for (const char* name : {"p_{}.png", "n_{}.npy"}) {
                    const std::string file = fmt::format(fmt::runtime(name), frame);
                    EXPECT_EQ(folder.read(into + "/" + file), folder.read(device + "1/" + file))
                        << device << ", " << count << " ranks: " << file;
                }
        }
        EXPECT_NE(folder.read(device + "1/n_0.npy"), folder.read(device + "1/n_1.npy"));
    }
}

TEST_F(FilesOfFields, put_a_film_and_a_jpeg_together) {
    const std::string config = TUFF_TEST_SOURCE_DIR "/examples/ranks/gray_scott_frames.json";
    const auto words = [&](const std::string& into) {
        return Words{
            config, "--device", software_devices().front(), "--set",     "steps=1", "--frames",
            "3",    "--out",    "picture=" + into,          "--out-dir", "rest"};
    };
    for (const std::string& file : {std::string("film.avi"), std::string("last.jpg")}) {
        ASSERT_EQ(run(1, words("one_" + file)).exit_code, 0);
        const CommandResult result = run(3, words("three_" + file));
        ASSERT_EQ(result.exit_code, 0) << result.errors;
        EXPECT_EQ(folder.read("three_" + file).size(), folder.read("one_" + file).size());
    }
    EXPECT_EQ(folder.read("three_film.avi"), folder.read("one_film.avi"));
}

TEST_F(FilesOfFields, are_refused_where_the_output_is_no_such_part) {
    const auto refusal = [&](const std::string& text, int count = 1) {
        folder.write("bad.json", text);
        const CommandResult result = run(count, {"bad.json", "--out-dir", "out"});
        EXPECT_EQ(result.exit_code, 2) << result.output;
        EXPECT_EQ(result.errors.find("error["), result.errors.rfind("error[")) << result.errors;
        return result.errors;
    };
    const std::string good = with(std::string(kVolume), "HALO", "1");
    const std::string wide = R"("pieces": {"from": "fill.field", "part": {"halo": 2})";
    for (const int count : {1, 2}) {
        const std::string errors = refusal(
            with(good, R"("pieces": \{"from": "fill.field", "part": \{"halo": 1\})", wide), count);
        EXPECT_THAT(errors, HasSubstr("mpi/part-size"));
        EXPECT_THAT(errors, HasSubstr("bad.json:"));
    }
    EXPECT_THAT(refusal(with(good, "\"halo\": 1\\}, \"file\": \"array",
                             "\"halo\": -1}, \"file\": \"array")),
                HasSubstr("config/out-of-range"));
    EXPECT_THAT(refusal(with(good, "\"part\": \\{\"halo\": 1\\}, \"file\": \"array",
                             "\"part\": {}, \"file\": \"array")),
                HasSubstr("halo"));
    // A .pvti is of parts alone.
    EXPECT_THAT(refusal(with(good, "\"part\": \\{\"halo\": 1\\}, \"file\": \"pieces",
                             "\"file\": \"pieces")),
                HasSubstr("cli/unknown-extension"));
    EXPECT_THAT(
        refusal(
            R"json({"tuff": 1, "assets": {"a": {"generate": "checker", "size": [8, 8], "cell": 2}},
      "outputs": {"o": {"from": "a", "part": {"halo": 0}, "file": "o.npy"}}})json"),
        HasSubstr("config/no-domain"));
}

} // namespace
} // namespace tuff::test
