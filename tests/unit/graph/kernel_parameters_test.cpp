// Parameters of kernels from values of many types, and what is told of those that were left out.
#include "fake_shaders.hpp"
#include "sketch.hpp"

#include <cstring>

namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kFloat = ScalarType::float32;

/// struct Params { vec3 centre; float radius; mat3 turn; float weights[3]; uint has_mask; }, as
/// std140 has it.
std::vector<ShaderInterface> set_kernels() {
    ShaderInterface block{.name = "block", .stages = kComputeBit};
    block.param_members = {
        {.name = "centre", .rows = 3},
        {.name = "radius", .offset = 12},
        {.name = "turn", .rows = 3, .columns = 3, .offset = 16, .matrix_stride = 16},
        {.name = "weights", .array_length = 3, .offset = 64, .array_stride = 16},
        {.name = "has_mask", .scalar = ScalarType::uint32, .offset = 112}};
    block.param_bytes = 116;
    ShaderInterface pushed{.name = "pushed", .stages = kComputeBit};
    pushed.push_members = {{.name = "offset", .scalar = ScalarType::int32, .rows = 2},
                           {.name = "gain", .scalar = kFloat, .offset = 8}};
    pushed.push_bytes = 12;
    ShaderInterface drawn{.name = "drawn", .stages = kVertexBit | kFragmentBit};
    ShaderInterface bare{.name = "bare", .stages = kComputeBit};
    return {block, pushed, drawn, bare};
}

class KernelParameters : public testing::Test {
  public:
    FakeShaders shaders{set_kernels()};
    Graph graph{shaders};

    /// The numbers of a block from `byte` on.
    template <typename T = float>
    std::vector<T> at(std::size_t byte, std::size_t count) const {
        std::vector<T> numbers(count);
        std::memcpy(numbers.data(), graph.peek().parameters.data() + byte, count * sizeof(T));
        return numbers;
    }
    std::string mistake() const { return to_string(graph.peek().diagnostics); }
    Diagnostics finished() { return std::move(graph).finish().diagnostics; }
};

TEST_F(KernelParameters, ArraysOfTheStandardLibrarySetVectorsMatricesAndArrays) {
    auto node = graph.compute("block");
    node.set("centre", std::array{1.0f, 2.0f, 3.0f});
    node.set("turn", std::array{std::array{1.0f, 2.0f, 3.0f}, std::array{4.0f, 5.0f, 6.0f},
                                std::array{7.0f, 8.0f, 9.0f}});
    node.set("weights", std::array{0.25f, 0.5f});
    EXPECT_THAT(codes(graph), IsEmpty()) << mistake();
    EXPECT_THAT(at(0, 4), ElementsAre(1, 2, 3, 0));
    EXPECT_THAT(at(16, 11), ElementsAre(1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9));
    EXPECT_THAT(at(64, 9), ElementsAre(0.25f, 0, 0, 0, 0.5f, 0, 0, 0, 0));
}

TEST_F(KernelParameters, AsManyNumbersAsComponentsAreAVectorInSpansToo) {
    const std::vector<float> numbers{4, 5, 6};
    graph.compute("block").set("centre", std::span(numbers));
    EXPECT_THAT(codes(graph), IsEmpty()) << mistake();
    EXPECT_THAT(at(0, 3), ElementsAre(4, 5, 6));
}

TEST_F(KernelParameters, APlainStructOfTheMembersNumbersSetsIt) {
    struct Vector {
        float x, y, z;
    };
    struct Turn {
        Vector columns[3];
    };
    auto node = graph.compute("block");
    node.set("centre", Vector{1, 2, 3});
    node.set("turn", Turn{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}});
    EXPECT_THAT(codes(graph), IsEmpty()) << mistake();
    EXPECT_THAT(at(0, 3), ElementsAre(1, 2, 3));
    EXPECT_THAT(at(16, 11), ElementsAre(1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9));
}

TEST_F(KernelParameters, AStructSetsTheWholeBlockAndNothingIsLeftOut) {
    struct Params {
        float centre[3];
        float radius;
        float turn[3][4];
        float weights[3][4];
        std::uint32_t has_mask;
    };
    Params params{};
    params.centre[1] = 2.0f;
    params.has_mask = 7;
    graph.compute("block").set(params);
    struct Pushed {
        std::int32_t offset[2];
        float gain;
    };
    const std::size_t pushed = graph.peek().parameters.size();
    graph.compute("pushed").set(Pushed{{-1, 1}, 2.5f});
    EXPECT_THAT(at(4, 1), ElementsAre(2.0f));
    EXPECT_THAT(at<std::uint32_t>(112, 1), ElementsAre(7u));
    const std::size_t start = (pushed + 15) / 16 * 16;
    EXPECT_THAT(at<std::int32_t>(start, 2), ElementsAre(-1, 1));
    EXPECT_THAT(at(start + 8, 1), ElementsAre(2.5f));
    EXPECT_THAT(codes(finished()), IsEmpty());
}

TEST_F(KernelParameters, AStructOfAnotherSizeIsRefusedAndBothSizesAreTold) {
    struct Two {
        float x, y;
    };
    auto node = graph.compute("block");
    node.set("centre", Two{1, 2});
    EXPECT_THAT(mistake(), HasSubstr("is vec3 of 12 bytes"));
    EXPECT_THAT(mistake(), HasSubstr("a struct of 8"));
    node.set(Two{1, 2});
    EXPECT_THAT(mistake(), HasSubstr("are 116 bytes"));
    graph.compute("bare").set(Two{1, 2}); // it has no parameters at all
    EXPECT_THAT(codes(graph), ElementsAre("graph/parameter-size", "graph/parameter-size",
                                          "graph/parameter-size"));
    EXPECT_THAT(at(0, 4), ElementsAre(0, 0, 0, 0)); // nothing was written
}

/// The layout of block "pushed", but for the type of its last member.
struct Shared {
    glm::ivec2 offset{0};
    std::int32_t gain = 0;
    static constexpr std::string_view kStructName = "Shared";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(Shared, offset), TUFF_MEMBER(Shared, gain)};
    }
};
struct SharedParams {
    float centre[3] = {};
    float radius = 0.0f;
    float rest[25] = {};
    static constexpr std::string_view kStructName = "SharedParams";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(SharedParams, centre), TUFF_MEMBER(SharedParams, radius)};
    }
};

TEST_F(KernelParameters, TheMembersOfASharedStructAreComparedWithTheBlocks) {
    graph.compute("block").set(SharedParams{}); // its centre is an array, the block's a vector
    EXPECT_THAT(codes(graph), ElementsAre("graph/struct-mismatch")) << mistake();
    graph.compute("pushed").set(Shared{}); // its gain is a whole number
    EXPECT_THAT(codes(graph), ElementsAre("graph/struct-mismatch", "graph/struct-mismatch"))
        << mistake();
}

TEST_F(KernelParameters, AWrongTypeIsToldBesideTheRightOne) {
    auto node = graph.compute("block");
    node.set("centre", std::array{1.0f, 2.0f});
    EXPECT_THAT(mistake(), HasSubstr("'centre' of kernel 'block' is vec3"));
    EXPECT_THAT(mistake(), HasSubstr("sets float[2]"));
    node.set("radius", glm::vec2(1.0f));
    EXPECT_THAT(mistake(), HasSubstr("is float, and node 'block' sets vec2"));
    node.set("turn", glm::mat4(1.0f));
    EXPECT_THAT(mistake(), HasSubstr("is mat3, and node 'block' sets mat4"));
    node.set("weights", std::array{1, 2});
    EXPECT_THAT(mistake(), HasSubstr("is float[3], and node 'block' sets int[2]"));
    node.set("weights", std::array{1.0f, 2.0f, 3.0f, 4.0f});
    EXPECT_THAT(mistake(), HasSubstr("is float[3], and node 'block' sets float[4]"));
    EXPECT_THAT(codes(graph), testing::Each("graph/parameter-type"));
}

TEST_F(KernelParameters, AForgottenSetIsAWarning) {
    auto node = graph.compute("block");
    node.set("centre", glm::vec3(0.0f)); // zero, but given
    node.set("turn", glm::mat3(1.0f));
    node.set("weights", std::span<const float>());
    const Diagnostics told = finished();
    EXPECT_THAT(codes(told), ElementsAre("graph/parameter-not-set"));
    EXPECT_EQ(told[0].severity, Severity::warning);
    EXPECT_THAT(told[0].message, HasSubstr("'radius' of kernel 'block'"));
    EXPECT_THAT(told[0].hint, HasSubstr("set(\"radius\""));
}

TEST_F(KernelParameters, PushConstantsThatWereForgottenAreTold) {
    graph.compute("pushed").set("offset", glm::ivec2(1, 2));
    const Diagnostics told = finished();
    EXPECT_THAT(codes(told), ElementsAre("graph/parameter-not-set"));
    EXPECT_THAT(told[0].message, HasSubstr("'gain'"));
}

TEST_F(KernelParameters, NodesOfPassesAndScopesAreNotLookedAt) {
    graph.push_scope("pass");
    graph.compute("pushed");
    graph.raster("drawn").area({4, 4, 1});
    graph.pop_scope();
    EXPECT_THAT(codes(finished()), IsEmpty());
}

TEST_F(KernelParameters, AWarningStopsNothingAndErrorsHideIt) {
    EXPECT_TRUE(compile(
        [&] {
            Graph forgetful(shaders);
            forgetful.compute("pushed").dispatch(1);
            return std::move(forgetful).finish();
        }(),
        DeviceCaps{}));
    graph.compute("block").set("centre", 1.0f);
    EXPECT_THAT(codes(finished()), ElementsAre("graph/parameter-type"));
}

TEST_F(KernelParameters, TheBodyOfALoopIsToldOfOnce) {
    graph.repeat("loop", 4, 0, [&](int state, std::uint32_t) {
        graph.compute("pushed").set("gain", 1.0f);
        return state;
    });
    const Diagnostics told = finished();
    EXPECT_THAT(codes(told), ElementsAre("graph/parameter-not-set"));
    EXPECT_THAT(told[0].message, HasSubstr("loop[0]/pushed"));
}

TEST_F(KernelParameters, NodesOfADescriptionThatWasGoneOnWithAreNotToldAgain) {
    graph.compute("pushed").dispatch(1);
    GraphDesc begun = std::move(graph).finish();
    const std::size_t told = begun.diagnostics.size();
    Graph more(std::move(begun), shaders);
    auto node = more.compute("pushed");
    node.set("gain", 1.0f);
    node.set("offset", glm::ivec2(0));
    EXPECT_EQ(std::move(more).finish().diagnostics.size(), told);
}

TEST_F(KernelParameters, ARasterNodeThatDrawsNothingIsAWarning) {
    auto empty = graph.raster("drawn", "empty");
    empty.area({4, 4, 1});
    auto full = graph.raster("drawn", "full");
    full.area({4, 4, 1});
    full.draw({.count = 3});
    const Diagnostics told = finished();
    EXPECT_THAT(codes(told), ElementsAre("graph/no-draws"));
    EXPECT_EQ(told[0].severity, Severity::warning);
    EXPECT_THAT(told[0].message, HasSubstr("'empty'"));
}

} // namespace
} // namespace tuff
