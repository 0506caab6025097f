#include "gpu/shader/shader_compiler.hpp"
#include "passes/registry.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/shader_library.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace tuff {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kFill = "#version 460\n"
                          "layout(local_size_x = 64) in;\n"
                          "writeonly buffer Values { float v[]; } values;\n"
                          "void main() { values.v[gl_GlobalInvocationID.x] = 1.0; }\n";

/// A folder of shaders and a cache of their own for each test.
class ShaderLibraryTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!shader_compiler_available()) GTEST_SKIP() << "built without TUFF_RUNTIME_SHADERC";
        root_ = test::empty_folder();
        fs::create_directories(root_ / "shaders");
    }

    void write(const fs::path& file, const std::string& text) {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file, std::ios::binary) << text;
    }

    ShaderLibrary library(const fs::path& folder = "shaders") {
        ShaderLibrary result;
        result.set_cache_directory(root_ / "cache");
        const auto added = result.add_directory(root_ / folder);
        EXPECT_TRUE(added) << to_string(added.error());
        return result;
    }

    std::vector<fs::path> cache_files() const {
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(root_ / "cache"))
            files.push_back(entry.path());
        return files;
    }

    fs::path root_;
};

TEST_F(ShaderLibraryTest, NamesKernelsByTheirPathAndFindsTheirWords) {
    write("shaders/image/fill.comp", kFill);
    write("shaders/depth.vert", "#version 460\nvoid main() { gl_Position = vec4(0.0); }\n");
    write("shaders/stray.frag", "#version 460\nvoid main() {}\n");
    const ShaderLibrary shaders = library();
    EXPECT_THAT(shaders.names(), ElementsAre("depth", "image/fill"));

    const ShaderInterface* fill = shaders.compute("image/fill");
    ASSERT_NE(fill, nullptr);
    EXPECT_EQ(fill->name, "image/fill");
    EXPECT_NE(fill->find_binding("values"), nullptr);
    EXPECT_EQ(shaders.compute("image/fill"), fill);
    const CompiledShader* words = shaders.find("image/fill", ShaderStage::compute);
    ASSERT_NE(words, nullptr);
    EXPECT_EQ(words->words.at(0), 0x07230203u); // SPIR-V's magic number

    EXPECT_NE(shaders.raster("depth"), nullptr); // no fragment stage: depth only
    EXPECT_EQ(shaders.find("depth", ShaderStage::fragment), nullptr);
}

TEST_F(ShaderLibraryTest, KeepsInterfacesInPlaceWhenMoved) {
    write("shaders/fill.comp", kFill);
    ShaderLibrary first = library();
    const ShaderInterface* fill = first.compute("fill");
    const ShaderLibrary second = std::move(first);
    EXPECT_EQ(second.compute("fill"), fill);
}

TEST_F(ShaderLibraryTest, SuggestsANameForAnUnknownKernel) {
    write("shaders/image/tonemap.comp", kFill);
    const auto missing = library().load_compute("image/tonemop");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error()[0].code, "shader/unknown");
    EXPECT_THAT(missing.error()[0].hint, HasSubstr("image/tonemap"));
}

TEST_F(ShaderLibraryTest, SaysThatAKernelIsOfTheOtherKind) {
    write("shaders/fill.comp", kFill);
    const auto missing = library().load_raster("fill");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error()[0].code, "shader/unknown");
    EXPECT_THAT(missing.error()[0].hint, HasSubstr("compute kernel"));
}

TEST_F(ShaderLibraryTest, KeepsNamesInsideItsFolders) {
    write("secret.comp", kFill);
    const ShaderLibrary shaders = library();
    for (const std::string& name : {std::string("../secret"), (root_ / "secret").string(),
                                    std::string(), std::string("./x"), std::string("shaders/")}) {
        const auto found = shaders.load_compute(name);
        ASSERT_FALSE(found) << name;
        EXPECT_EQ(found.error()[0].code, "shader/unknown") << name;
    }
}

TEST_F(ShaderLibraryTest, LetsTheLastFolderHideOthers) {
    write("shaders/fill.comp", kFill);
    write("mine/fill.comp", "#version 460\nbuffer Mine { float v[]; } mine;\n"
                            "void main() { mine.v[0] = 1.0; }\n");
    ShaderLibrary shaders = library();
    ASSERT_TRUE(shaders.add_directory(root_ / "mine"));
    EXPECT_NE(shaders.compute("fill")->find_binding("mine"), nullptr);
}

TEST_F(ShaderLibraryTest, RefusesAFolderThatIsNotThere) {
    ShaderLibrary shaders;
    const auto added = shaders.add_directory(root_ / "nowhere");
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error()[0].code, "shader/no-directory");
}

TEST_F(ShaderLibraryTest, FindsIncludesBesideTheFileAndInTheIncludeFolder) {
    write("shaders/include/one.glsl", "#define ONE 1.0\n");
    write("shaders/image/two.glsl", "#include \"one.glsl\"\n#define TWO (ONE + ONE)\n");
    write("shaders/image/fill.comp", "#version 460\n#include \"two.glsl\"\n"
                                     "buffer Values { float v[]; } values;\n"
                                     "void main() { values.v[0] = TWO; }\n");
    const ShaderLibrary shaders = library();
    const auto loaded = shaders.load_compute("image/fill");
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_THAT(shaders.source_files(),
                ElementsAre(root_ / "shaders/image/fill.comp", root_ / "shaders/image/two.glsl",
                            root_ / "shaders/include/one.glsl"));
}

TEST_F(ShaderLibraryTest, GivesFileLineAndTextOfEveryCompileError) {
    write("shaders/broken.comp", "#version 460\n"
                                 "void main() {\n"
                                 "    float x = unknown_name;\n"
                                 "    vec3 y = 3;\n"
                                 "}\n");
    const ShaderLibrary shaders = library();
    const auto loaded = shaders.load_compute("broken");
    ASSERT_FALSE(loaded);
    ASSERT_EQ(loaded.error().size(), 2u);
    const Diagnostic& first = loaded.error()[0];
    EXPECT_EQ(first.code, "shader/compile");
    EXPECT_THAT(first.message, HasSubstr("unknown_name"));
    EXPECT_EQ(first.where.file, (root_ / "shaders/broken.comp").string());
    EXPECT_EQ(first.where.line, 3);
    EXPECT_EQ(first.where.line_text, "    float x = unknown_name;");
    EXPECT_EQ(loaded.error()[1].where.line, 4);
    EXPECT_EQ(shaders.compute("broken"), nullptr);
    EXPECT_EQ(shaders.find("broken", ShaderStage::compute), nullptr);
}

TEST_F(ShaderLibraryTest, PlacesAnErrorOfAnIncludeInTheInclude) {
    write("shaders/include/bad.glsl", "\nfloat f() { return nope; }\n");
    write("shaders/user.comp", "#version 460\n#include \"bad.glsl\"\nvoid main() { f(); }\n");
    const auto loaded = library().load_compute("user");
    ASSERT_FALSE(loaded);
    EXPECT_THAT(loaded.error()[0].where.file, HasSubstr("bad.glsl"));
    EXPECT_EQ(loaded.error()[0].where.line, 2);
    EXPECT_EQ(loaded.error()[0].where.line_text, "float f() { return nope; }");
}

TEST_F(ShaderLibraryTest, ReportsAMissingIncludeAndAnEndlessOne) {
    write("shaders/missing.comp", "#version 460\n#include \"nothing.glsl\"\nvoid main() {}\n");
    write("shaders/include/loop.glsl", "#include \"loop.glsl\"\n");
    write("shaders/endless.comp", "#version 460\n#include \"loop.glsl\"\nvoid main() {}\n");
    const ShaderLibrary shaders = library();
    const auto missing = shaders.load_compute("missing");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error()[0].message, HasSubstr("nothing.glsl"));
    EXPECT_EQ(missing.error()[0].where.line, 2);
    const auto endless = shaders.load_compute("endless");
    ASSERT_FALSE(endless);
    EXPECT_EQ(endless.error()[0].code, "shader/compile");
}

TEST_F(ShaderLibraryTest, TakesUnchangedSourceFromTheCache) {
    write("shaders/fill.comp", kFill);
    const ShaderLibrary first = library();
    ASSERT_NE(first.compute("fill"), nullptr);
    EXPECT_EQ(first.statistics().compiled, 1u);
    const ShaderLibrary second = library();
    ASSERT_NE(second.compute("fill"), nullptr);
    EXPECT_EQ(second.statistics().compiled, 0u);
    EXPECT_EQ(second.statistics().cache_hits, 1u);
    EXPECT_EQ(second.find("fill", ShaderStage::compute)->words,
              first.find("fill", ShaderStage::compute)->words);
}

TEST_F(ShaderLibraryTest, CompilesAgainWhenAnIncludeChanges) {
    write("shaders/include/value.glsl", "#define VALUE 1.0\n");
    write("shaders/fill.comp", "#version 460\n#include \"value.glsl\"\n"
                               "buffer Values { float v[]; } values;\n"
                               "void main() { values.v[0] = VALUE; }\n");
    ASSERT_NE(library().compute("fill"), nullptr);
    write("shaders/include/value.glsl", "#define VALUE 2.0\n");
    const ShaderLibrary second = library();
    ASSERT_NE(second.compute("fill"), nullptr);
    EXPECT_EQ(second.statistics().compiled, 1u);
}

TEST_F(ShaderLibraryTest, CompilesAgainWhenTheCachedFileIsDamaged) {
    write("shaders/fill.comp", kFill);
    const ShaderLibrary first = library();
    ASSERT_NE(first.compute("fill"), nullptr);
    ASSERT_EQ(cache_files().size(), 1u);
    const fs::path file = cache_files()[0];
    const auto size = fs::file_size(file);
    const auto damage = [&](std::uintmax_t keep, std::uintmax_t flip) {
        std::string content(size, '\0');
        std::ifstream(file, std::ios::binary).read(content.data(), static_cast<long>(size));
        content.resize(keep);
        if (flip < keep) content[flip] = static_cast<char>(content[flip] ^ 1);
        std::ofstream(file, std::ios::binary) << content;
    };
    const std::pair<std::uintmax_t, std::uintmax_t> cases[] = {
        {0, ~0u}, {10, ~0u}, {size - 4, ~0u}, {size, 0}, {size, 8}, {size, size - 1}};
    for (const auto& [keep, flip] : cases) {
        damage(keep, flip);
        const ShaderLibrary again = library();
        ASSERT_NE(again.compute("fill"), nullptr) << keep << ' ' << flip;
        EXPECT_EQ(again.statistics().compiled, 1u) << keep << ' ' << flip;
        EXPECT_EQ(again.find("fill", ShaderStage::compute)->words,
                  first.find("fill", ShaderStage::compute)->words);
    }
}

TEST_F(ShaderLibraryTest, DoesWithoutACacheThatCannotBeWritten) {
    write("shaders/fill.comp", kFill);
    write("occupied", "a file where the folder should be");
    ShaderLibrary shaders = library();
    shaders.set_cache_directory(root_ / "occupied");
    EXPECT_NE(shaders.compute("fill"), nullptr);
    ShaderLibrary uncached = library();
    uncached.set_cache_directory({});
    EXPECT_NE(uncached.compute("fill"), nullptr);
}

TEST_F(ShaderLibraryTest, JoinsTheStagesOfARasterKernel) {
    const std::string params = "uniform Params { vec4 tint; float size; } params;\n";
    write("shaders/include/params.glsl", params);
    write("shaders/sprite.vert", "#version 460\n#include \"params.glsl\"\n"
                                 "void main() { gl_Position = vec4(params.size); }\n");
    write("shaders/sprite.frag",
          "#version 460\n#include \"params.glsl\"\n"
          "uniform sampler2D image;\n"
          "layout(location = 0) out vec4 colour;\n"
          "void main() { colour = params.tint * texture(image, vec2(0)); }\n");
    const ShaderLibrary shaders = library();
    const auto sprite = shaders.load_raster("sprite");
    ASSERT_TRUE(sprite) << to_string(sprite.error());
    EXPECT_EQ((*sprite)->param_stages, 0x11u);
    EXPECT_EQ((*sprite)->bindings.size(), 1u);
    EXPECT_NE(shaders.find("sprite", ShaderStage::vertex), nullptr);
    EXPECT_NE(shaders.find("sprite", ShaderStage::fragment), nullptr);
}

const char* const kTracing = "#version 460\n#extension GL_EXT_ray_tracing : require\n";

class RayKernels : public ShaderLibraryTest {
  protected:
    void SetUp() override {
        ShaderLibraryTest::SetUp();
        if (!shader_compiler_available()) return;
        write("shaders/shoot.rgen",
              std::string(kTracing) +
                  "uniform accelerationStructureEXT scene;\n"
                  "writeonly buffer Hits { float values[]; } hits;\n"
                  "layout(location = 0) rayPayloadEXT float t;\n"
                  "void main() {\n"
                  "    traceRayEXT(scene, 0u, 0xffu, 0u, 0u, 0u, vec3(0), 0.0, vec3(1), 9.0, 0);\n"
                  "    hits.values[gl_LaunchIDEXT.x] = t;\n"
                  "}\n");
        called("rmiss", "t = -1.0;");
        called("rchit", "t = gl_HitTEXT;");
    }
    void called(const std::string& extension, const std::string& body,
                const std::string& declared = "") {
        write("shaders/shoot." + extension, std::string(kTracing) +
                                                "layout(location = 0) rayPayloadInEXT float t;\n" +
                                                declared + "\nvoid main() { " + body + " }\n");
    }
    std::string code() {
        const auto loaded = library().load_rays("shoot");
        return loaded ? "" : loaded.error().front().code;
    }
};

TEST_F(RayKernels, AreWhatTheirRayGenerationBinds) {
    const ShaderLibrary shaders = library();
    const auto shoot = shaders.load_rays("shoot");
    ASSERT_TRUE(shoot) << to_string(shoot.error());
    EXPECT_EQ((*shoot)->stages, 0x100u | 0x400u | 0x800u);
    ASSERT_EQ((*shoot)->bindings.size(), 2u);
    const ShaderBinding* scene = (*shoot)->find_binding("scene");
    ASSERT_NE(scene, nullptr);
    EXPECT_EQ(scene->kind, BindingKind::acceleration_structure);
    EXPECT_EQ(scene->stages, 0x100u);
    for (const ShaderStage stage :
         {ShaderStage::ray_generation, ShaderStage::miss, ShaderStage::closest_hit})
        EXPECT_NE(shaders.find("shoot", stage), nullptr);
    EXPECT_EQ(shaders.find("shoot", ShaderStage::any_hit), nullptr);
    EXPECT_EQ(shaders.compute("shoot"), nullptr);

    called("rahit", "ignoreIntersectionEXT;");
    const ShaderLibrary with_any = library();
    ASSERT_NE(with_any.rays("shoot"), nullptr);
    EXPECT_EQ(with_any.rays("shoot")->stages, 0xf00u);
}

TEST_F(RayKernels, HaveAMissAndAClosestHit) {
    EXPECT_EQ(code(), "");
    std::filesystem::remove(root_ / "shaders/shoot.rmiss");
    EXPECT_EQ(code(), "shader/missing-stage");
    called("rmiss", "t = -1.0;");
    std::filesystem::remove(root_ / "shaders/shoot.rchit");
    EXPECT_EQ(code(), "shader/missing-stage");
    std::filesystem::remove(root_ / "shaders/shoot.rgen");
    EXPECT_EQ(code(), "shader/unknown");
}

TEST_F(RayKernels, BindInRayGenerationAlone) {
    called("rmiss", "t = distances.values[0];", "readonly buffer D { float values[]; } distances;");
    EXPECT_EQ(code(), "shader/unsupported-binding");
    called("rmiss", "t = params.far;", "uniform Params { float far; } params;");
    EXPECT_EQ(code(), "shader/unsupported-binding");
    called("rmiss", "t = far;", "layout(constant_id = 1) const float far = 2.0;");
    EXPECT_EQ(code(), "shader/unsupported-binding");
}

TEST_F(ShaderLibraryTest, ServesSeveralThreads) {
    for (int i = 0; i < 4; ++i)
        write("shaders/k" + std::to_string(i) + ".comp", kFill);
    const ShaderLibrary shaders = library();
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&shaders] {
                for (int i = 0; i < 4; ++i)
                    EXPECT_NE(shaders.compute("k" + std::to_string(i)), nullptr);
            });
    }
    EXPECT_EQ(shaders.statistics().compiled + shaders.statistics().cache_hits, 4u);
}

TEST(EmbeddedShaders, AllLoad) {
    const ShaderLibrary shaders = passes::make_shaders();
    for (const std::string& name : shaders.names()) {
        const auto compute = shaders.load_compute(name);
        const auto raster = shaders.load_raster(name);
        const auto rays = shaders.load_rays(name);
        EXPECT_TRUE(compute || raster || rays) << name << ": " << to_string(raster.error());
        // A name may be of kernels of several kinds, which declare variants or not.
        for (const auto* loaded : {&compute, &raster, &rays})
            EXPECT_THAT(*loaded ? "" : loaded->error().front().code,
                        testing::AnyOf("", "shader/unknown", "shader/unknown-variant"))
                << name;
    }
    EXPECT_EQ(shaders.statistics().compiled, 0u);
}

} // namespace
} // namespace tuff
