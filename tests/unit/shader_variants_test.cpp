// Variants of kernels: what a stage declares, what is asked for, and how the library finds it; and
// shader packs.

#include "gpu/shader/shader_pack.hpp"
#include "gpu/shader/shader_variants.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/shader_library.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace tuff {
namespace {

using testing::ElementsAre;

std::vector<std::string> names_of(const VariantTable& table) {
    std::vector<std::string> names;
    for (const ShaderVariant& variant : table.variants())
        names.push_back(variant.name_of("k"));
    return names;
}

TEST(ShaderVariants, AreAllCombinationsButThoseExcepted) {
    const auto table =
        parse_variants("k.comp", "#version 460\n"
                                 "//! variants VALUES=0,1,2 KEYS=1,2 except 2,2 0,1\n");
    ASSERT_TRUE(table) << to_string(table.error());
    EXPECT_THAT(names_of(*table), ElementsAre("k[KEYS=2,VALUES=0]", "k[KEYS=1,VALUES=1]",
                                              "k[KEYS=2,VALUES=1]", "k[KEYS=1,VALUES=2]"));
}

TEST(ShaderVariants, AreOneWithoutMacrosWhereNothingIsDeclared) {
    const auto table = parse_variants("k.comp", "#version 460\n// variants A=1\n");
    ASSERT_TRUE(table);
    EXPECT_THAT(names_of(*table), ElementsAre("k"));
}

TEST(ShaderVariants, MistakesOfTheDeclarationNameTheLine) {
    for (const std::string words : {"", "A", "A=", "A=1,1", "1=2", "A=1 A=2", "A=1,2 except 3",
                                    "A=1,2 B=1 except 1", "A=1 except 1"}) {
        const auto table =
            parse_variants("k.comp", "#version 460\n//! variants " + words + "\nvoid main() {}\n");
        ASSERT_FALSE(table) << words;
        EXPECT_EQ(table.error().front().code, "shader/bad-variants") << words;
        EXPECT_EQ(table.error().front().where.line, 2) << words;
    }
    const auto twice = parse_variants("k.comp", "//! variants A=1\n//! variants B=1\n");
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().front().where.line, 2);
}

TEST(ShaderVariants, NamesAreTakenApart) {
    const VariantName name = parse_variant_name("a/b[KEYS=2,TEXEL=uint]");
    EXPECT_EQ(name.kernel, "a/b");
    EXPECT_EQ(name.values, (MacroValues{{"KEYS", "2"}, {"TEXEL", "uint"}}));
    EXPECT_EQ(parse_variant_name("a/b").kernel, "a/b");
    EXPECT_EQ(parse_variant_name("a[b").kernel, "a[b");
}

class VariantsInFolders : public testing::Test {
  protected:
    void write(const std::string& name, const std::string& text) {
        const std::filesystem::path file = root_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
    }
    ShaderLibrary library() {
        ShaderLibrary all;
        all.set_cache_directory({});
        EXPECT_TRUE(all.add_directory(root_));
        return all;
    }
    static std::string code_of(const Result<const ShaderInterface*>& loaded) {
        return loaded ? "none" : loaded.error().front().code;
    }

    std::filesystem::path root_ = test::empty_folder();
};

constexpr const char* kScale = R"(#version 460
//! variants WORDS=1,2 TEXEL=uint,float
layout(local_size_x = 8 * WORDS) in;
buffer Data { TEXEL values[]; } data;
#if TEXEL_float
layout(constant_id = 0) const uint only_float = 0u;
#else
const uint only_float = 0u;
#endif
void main() { data.values[gl_GlobalInvocationID.x] *= TEXEL(WORDS + only_float); }
)";

TEST_F(VariantsInFolders, AreCompiledWithTheirMacros) {
    write("k/scale.comp", kScale);
    const ShaderLibrary all = library();
    const auto two =
        all.load_compute(ShaderVariant{{"WORDS", 2}, {"TEXEL", "uint"}}.name_of("k/scale"));
    ASSERT_TRUE(two) << to_string(two.error());
    EXPECT_EQ((*two)->local_size[0], 16u);
    EXPECT_TRUE((*two)->constants.empty());
    const auto one = all.load_compute("k/scale[TEXEL=float,WORDS=1]");
    ASSERT_TRUE(one) << to_string(one.error());
    EXPECT_EQ((*one)->local_size[0], 8u);
    EXPECT_EQ((*one)->constants.size(), 1u);
    EXPECT_THAT(all.names(),
                ElementsAre("k/scale[TEXEL=float,WORDS=1]", "k/scale[TEXEL=float,WORDS=2]",
                            "k/scale[TEXEL=uint,WORDS=1]", "k/scale[TEXEL=uint,WORDS=2]"));
}

TEST_F(VariantsInFolders, ThatThereAreNotAreErrors) {
    write("k/scale.comp", kScale);
    write("k/plain.comp", "#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n");
    const ShaderLibrary all = library();
    for (const std::string name : {"k/scale", "k/scale[WORDS=1]", "k/scale[TEXEL=int,WORDS=1]",
                                   "k/scale[MORE=1,TEXEL=uint,WORDS=1]", "k/plain[WORDS=1]"})
        EXPECT_EQ(code_of(all.load_compute(name)), "shader/unknown-variant") << name;
    EXPECT_EQ(code_of(all.load_compute("k/scole[WORDS=1]")), "shader/unknown");
}

TEST_F(VariantsInFolders, OfStagesAreChosenByTheMacrosThatEachDeclares) {
    write("k/corner.vert", "#version 460\nvoid main() { gl_Position = vec4(0); }\n");
    write("k/draw.frag", "#version 460\n//! vertex k/corner\n//! variants RED=0,1\n"
                         "layout(location = 0) out vec4 color;\n"
                         "uniform Params { vec4 tint; } params;\n"
                         "void main() { color = params.tint * float(RED); }\n");
    const ShaderLibrary all = library();
    const auto drawn = all.load_raster("k/draw[RED=1]");
    ASSERT_TRUE(drawn) << to_string(drawn.error());
    EXPECT_NE(all.find("k/draw[RED=1]", ShaderStage::vertex), nullptr);
    EXPECT_NE(all.find("k/draw[RED=1]", ShaderStage::fragment)->words,
              all.find("k/draw[RED=0]", ShaderStage::fragment)->words);
    EXPECT_EQ(code_of(all.load_raster("k/draw")), "shader/unknown-variant");
}

TEST_F(VariantsInFolders, AreTheSameInAPack) {
    write("k/scale.comp", kScale);
    const ShaderLibrary folder = library();
    std::vector<PackedShader> stages;
    for (const std::string& name : folder.names())
        stages.push_back(
            {name, ShaderStage::compute, folder.find(name, ShaderStage::compute)->words});
    const std::string bytes = write_shader_pack(stages);
    const std::vector<EmbeddedShader> table = read_shader_pack(std::as_bytes(std::span(bytes)));
    ASSERT_EQ(table.size(), stages.size());
    ShaderLibrary packed;
    packed.add_embedded(table);
    EXPECT_EQ(packed.names(), folder.names());
    for (const PackedShader& stage : stages) {
        const CompiledShader* found = packed.find(stage.name, ShaderStage::compute);
        ASSERT_NE(found, nullptr) << stage.name;
        EXPECT_EQ(found->words, stage.words);
    }
    EXPECT_EQ(code_of(packed.load_compute("k/scale[WORDS=1]")), "shader/unknown-variant");
    EXPECT_EQ(code_of(packed.load_compute("k/scale[MORE=1,TEXEL=uint,WORDS=1]")),
              "shader/unknown-variant");
}

TEST(ShaderPacks, AreSmallAndDamageIsNoticed) {
    std::vector<std::uint32_t> words(5000);
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = static_cast<std::uint32_t>(i % 7);
    const PackedShader stages[] = {{"one", ShaderStage::compute, words},
                                   {"none", ShaderStage::vertex, {}}};
    std::string bytes = write_shader_pack(stages);
    EXPECT_LT(bytes.size(), 4 * words.size() / 8);
    const auto table = read_shader_pack(std::as_bytes(std::span(bytes)));
    ASSERT_EQ(table.size(), 2u);
    EXPECT_EQ(words_of(table[0]), words);
    EXPECT_TRUE(words_of(table[1]).empty());
    // The checksum that zlib puts behind the bytes.
    const auto last = table[0].deflated.data() + table[0].deflated.size() - 1;
    bytes[static_cast<std::size_t>(last - std::as_bytes(std::span(bytes)).data())] ^= 1;
    EXPECT_TRUE(words_of(table[0]).empty());
}

TEST(ShaderPacks, OfOtherBytesAreEmpty) {
    const std::string good = write_shader_pack({});
    EXPECT_TRUE(read_shader_pack(std::as_bytes(std::span(good))).empty());
    const std::string none = "no pack, but long enough to be one";
    EXPECT_TRUE(read_shader_pack(std::as_bytes(std::span(none))).empty());
    EXPECT_TRUE(read_shader_pack({}).empty());
}

} // namespace
} // namespace tuff
