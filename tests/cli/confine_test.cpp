// With --confine a config reads from its own folder and the asset folders, and ends within limits.

#include "run_tuff.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <string>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// Two by two white texels of four bytes.
std::string npy() {
    std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2, 4), }";
    header.resize(117, ' ');
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + std::string(16, '\xff');
}

constexpr std::string_view kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

std::string gltf(std::string_view buffer, std::string_view image = "") {
    return fmt::format(
        R"json({{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}],
 "nodes": [{{"mesh": 0}}], "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}],
 "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                 "min": [0, 0, 0], "max": [1, 1, 0]}}],
 "bufferViews": [{{"buffer": 0, "byteLength": 36}}],
 "buffers": [{{"uri": "{}", "byteLength": 36}}]{}}})json",
        buffer, image);
}

/// A config around one asset, which `reads` it.
std::string with_asset(std::string_view asset, std::string_view reads) {
    return fmt::format(R"json({{"tuff": 1, "size": [8, 4],
 "assets": {{"given": {}}},
 "nodes": {{"result": {}}},
 "outputs": {{"picture": {{"from": "result.{}", "file": "out.exr"}}}}}})json",
                       asset, reads, reads.contains("mesh_raster") ? "color" : "result");
}

std::string with_image(std::string_view file) {
    return with_asset(fmt::format(R"({{"image": "{}"}})", file),
                      R"({"pass": "image/gaussian", "in": {"source": "given"}})");
}

std::string with_model(std::string_view file, std::string_view kind = "model") {
    return with_asset(fmt::format(R"({{"{}": "{}"}})", kind, file),
                      R"({"pass": "scene/mesh_raster", "in": {"scene": "given"},
                          "params": {"width": 8, "height": 4}})");
}

std::string with_use(std::string_view file) {
    return with_asset(R"({"generate": "checker", "size": [8, 4]})",
                      fmt::format(R"({{"use": "{}", "in": {{"source": "given"}}}})", file));
}

std::string with_kernel(std::string_view file) {
    return with_asset(R"({"generate": "checker", "size": [8, 4]})",
                      fmt::format(R"({{"kernel": "{}", "in": {{"source": "given"}},
                                      "out": {{"result": {{"like": "source"}}}}}})",
                                  file));
}

constexpr std::string_view kPart = R"json({"tuff": 1, "inputs": {"source": "Image"},
 "nodes": {"soft": {"pass": "image/gaussian", "in": {"source": "source"}}},
 "outputs": {"result": "soft.result"}})json";

constexpr std::string_view kKernel = R"(#version 460
{}layout(local_size_x = 8, local_size_y = 8) in;
uniform sampler2D source;
writeonly uniform image2D result;
void main() {{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    imageStore(result, p, texelFetch(source, p, 0));
}}
)";

struct WayIn {
    std::string name;
    std::string config;
    std::string code = "asset/outside";
    bool always = false; ///< refused without --confine, too
};

void PrintTo(const WayIn& way, std::ostream* stream) {
    *stream << way.name;
}

/// The config's folder, `work`, has beside it what a config must not see. The one that the command
/// is started in is another.
class ConfinedConfig : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* at : {"work/", "other/"}) {
            const std::string folder = at;
            folder_.write(folder + "texels.npy", npy());
            folder_.write(folder + "corners.bin", std::string(36, '\0'));
            folder_.write(folder + "part.json", kPart);
            folder_.write(folder + "copy.comp", fmt::format(kKernel, ""));
            folder_.write(folder + "shared.glsl", "");
            folder_.write(folder + "plain.obj", kTriangle);
            folder_.write(folder + "plain.gltf", gltf("corners.bin"));
            folder_.write(folder + "look.mtl", "newmtl a\nKd 1 0 0\n");
        }
        const auto write = [&](const std::string& name, std::string_view text) {
            folder_.write("work/" + name, text);
        };
        write("out.gltf", gltf("../other/corners.bin"));
        write("out_percent.gltf", gltf("%2e%2e/other/corners.bin"));
        write("out_slash.gltf", gltf("..%2Fother%2Fcorners.bin"));
        write("out_link.gltf", gltf("linked/corners.bin"));
        write("out_absolute.gltf", gltf((home() / "other/corners.bin").string()));
        write("out_image.gltf", gltf("corners.bin", R"(, "images": [{"uri": "../other/a.png"}])"));
        write("out_material.obj", fmt::format("mtllib ../other/look.mtl\n{}", kTriangle));
        write("link_material.obj", fmt::format("mtllib linked/look.mtl\n{}", kTriangle));
        write("out_texture.mtl", "newmtl a\nmap_Kd ../other/texels.npy\n");
        write("out_texture.obj", fmt::format("mtllib out_texture.mtl\nusemtl a\n{}", kTriangle));
        write("out_include.comp",
              fmt::format(kKernel, "#extension GL_GOOGLE_include_directive : "
                                   "enable\n#include \"../other/shared.glsl\"\n"));
        fs::create_directory_symlink("../other", home() / "work/linked");
        fs::create_symlink("../other/texels.npy", home() / "work/link.npy");
        fs::create_symlink("../other/part.json", home() / "work/link.json");
        fs::create_symlink("../other/copy.comp", home() / "work/link.comp");
        for (const char* pipe : {"pipe.npy", "pipe.json", "pipe.mtl"})
            ASSERT_EQ(mkfifo((home() / "work" / pipe).c_str(), 0600), 0);
        write("pipe_material.obj", fmt::format("mtllib pipe.mtl\n{}", kTriangle));
        fs::create_directory(home() / "start");
    }
    const fs::path& home() const { return folder_.path(); }
    /// Without asset folders of the machine's: what lies there may be read.
    CommandResult run(std::vector<std::string> arguments, bool with_device = false) const {
        auto environment = with_device ? std::map<std::string, std::string>{} : kNoDevice;
        for (const char* name : {"XDG_DATA_HOME", "XDG_DATA_DIRS", "TUFF_ASSET_PATH"})
            environment[name] = "/nonexistent";
        return run_tuff(arguments, home() / "start", environment);
    }

    WorkFolder folder_;
};

class WaysIn : public ConfinedConfig, public testing::WithParamInterface<WayIn> {};

TEST_P(WaysIn, IsRefused) {
    const WayIn& way = GetParam();
    std::string text = way.config;
    if (const std::size_t at = text.find("HOME"); at != std::string::npos)
        text.replace(at, 4, home().string());
    folder_.write("work/graph.json", text);
    const auto before = folder_.files();
    const std::string config = "../work/graph.json";
    for (const char* command : {"check", "run", "explain"}) {
        const CommandResult result = run({command, config, "--confine"});
        EXPECT_EQ(result.exit_code, 2) << command << result.errors;
        EXPECT_THAT(result.errors,
                    AllOf(HasSubstr("error[" + way.code + "]"), HasSubstr("graph.json:")))
            << "its place";
        EXPECT_EQ(folder_.files(), before);
    }
    // Or it would show nothing: the file is one that a config can be made of.
    const CommandResult free = run({"check", config});
    EXPECT_EQ(free.exit_code, way.always ? 2 : 0) << free.errors;
}

INSTANTIATE_TEST_SUITE_P(
    All, WaysIn,
    testing::Values(
        WayIn{"absolute", with_image("HOME/other/texels.npy")},
        WayIn{"parent", with_image("../other/texels.npy")},
        WayIn{"deep_parent", with_image("a/../../other/texels.npy"), "asset/outside", true},
        WayIn{"linked_file", with_image("link.npy")},
        WayIn{"linked_folder", with_image("linked/texels.npy")},
        WayIn{"pipe", with_image("pipe.npy"), "asset/not-a-file", true},
        WayIn{"device", with_image("/dev/zero"), "asset/outside", true},
        WayIn{"missing", with_image("../other/missing.npy"), "asset/outside", true},
        WayIn{"volume",
              with_asset(R"({"volume": "../other/texels.npy"})",
                         R"({"pass": "image/gaussian", "in": {"source": "given"}})"),
              "asset/outside", true},
        WayIn{"model", with_model("../other/plain.obj")},
        WayIn{"part_of_a_scene",
              with_asset(R"({"scene": [{"model": "../other/plain.obj"}]})",
                         R"({"pass": "scene/mesh_raster", "in": {"scene": "given"}})")},
        WayIn{"gltf", with_model("../other/plain.gltf", "gltf")},
        WayIn{"buffer_of_a_gltf", with_model("out.gltf", "gltf")},
        WayIn{"buffer_as_model", with_model("out.gltf")},
        WayIn{"buffer_with_percents", with_model("out_percent.gltf", "gltf")},
        WayIn{"buffer_with_percent_slashes", with_model("out_slash.gltf", "gltf")},
        WayIn{"buffer_in_a_linked_folder", with_model("out_link.gltf", "gltf")},
        WayIn{"texture_of_a_gltf", with_model("out_image.gltf", "gltf"), "asset/outside", true},
        WayIn{"material", with_model("out_material.obj")},
        WayIn{"material_in_a_linked_folder", with_model("link_material.obj")},
        WayIn{"texture_of_a_material", with_model("out_texture.obj")},
        WayIn{"use", with_use("../other/part.json")},
        WayIn{"use_absolute", with_use("HOME/other/part.json")},
        WayIn{"use_link", with_use("link.json")},
        WayIn{"use_linked_folder", with_use("linked/part.json")},
        WayIn{"use_pipe", with_use("pipe.json"), "config/unreadable", true},
        WayIn{"use_device", with_use("/dev/zero"), "asset/outside", true},
        WayIn{"kernel", with_kernel("../other/copy.comp"), "config/kernel-outside", true},
        WayIn{"kernel_link", with_kernel("link.comp"), "config/kernel-outside", true},
        WayIn{"include", with_kernel("out_include.comp"), "shader/compile", true}),
    [](const auto& test) { return test.param.name; });

TEST_F(ConfinedConfig, ReadsWhatLiesBesideIt) {
    const std::string config = "../work/graph.json";
    for (const std::string& text :
         {with_image("texels.npy"), with_model("plain.obj"), with_model("plain.gltf", "gltf"),
          with_use("part.json"), with_kernel("copy.comp")}) {
        folder_.write("work/graph.json", text);
        const CommandResult result = run({"check", config, "--confine"});
        EXPECT_EQ(result.exit_code, 0) << text << result.errors;
    }
    // A material that nobody ever writes is none; to wait for it would be to hang.
    folder_.write("work/graph.json", with_model("pipe_material.obj"));
    EXPECT_EQ(run({"check", config}).exit_code, 0);
}

TEST_F(ConfinedConfig, RunsAsOthersDo) {
    folder_.write("work/graph.json", with_image("texels.npy"));
    const CommandResult result =
        run({"run", "../work/graph.json", "--confine", "--frames", "2"}, true);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, testing::EndsWith("wrote out.exr\n"));
    EXPECT_TRUE(fs::is_regular_file(home() / "start/out.exr"));
}

TEST_F(ConfinedConfig, IsComparedWithoutFollowingLinks) {
    folder_.write("work/graph.json", with_image("texels.npy"));
    const auto golden = [&](std::vector<std::string> more = {}) {
        std::vector<std::string> arguments = {"golden", "../work/graph.json", "--dir", "stored"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments, true);
    };
    ASSERT_EQ(golden({"--update"}).exit_code, 0);
    EXPECT_EQ(golden({"--confine"}).exit_code, 0);
    const auto expect_refused = [&] {
        const auto before = folder_.files();
        const CommandResult result = golden({"--confine"});
        EXPECT_EQ(result.exit_code, 2) << result.errors;
        EXPECT_THAT(result.errors, HasSubstr("error[cli/unsafe-output]"));
        EXPECT_EQ(folder_.files(), before);
    };
    const fs::path start = home() / "start";
    fs::remove_all(start / "golden-report");
    fs::create_directory_symlink("../other", start / "golden-report");
    expect_refused();
    fs::remove(start / "golden-report");
    fs::create_directory(start / "golden-report");
    ASSERT_TRUE(fs::is_regular_file(start / "stored/graph-picture.png"));
    fs::rename(start / "stored/graph-picture.png", home() / "other/moved.png");
    fs::create_symlink("../../other/moved.png", start / "stored/graph-picture.png");
    expect_refused();
}

TEST_F(ConfinedConfig, EndsWhereItTakesTooMuchMemory) {
    folder_.write("work/graph.json",
                  with_asset(R"({"generate": "noise", "size": [16384, 16384]})",
                             R"({"pass": "image/gaussian", "in": {"source": "given"}})"));
    const CommandResult result = run({"check", "../work/graph.json", "--max-memory", "200MiB"});
    EXPECT_EQ(result.exit_code, 1) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("error[cli/too-much-memory]"));
    EXPECT_THAT(result.output, testing::IsEmpty());
}

TEST_F(ConfinedConfig, IsNotRunWhereItsGraphTakesTooMuchMemory) {
    folder_.write(
        "work/graph.json",
        R"json({"tuff": 1, "size": [8192, 8192], "assets": {"given": {"generate": "checker"}},
 "nodes": {"large": {"pass": "image/resize", "in": {"source": "given"},
                     "params": {"width": "$width", "height": "$height"}}},
 "outputs": {"picture": {"from": "large.result", "file": "out.png"}}})json");
    const CommandResult result = run({"run", "../work/graph.json", "--max-memory", "220MiB"}, true);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("error[cli/too-much-memory]: the graph takes 256 MiB"));
    EXPECT_FALSE(fs::exists(home() / "start/out.png"));
}

TEST_F(ConfinedConfig, EndsBetweenFramesWhereItTakesTooLong) {
    folder_.write("work/graph.json", with_image("texels.npy"));
    const CommandResult result = run({"run", "../work/graph.json", "--frames", "1000000000",
                                      "--max-time", "1", "--out", "picture=%d.npy"},
                                     true);
    EXPECT_EQ(result.exit_code, 1) << result.errors;
    EXPECT_THAT(result.errors, AllOf(HasSubstr("error[cli/interrupted]"),
                                     HasSubstr("error[cli/too-long]: the run took more than 1 s")));
    for (const std::string& file : folder_.files())
        EXPECT_FALSE(file.ends_with(".part")) << file;
}

TEST_F(ConfinedConfig, EndsWithinAFrameThatTakesTooLong) {
    // lavapipe ends each loop after 65535 turns, so there are many invocations.
    folder_.write("work/slow.comp", R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
uniform sampler2D source;
writeonly uniform image2D result;
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    vec4 v = vec4(0);
    for (int i = 0; i < 65000; ++i)
        v = fract(v * 1.7 + texelFetch(source, (p ^ i) & 3, 0));
    imageStore(result, p, v);
}
)");
    folder_.write("work/graph.json",
                  with_asset(R"({"generate": "noise", "size": [2048, 2048]})",
                             R"({"kernel": "slow.comp", "in": {"source": "given"},
                                 "out": {"result": {"like": "source"}}})"));
    const auto begin = std::chrono::steady_clock::now();
    const CommandResult result = run({"run", "../work/graph.json", "--max-time", "1"}, true);
    EXPECT_EQ(result.exit_code, 1) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("error[cli/too-long]"));
    EXPECT_TRUE(fs::is_empty(home() / "start"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

} // namespace
} // namespace tuff::test
