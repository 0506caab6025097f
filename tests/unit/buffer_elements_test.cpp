// The types of buffers' elements: what they are called, what may be wired to what, and where that
// is told.

#include "tests/common/test_folder.hpp"
#include "tests/unit/pass_shaders.hpp"

#include <tuff/config.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace tuff {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Grain {
    glm::vec3 place{0.0f};
    std::uint32_t kind = 0;
    static constexpr std::string_view kStructName = "Grain";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(Grain, place), TUFF_MEMBER(Grain, kind)};
    }
};

const BufferElements kF32 = BufferElements::of<float>();
const BufferElements kU32 = BufferElements::of<std::uint32_t>();
const BufferElements kVec4 = BufferElements::of<glm::vec4>();
const BufferElements kGrain = BufferElements::of<Grain>();

TEST(BufferElements, AreCalledAsInShaders) {
    EXPECT_EQ(kF32.name(), "f32");
    EXPECT_EQ(kVec4.name(), "vec4");
    EXPECT_EQ(BufferElements::of<glm::uvec2>().name(), "uvec2");
    EXPECT_EQ(BufferElements(ElementType::f16, 4).name(), "f16[4]");
    EXPECT_EQ(kGrain.text(), "Grain (vec3 place, u32 kind)");
    EXPECT_EQ(BufferElements::named("f64").bytes(), 8u);
    EXPECT_FALSE(BufferElements::named("f65"));
    EXPECT_EQ(BufferElements{}.text(), "");
}

TEST(BufferElements, LieAsTheirStructDoes) {
    ASSERT_EQ(kGrain.members().size(), 2u);
    EXPECT_EQ(kGrain.members()[1].offset, 12u);
    EXPECT_EQ(kGrain.members()[0].count, 3u);
    EXPECT_EQ(kGrain.bytes(), sizeof(Grain));
    EXPECT_EQ(kGrain, BufferElements(kGrain.name(),
                                     {kGrain.members().begin(), kGrain.members().end()}, 16));
}

TEST(BufferElements, AreReadAsWhatTheyAre) {
    EXPECT_TRUE(can_read(kF32, kF32));
    EXPECT_TRUE(can_read(kU32, {})) << "nobody says what it is";
    EXPECT_TRUE(can_read({}, kU32));
    EXPECT_TRUE(can_read(kF32, kVec4)) << "a vector is its numbers";
    EXPECT_TRUE(can_read(kVec4, kF32));
    EXPECT_FALSE(can_read(kF32, kU32));
    EXPECT_FALSE(can_read(kU32, kF32));
    EXPECT_FALSE(can_read(BufferElements::of<std::int32_t>(), kU32));
    EXPECT_FALSE(can_read(BufferElements::of<glm::vec2>(), kVec4));
    const BufferElements padded("vec3", {{.name = {}, .type = ElementType::f32, .count = 3}}, 16);
    EXPECT_FALSE(can_read(BufferElements::of<glm::vec3>(), padded)) << "other distances";
    EXPECT_FALSE(can_read(kF32, padded)) << "not all words are numbers";
}

TEST(BufferElements, RecordsAreReadByTheirFirstWordOrAsTheirLikes) {
    const BufferElements same("Sand",
                              {{.name = "at", .type = ElementType::f32, .count = 3},
                               {.name = "of", .type = ElementType::u32, .count = 1, .offset = 12}},
                              16);
    EXPECT_TRUE(can_read(kGrain, same)) << "names do not matter";
    EXPECT_TRUE(can_read(kF32, kGrain));
    EXPECT_FALSE(can_read(kU32, kGrain));
    EXPECT_FALSE(can_read(kVec4, kGrain));
    const BufferElements longer("Long", {kGrain.members().begin(), kGrain.members().end()}, 32);
    EXPECT_FALSE(can_read(kGrain, longer));
}

/// Configs of the passes that come with Tuff.
class ElementsOfWires : public testing::Test {
  protected:
    /// The graph of a config with these nodes and one output, or its mistakes.
    std::string build(std::string_view nodes, std::string_view wire) {
        const auto config = Config::parse(R"({"tuff": 1, "outputs": {"o": ")" + std::string(wire) +
                                              R"("}, "nodes": {)" + std::string(nodes) + "}}",
                                          folder_ / "test.json", registry_);
        if (!config) return to_string(config.error());
        const auto built = config->build(test::pass_shaders(), assets_);
        if (!built) return to_string(built.error());
        for (const OutputDesc& output : built->graph.outputs)
            if (built->graph.name(output.name) == "o") return output.elements.text();
        return "no output";
    }

    const std::filesystem::path folder_ = test::empty_folder();
    const PassRegistry registry_ = passes::make_registry();
    AssetCache assets_;
};

constexpr std::string_view kNumbers =
    R"("n": {"pass": "primitives/map", "params": {"length": 8, "result_type": "f32",
                                                  "expression": "i"
}
}, )";

TEST_F(ElementsOfWires, FollowTheParameterThatNamesTheType) {
    EXPECT_EQ(build(R"("n": {"pass": "primitives/map", "params": {"length": 8, "result_type":
                       "i32", "expression": "i"}})",
                    "n.result"),
              "i32");
    EXPECT_EQ(build(std::string(kNumbers) +
                        R"("s": {"pass": "primitives/scan", "in": {"source": "n.result"},
                                 "params": {"type": "f32"}})",
                    "s.total"),
              "f32");
}

TEST_F(ElementsOfWires, FollowWhatAnInputIsConnectedTo) {
    const std::string gather =
        std::string(kNumbers) +
        R"("i": {"pass": "primitives/map", "params": {"length": 4, "result_type": "u32",
                                                      "expression": "i"}},
           "g": {"pass": "primitives/gather", "in": {"source": "n.result",
                                                     "indices": "i.result"}})";
    EXPECT_EQ(build(gather, "g.result"), "f32");
}

TEST_F(ElementsOfWires, FollowWhatThePassDoes) {
    const auto reduced = [&](std::string_view operation) {
        return build(std::string(kNumbers) +
                         R"("r": {"pass": "primitives/reduce", "in": {"source": "n.result"},
                                  "params": {"type": "f32", "operation": ")" +
                         std::string(operation) + R"("}})",
                     "r.result");
    };
    EXPECT_EQ(reduced("sum"), "f32");
    EXPECT_EQ(reduced("argmin"), "Found (u32 index, f32 element)");
    EXPECT_EQ(build(std::string(kNumbers) +
                        R"("u": {"pass": "primitives/unique", "in": {"source": "n.result"},
                                 "params": {"emits": "indices"}})",
                    "u.result"),
              "u32");
}

TEST_F(ElementsOfWires, OfAnotherTypeAreRefusedWhereTheyStand) {
    const std::string message = build(
        std::string(kNumbers) + R"("s": {"pass": "primitives/scan", "in": {"source": "n.result"}})",
        "s.result");
    EXPECT_THAT(message, AllOf(HasSubstr("pass/wrong-elements"), HasSubstr("type u32"),
                               HasSubstr("carries f32"), HasSubstr("test.json:"),
                               HasSubstr("\"n.result\""), HasSubstr("set \"type\"")));
}

TEST_F(ElementsOfWires, OfIndicesAreRefusedAsKeysOfFloats) {
    EXPECT_THAT(build(std::string(kNumbers) +
                          R"("g": {"pass": "primitives/gather",
                                   "in": {"source": "n.result", "indices": "n.result"}})",
                      "g.result"),
                AllOf(HasSubstr("input \"indices\" takes elements of type u32"),
                      HasSubstr("primitives/map")));
}

TEST_F(ElementsOfWires, AreThoseOfThePassThatALoopRepeats) {
    const std::string_view loop =
        R"("l": {"pass": "primitives/scan", "in": {"source": "n.result"}, "repeat": 2,
                 "carry": {"source": "result"}, "params": {"type": "f32"}})";
    EXPECT_EQ(build(std::string(kNumbers) + std::string(loop), "l.result"), "f32");
}

TEST_F(ElementsOfWires, OfKernelsInConfigsComeFromReflection) {
    const auto kernel = [](std::string_view type, std::string_view value) {
        return R"("k": {"glsl": ["#version 460", "layout(local_size_x = 64) in;",
            "writeonly buffer Made { )" +
               std::string(type) + R"( values[]; } made;",
            "void main() { made.values[gl_GlobalInvocationID.x] = )" +
               std::string(value) + R"(; }"], "out": {"made": {"length": 64}}})";
    };
    EXPECT_EQ(build(kernel("uint", "1u"), "k.made"), "u32");
    EXPECT_EQ(build(kernel("vec2", "vec2(1.0)"), "k.made"), "vec2");
    EXPECT_THAT(build(kernel("uint", "1u") +
                          R"(, "s": {"pass": "primitives/saxpy",
                                     "in": {"x": "k.made", "y": "k.made"}})",
                      "s.result"),
                HasSubstr("pass/wrong-elements"));
}

} // namespace
} // namespace tuff
