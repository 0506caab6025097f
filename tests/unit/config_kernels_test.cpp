#include "config_toys.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/shader_library.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

/// Nodes with a kernel of their own: what is read, what is found out, and what is refused.
namespace tuff {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kDouble = R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
//! doc what is made larger
uniform sampler2D source;
layout(rgba16f) writeonly uniform image2D result;
uniform Params {
    float factor; //! range 0.5..4, unit stops, default 2, doc how much, at most
    ivec2 shift;
} params;
void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    imageStore(result, texel, params.factor * texelFetch(source, texel + params.shift, 0));
}
)";

class ConfigKernels : public testing::Test {
  protected:
    void SetUp() override { write("config/double.comp", kDouble); }
    void write(std::string_view name, std::string_view text) {
        const std::filesystem::path file = folder_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
    }
    /// A config whose node "k" has these members.
    Result<Config> parse(std::string_view node, std::string_view output = "k.result") {
        const std::string text = R"({"tuff": 1, "assets": {"a": {"generate": "checker"}},)"
                                 "\n"
                                 R"("nodes": {"k": {)" +
                                 std::string(node) + R"(}}, "outputs": {"o": ")" +
                                 std::string(output) + R"("}})";
        return Config::parse(text, folder_ / "config/test.json", registry_);
    }
    std::string mistakes(std::string_view node, std::string_view output = "k.result") {
        const Result<Config> config = parse(node, output);
        return config ? "none" : to_string(config.error());
    }
    /// The mistakes of a compute kernel with these lines.
    std::string mistakes_of(std::string_view glsl, std::string_view rest) {
        write("config/one.comp",
              "#version 460\nlayout(local_size_x = 1) in;\n" + std::string(glsl));
        return mistakes(R"("kernel": "one.comp")" + std::string(rest));
    }
    std::string built(const Result<Config>& config) {
        if (!config) return to_string(config.error());
        const auto graph = config->build(shaders_, assets_);
        return graph ? "built" : to_string(graph.error());
    }

    const std::filesystem::path folder_ = test::empty_folder();
    PassRegistry registry_ = toys::make_registry();
    ShaderLibrary shaders_ = ShaderLibrary::embedded();
    AssetCache assets_;
};

constexpr std::string_view kSound =
    R"("kernel": "double.comp", "in": {"source": "a"}, "out": {"result": {"like": "source"}})";

TEST_F(ConfigKernels, AKernelIsANode) {
    EXPECT_EQ(built(parse(kSound)), "built");
    EXPECT_EQ(built(parse(std::string(kSound) + R"(, "repeat": 3, "carry": {"source": "result"})")),
              "built");
}

TEST_F(ConfigKernels, ParametersHaveTheRangesAndUnitsOfTheComments) {
    const auto with = [&](std::string_view params) {
        return mistakes(std::string(kSound) + R"(, "params": )" + std::string(params));
    };
    EXPECT_EQ(with(R"({"factor": 4, "shift": [1, -1]})"), "none");
    EXPECT_THAT(with(R"({"factor": 5})"),
                AllOf(HasSubstr("pass/out-of-range"), HasSubstr("0.5 to 4 stops"),
                      HasSubstr("test.json:2")));
    EXPECT_THAT(with(R"({"shift": [1.5, 0]})"), HasSubstr("pass/wrong-type"));
    EXPECT_THAT(with(R"({"factr": 1})"), HasSubstr("did you mean \"factor\"?"));
}

TEST_F(ConfigKernels, KernelsAndWhatTheyIncludeAreFilesOfTheConfig) {
    write("config/parts/more.glsl", "#define FACTOR 2.0\n");
    const std::string text(kDouble);
    write("config/including.comp", text.substr(0, text.find("//! doc what")) +
                                       "#include \"parts/more.glsl\"\n#include \"hash.glsl\"\n" +
                                       text.substr(text.find("//! doc what")));
    const auto config = parse(R"("kernel": "including.comp", "in": {"source": "a"},
                                 "out": {"result": {"like": "source"}})");
    ASSERT_TRUE(config) << to_string(config.error());
    EXPECT_THAT(config->files(), Contains(folder_ / "config/including.comp"));
    EXPECT_THAT(config->files(), Contains(folder_ / "config/parts/more.glsl"));
}

TEST_F(ConfigKernels, TextThatDoesNotCompileIsReportedAtItsLineAndNode) {
    write("config/bad.comp", std::string(kDouble) + "void more() { nothing; }\n");
    EXPECT_THAT(mistakes(R"("kernel": "bad.comp", "in": {"source": "a"})"),
                AllOf(HasSubstr("shader/compile"), HasSubstr("bad.comp:15"),
                      HasSubstr("node \"k\""), HasSubstr("test.json:2")));
    EXPECT_THAT(mistakes("\"glsl\": [\"layout(local_size_x = 1) in;\",\n\"void main() { x; }\"]"),
                AllOf(HasSubstr("shader/compile"), HasSubstr("test.json:3")));
}

TEST_F(ConfigKernels, FilesOutsideTheFoldersAreRefused) {
    write("outside.comp", kDouble);
    write("outside.glsl", "#define SECRET 1\n");
    std::filesystem::create_symlink(folder_ / "outside.comp", folder_ / "config/link.comp");
    std::filesystem::create_symlink(folder_ / "outside.glsl", folder_ / "config/link.glsl");
    for (const std::string& file :
         {std::string("../outside.comp"), (folder_ / "outside.comp").string(),
          std::string("link.comp"), std::string("../../../../../../../etc/passwd")})
        EXPECT_THAT(mistakes(R"("kernel": ")" + file + R"(", "in": {"source": "a"})"),
                    AllOf(HasSubstr("config/kernel-outside"), HasSubstr("test.json:2")))
            << file;
    for (const std::string& file :
         {std::string("../outside.glsl"), (folder_ / "outside.glsl").string(),
          std::string("link.glsl"), std::string("/etc/passwd")})
        EXPECT_THAT(
            mistakes_of("#include \"" + file + "\"\nvoid main() {}\n", ""),
            AllOf(HasSubstr("lies outside"), HasSubstr("one.comp:3"), Not(HasSubstr("root:"))))
            << file;
}

TEST_F(ConfigKernels, FilesThatAreNoKernelsAreRefused) {
    EXPECT_THAT(mistakes(R"("kernel": "none.comp")"),
                AllOf(HasSubstr("config/not-found"), HasSubstr("test.json:2")));
    EXPECT_THAT(mistakes(R"("kernel": "double.vert")"), HasSubstr("config/kernel-type"));
    write("config/junk.spv", "this is no SPIR-V");
    EXPECT_THAT(mistakes(R"("kernel": "junk.spv")"), HasSubstr("config/kernel-damaged"));
    write("config/empty.spv", "");
    EXPECT_THAT(mistakes(R"("kernel": "empty.spv")"), HasSubstr("config/kernel-damaged"));
    std::filesystem::create_directories(folder_ / "config/folder.comp");
    EXPECT_THAT(mistakes(R"("kernel": "folder.comp")"), HasSubstr("config/unreadable"));
    EXPECT_THAT(mistakes(R"("kernel": "")"), HasSubstr("config/bad-file"));
    ASSERT_EQ(mkfifo((folder_ / "config/pipe.comp").c_str(), 0600), 0); // nobody ever writes
    EXPECT_THAT(mistakes(R"("kernel": "pipe.comp")"), HasSubstr("config/unreadable"));
    EXPECT_THAT(mistakes_of("#include \"pipe.comp\"\nvoid main() {}\n", ""),
                HasSubstr("no file \"pipe.comp\""));
}

/// The bytes of a stage that is compiled when a program is built.
std::string bytes_of(const ShaderLibrary& shaders, std::string_view name, ShaderStage stage) {
    const CompiledShader* const shader = shaders.find(name, stage);
    if (!shader) return {};
    return {reinterpret_cast<const char*>(shader->words.data()), shader->words.size() * 4};
}

TEST_F(ConfigKernels, SpirvIsTakenAsItIsButForOtherStages) {
    const std::string copy = bytes_of(shaders_, "graph/carry_buffer", ShaderStage::compute);
    ASSERT_FALSE(copy.empty());
    write("config/copy.spv", copy);
    write("config/b.spv", bytes_of(shaders_, "graph/whole_picture", ShaderStage::vertex));
    write("config/cut.spv", copy.substr(0, copy.size() / 2 / 4 * 4));
    write("config/odd.spv", copy.substr(0, copy.size() - 1));
    write("config/start.comp", R"(#version 460
layout(local_size_x = 1) in;
writeonly buffer Values { uint list[]; } values;
void main() { values.list[0] = 1u; }
)");
    const auto config = Config::parse(
        R"({"tuff": 1, "nodes": {
            "s": {"kernel": "start.comp", "out": {"values": {"length": 10}}},
            "k": {"kernel": "copy.spv", "in": {"source": "s.values"},
                  "out": {"target": {"like": "source"}}}},
            "outputs": {"o": "k.target"}})",
        folder_ / "config/test.json", registry_);
    EXPECT_EQ(built(config), "built");
    EXPECT_THAT(mistakes(R"("kernel": "b.spv")"), HasSubstr("config/kernel-stage"));
    EXPECT_THAT(mistakes(R"("kernel": "cut.spv")"), HasSubstr("config/kernel-damaged"));
    EXPECT_THAT(mistakes(R"("kernel": "odd.spv")"), HasSubstr("config/kernel-damaged"));
}

TEST_F(ConfigKernels, AnInlineKernelIsOfAStageThatExists) {
    EXPECT_THAT(mistakes(R"("glsl": "void main() {}", "stage": "vertex")"),
                AllOf(HasSubstr("config/kernel-stage"), HasSubstr("\"vertex\""),
                      HasSubstr("test.json:2")));
    // The name of a file says it.
    EXPECT_THAT(mistakes(std::string(kSound) + R"(, "stage": "compute")"),
                HasSubstr("config/unknown-key"));
}

TEST_F(ConfigKernels, PortsAndTypesMustFit) {
    EXPECT_THAT(mistakes(R"("kernel": "double.comp", "in": {"sorce": "a"},
                            "out": {"result": {"like": "source"}})"),
                AllOf(HasSubstr("config/unknown-port"), HasSubstr("did you mean \"source\"?")));
    EXPECT_THAT(mistakes(R"("kernel": "double.comp", "in": {"source": "a"},
                            "out": {"reslt": {"like": "source"}})"),
                HasSubstr("config/unknown-port"));
    EXPECT_THAT(mistakes_of("readonly buffer Source { uint list[]; } source;\n"
                            "writeonly buffer Result { uint list[]; } result;\n"
                            "void main() { result.list[0] = source.list[0]; }\n",
                            R"(, "in": {"source": "a"}, "out": {"result": {"like": "source"}})"),
                AllOf(HasSubstr("config/wrong-port-type"), HasSubstr("test.json:2")));
}

TEST_F(ConfigKernels, OutputsHaveSizes) {
    const auto with = [&](std::string_view out) {
        return mistakes(R"("kernel": "double.comp", "in": {"source": "a"}, "out": {"result": )" +
                        std::string(out) + "}");
    };
    EXPECT_EQ(with(R"({"size": [3, 4]})"), "none");
    EXPECT_THAT(with("{}"), HasSubstr("config/kernel-size"));
    EXPECT_THAT(mistakes(R"("kernel": "double.comp", "in": {"source": "a"})"),
                HasSubstr("config/kernel-size"));
    EXPECT_THAT(with(R"({"length": 3})"), HasSubstr("config/kernel-size"));
    EXPECT_THAT(with(R"({"like": "source", "size": [3, 4]})"), HasSubstr("config/kernel-size"));
    EXPECT_THAT(with(R"({"like": "sorce"})"), HasSubstr("did you mean \"source\"?"));
    EXPECT_THAT(with(R"({"size": [0, 4]})"), HasSubstr("pass/out-of-range"));
    EXPECT_THAT(with(R"({"size": [3]})"), HasSubstr("pass/wrong-type"));
    EXPECT_THAT(with(R"({"size": [3, 4], "format": "rgba8_unorm"})"),
                HasSubstr("config/kernel-format"));
    EXPECT_THAT(with(R"({"size": [3, 4], "format": "rgba8"})"), HasSubstr("config/bad-format"));
}

TEST_F(ConfigKernels, DispatchesAreOneThing) {
    const auto with = [&](std::string_view dispatch) {
        return mistakes(std::string(kSound) + R"(, "dispatch": )" + std::string(dispatch));
    };
    EXPECT_EQ(with(R"({"over": "source"})"), "none");
    EXPECT_EQ(with(R"({"groups": [1, 2, 3]})"), "none");
    EXPECT_THAT(with(R"({"over": "sorce"})"), HasSubstr("config/unknown-port"));
    EXPECT_THAT(with(R"({"groups": [1, 2, 70000]})"), HasSubstr("pass/out-of-range"));
    EXPECT_THAT(with(R"({"count": 0})"), HasSubstr("pass/out-of-range"));
    EXPECT_THAT(with(R"({"count": 4, "groups": [1, 1, 1]})"), HasSubstr("config/kernel-dispatch"));
    EXPECT_THAT(with(R"({"indirect": "a"})"), HasSubstr("config/wrong-port-type"));
}

TEST_F(ConfigKernels, KernelsSayHowLargeTheirGroupsAre) {
    EXPECT_THAT(mistakes(R"("glsl": "writeonly buffer R { uint x; } result;\nvoid main() {}")"),
                AllOf(HasSubstr("config/kernel-group"), HasSubstr("test.json:2")));
}

TEST_F(ConfigKernels, BindingsAndParametersThatNobodyCanSetAreRefused) {
    EXPECT_THAT(
        mistakes_of("uniform sampler s;\nwriteonly buffer R { float x; } result;\n"
                    "uniform texture2D t;\n"
                    "void main() { result.x = textureLod(sampler2D(t, s), vec2(0), 0).x; }\n",
                    R"(, "in": {"t": "a"})"),
        AllOf(HasSubstr("config/kernel-binding"), HasSubstr("\"s\"")));
    EXPECT_THAT(mistakes_of("uniform Params { mat2 m; } params;\n"
                            "writeonly buffer R { float x; } result;\n"
                            "void main() { result.x = params.m[0][0]; }\n",
                            ""),
                HasSubstr("config/kernel-parameter"));
    EXPECT_THAT(mistakes_of("void main() {}\n", ""), HasSubstr("writes nothing"));
}

TEST_F(ConfigKernels, CommentsThatSayNothingAreReported) {
    const auto with = [&](std::string_view comment) {
        return mistakes_of("uniform Params { float f; " + std::string(comment) +
                               "\n} params;\nwriteonly buffer R { float x; } result;\n"
                               "void main() { result.x = params.f; }\n",
                           "");
    };
    EXPECT_EQ(with("//! range -1..1e3, doc one, two"), "none");
    EXPECT_THAT(with("//! range 4..1"),
                AllOf(HasSubstr("config/kernel-comment"), HasSubstr("one.comp:3")));
    EXPECT_THAT(with("//! rnge 1..4"), HasSubstr("write range, unit, default or doc"));
    EXPECT_THAT(with("//! default much"), HasSubstr("config/kernel-comment"));
}

TEST_F(ConfigKernels, TooManyElementsForPlainGroupsAreRefused) {
    write("config/plain.comp", R"(#version 460
layout(local_size_x = 1) in;
writeonly buffer Result { uint list[]; } result;
void main() { result.list[gl_GlobalInvocationID.x] = 1u; }
)");
    EXPECT_EQ(built(parse(R"("kernel": "plain.comp", "out": {"result": {"length": 65535}})")),
              "built");
    EXPECT_THAT(built(parse(R"("kernel": "plain.comp", "out": {"result": {"length": 65536}})")),
                AllOf(HasSubstr("config/kernel-too-wide"), HasSubstr("invocation_index()"),
                      HasSubstr("test.json:2")));
}

TEST_F(ConfigKernels, HostsAndTheSchemaKnowThePortsAndParameters) {
    const auto config = parse(kSound);
    ASSERT_TRUE(config) << to_string(config.error());
    const PassDescriptor* pass = config->pass_of("k");
    ASSERT_NE(pass, nullptr);
    EXPECT_EQ(pass->inputs.at(0).doc, "what is made larger");
    const auto factor = pass->find_parameter("factor");
    ASSERT_TRUE(factor);
    EXPECT_EQ(pass->parameters[*factor].high, 4.0);
    EXPECT_EQ(pass->parameters[*factor].unit, "stops");
    EXPECT_EQ(pass->parameters[*factor].doc, "how much, at most");
    EXPECT_EQ(std::get<double>(pass->parameters[*factor].default_value), 2.0);
    EXPECT_EQ(config->pass_of("a"), nullptr);

    const std::string schema = json_schema(registry_, config->kernels());
    EXPECT_THAT(schema, AllOf(HasSubstr("how much, at most [stops]"), HasSubstr("double.comp")));
    EXPECT_THAT(json_schema(registry_), Not(HasSubstr("double.comp")));
}

TEST_F(ConfigKernels, ANodeIsOneThing) {
    EXPECT_THAT(mistakes(R"("kernel": "double.comp", "pass": "toy/blur")"),
                HasSubstr("config/bad-node"));
    EXPECT_THAT(mistakes(R"("glsl": 3)"), HasSubstr("config/wrong-type"));
}

} // namespace
} // namespace tuff
