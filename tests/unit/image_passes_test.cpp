#include "passes/image/average.hpp"
#include "passes/image/blend.hpp"
#include "passes/image/contact_sheet.hpp"
#include "passes/image/convolve.hpp"
#include "passes/image/crop.hpp"
#include "passes/image/denoise.hpp"
#include "passes/image/gaussian.hpp"
#include "passes/image/grayscale.hpp"
#include "passes/image/highboost.hpp"
#include "passes/image/highpass.hpp"
#include "passes/image/median.hpp"
#include "passes/image/paste.hpp"
#include "passes/image/resize.hpp"
#include "passes/image/seamless_clone.hpp"
#include "passes/image/tonemap.hpp"
#include "tests/unit/graph/sketch.hpp"
#include "tests/unit/pass_shaders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

/// What the image passes add to a graph, and what they refuse. Needs no device.
namespace tuff::passes {
namespace {

using test::codes;
using test::pass_shaders;
Image picture(Graph& graph, Extent extent = {32, 24}, Format format = Format::rgba8_unorm) {
    return graph.image("picture", {.format = format, .extent = extent});
}

std::vector<std::string> node_names(const Graph& graph) {
    std::vector<std::string> all;
    for (const NodeDesc& node : graph.peek().nodes)
        all.emplace_back(graph.peek().name(node.name));
    return all;
}

std::vector<float> ones(int width, int height) {
    return std::vector<float>(static_cast<std::size_t>(width * height), 1.0f);
}

TEST(ImagePasses, RegistryKnowsEachByNameAndDescribesIt) {
    const PassRegistry registry = make_registry();
    for (const char* name :
         {"image/average", "image/blend", "image/contact_sheet", "image/convolve", "image/gaussian",
          "image/grayscale", "image/highboost", "image/highpass", "image/median", "image/resize",
          "image/tonemap"}) {
        const PassDescriptor* pass = registry.find(name);
        ASSERT_NE(pass, nullptr) << name;
        EXPECT_FALSE(pass->summary.empty()) << name;
        EXPECT_FALSE(pass->details.empty()) << name;
        EXPECT_FALSE(pass->complexity.empty()) << name;
        EXPECT_FALSE(pass->inputs.empty()) << name;
        EXPECT_TRUE(pass->find_output("result")) << name;
        for (const ParameterInfo& parameter : pass->parameters)
            EXPECT_FALSE(parameter.doc.empty()) << name << "." << parameter.name;
    }
}

TEST(ImagePasses, SmallKernelsRunWhole) {
    Graph graph{pass_shaders()};
    graph.add(Average{.source = picture(graph), .window = 3});
    EXPECT_THAT(node_names(graph), testing::ElementsAre("average/convolve/whole"));
    EXPECT_THAT(codes(graph), testing::IsEmpty());
}

TEST(ImagePasses, LargeSeparableKernelsRunAsRowsAndColumnsThroughFloats) {
    Graph graph{pass_shaders()};
    graph.add(Gaussian{.source = picture(graph), .sigma = 1.0f});
    EXPECT_THAT(node_names(graph),
                testing::ElementsAre("gaussian/convolve/rows", "gaussian/convolve/columns"));
    const GraphDesc& desc = graph.peek();
    ASSERT_EQ(desc.resources.size(), 3u);
    EXPECT_EQ(desc.resources[1].image().format, Format::rgba32_sfloat);
    EXPECT_EQ(desc.resources[2].image().format, Format::rgba8_unorm);
    EXPECT_THAT(codes(graph), testing::IsEmpty());
}

TEST(ImagePasses, SeparationCanBeForcedAndForbidden) {
    Graph graph{pass_shaders()};
    const Image source = picture(graph);
    graph.add(Convolve{.source = source, .kernel = ones(3, 3), .separable = Separation::on});
    graph.add(Convolve{.source = source,
                       .kernel = ones(7, 7),
                       .width = 7,
                       .height = 7,
                       .separable = Separation::off});
    EXPECT_THAT(node_names(graph),
                testing::ElementsAre("convolve/rows", "convolve/columns", "convolve/whole"));
}

TEST(ImagePasses, KernelsThatAreNoProductRunWhole) {
    Graph graph{pass_shaders()};
    std::vector<float> kernel = ones(5, 5);
    kernel[7] = 3.0f;
    graph.add(Convolve{.source = picture(graph), .kernel = kernel, .width = 5, .height = 5});
    EXPECT_THAT(node_names(graph), testing::ElementsAre("convolve/whole"));
}

TEST(ImagePasses, ChangedWeightsKeepTheStructure) {
    const auto build = [](float weight) {
        Graph graph{pass_shaders()};
        graph.add(Highboost{.source = picture(graph), .weight = weight});
        return std::move(graph).finish();
    };
    const GraphDesc a = build(1.5f);
    const GraphDesc b = build(2.0f);
    EXPECT_TRUE(same_structure(a, b));
    EXPECT_NE(a.parameters, b.parameters);
}

TEST(ImagePasses, CloningSomewhereElseKeepsTheStructure) {
    const auto build = [](glm::ivec2 offset) {
        Graph graph{pass_shaders()};
        graph.add(SeamlessClone{
            .target = picture(graph), .source = picture(graph, {12, 40}), .offset = offset});
        EXPECT_THAT(codes(graph), testing::IsEmpty());
        return std::move(graph).finish();
    };
    const GraphDesc a = build({3, 2});
    for (const glm::ivec2 offset : {glm::ivec2(-7, 20), {31, -39}, {-9000, 30000}}) {
        const GraphDesc b = build(offset);
        EXPECT_TRUE(same_structure(a, b));
        EXPECT_NE(a.parameters, b.parameters);
    }
}

TEST(ImagePasses, ResultsHaveTheSourcesFormatOrAStandInThatKernelsCanWrite) {
    struct Case {
        Format source;
        OutputFormat wanted;
        Format result;
    };
    for (const Case& c :
         {Case{Format::rgba8_unorm, OutputFormat::same, Format::rgba8_unorm},
          Case{Format::r32_sfloat, OutputFormat::same, Format::r32_sfloat},
          Case{Format::rgba8_srgb, OutputFormat::same, Format::rgba16_sfloat},
          Case{Format::bgra8_srgb, OutputFormat::same, Format::rgba16_sfloat},
          Case{Format::bgra8_unorm, OutputFormat::same, Format::rgba8_unorm},
          Case{Format::rgba8_unorm, OutputFormat::rgba32_sfloat, Format::rgba32_sfloat}}) {
        Graph graph{pass_shaders()};
        const Image source = picture(graph, {5, 4}, c.source);
        const Image result = graph.add(Median{.source = source, .format = c.wanted}).result;
        EXPECT_EQ(graph.desc(result).format, c.result);
        EXPECT_EQ(graph.extent(result), (Extent{5, 4}));
    }
}

TEST(ImagePasses, ResizeKeepsTheAspectWhereOneSideIsGiven) {
    Graph graph{pass_shaders()};
    const Image source = picture(graph, {30, 20});
    EXPECT_EQ(graph.extent(graph.add(Resize{.source = source, .width = 15}).result),
              (Extent{15, 10}));
    EXPECT_EQ(graph.extent(graph.add(Resize{.source = source, .height = 40}).result),
              (Extent{60, 40}));
    EXPECT_EQ(graph.extent(graph.add(Resize{.source = source, .width = 1}).result), (Extent{1, 1}));
    EXPECT_EQ(graph.extent(graph.add(Resize{.source = source, .width = 7, .height = 9}).result),
              (Extent{7, 9}));
}

TEST(ImagePasses, ResizeByAFactorRoundsBothSides) {
    Graph graph{pass_shaders()};
    const Image source = picture(graph, {31, 3});
    for (const auto& [factor, extent] :
         {std::pair{0.5f, Extent{16, 2}}, {2.0f, Extent{62, 6}}, {0.1f, Extent{3, 1}}})
        EXPECT_EQ(graph.extent(graph.add(Resize{.source = source, .factor = factor}).result),
                  extent)
            << factor;
}

TEST(ImagePasses, ContactSheetHasRoomForItsCellsAndGaps) {
    Graph graph{pass_shaders()};
    const Image a = picture(graph, {30, 20});
    const Image b = picture(graph, {10, 40});
    const Image sheet = graph.add(ContactSheet{.pictures = {a, b, a}, .gap = 4}).result;
    EXPECT_EQ(graph.extent(sheet), (Extent{4 + 2 * (30 + 4), 4 + 2 * (40 + 4)}));
    EXPECT_EQ(graph.desc(sheet).format, Format::rgba8_unorm);
    EXPECT_THAT(codes(graph), testing::IsEmpty());
}

struct BadGraph {
    std::string name;
    std::function<void(Graph&)> build;
    std::string code;
};

void PrintTo(const BadGraph& bad, std::ostream* out) {
    *out << bad.name;
}

class RefusedByImagePasses : public testing::TestWithParam<BadGraph> {};

TEST_P(RefusedByImagePasses, GivesOneDiagnosticThatNamesThePass) {
    Graph graph{pass_shaders()};
    GetParam().build(graph);
    ASSERT_THAT(codes(graph), testing::ElementsAre(GetParam().code));
    const Diagnostic& diagnostic = graph.peek().diagnostics.front();
    EXPECT_EQ(diagnostic.severity, Severity::error);
    EXPECT_THAT(diagnostic.message, testing::HasSubstr("in '"));
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const BadGraph kBadGraphs[] = {
    {"UnconnectedSource", [](Graph& g) { g.add(Convolve{}); }, "graph/unconnected"},
    {"UnconnectedGrayscale", [](Graph& g) { g.add(Grayscale{}); }, "graph/unconnected"},
    {"UnconnectedLayer", [](Graph& g) { g.add(Blend{.base = picture(g)}); }, "graph/unconnected"},
    {"EmptyContactSheet", [](Graph& g) { g.add(ContactSheet{}); }, "graph/unconnected"},
    {"DepthFormat",
     [](Graph& g) {
         g.add(Median{.source = picture(g, {8, 8}, Format::d32_sfloat)});
     },
     "image/unsupported-format"},
    {"IntegerFormat",
     [](Graph& g) {
         g.add(Highpass{.source = picture(g, {8, 8}, Format::rgba8_uint)});
     },
     "image/unsupported-format"},
    {"GreyToGrey",
     [](Graph& g) {
         g.add(Grayscale{.source = picture(g, {8, 8}, Format::r8_unorm)});
     },
     "image/unsupported-format"},
    {"SrgbOnContactSheet",
     [](Graph& g) {
         g.add(ContactSheet{.pictures = {picture(g, {8, 8}, Format::rgba8_srgb)}});
     },
     "image/unsupported-format"},
    {"Volume",
     [](Graph& g) {
         const Image volume = g.image("v", {.extent = {8, 8, 8}, .shape = ImageShape::d3});
         g.add(Average{.source = volume});
     },
     "image/not-two-dimensional"},
    {"Layers",
     [](Graph& g) {
         const Image layers =
             g.image("v", {.extent = {8, 8}, .layers = 3, .shape = ImageShape::d2_array});
         g.add(Tonemap{.source = layers});
     },
     "image/not-two-dimensional"},
    {"Multisampled",
     [](Graph& g) {
         g.add(Tonemap{.source = g.image("v", {.extent = {8, 8}, .samples = 4})});
     },
     "image/not-two-dimensional"},
    {"EvenKernel",
     [](Graph& g) {
         g.add(Convolve{.source = picture(g), .kernel = ones(4, 4), .width = 4, .height = 4});
     },
     "image/kernel-size"},
    {"LargeKernel",
     [](Graph& g) {
         g.add(Convolve{.source = picture(g), .kernel = ones(19, 3), .width = 19, .height = 3});
     },
     "pass/out-of-range"},
    {"MissingWeights",
     [](Graph& g) { g.add(Convolve{.source = picture(g), .kernel = ones(3, 1)}); },
     "image/kernel-count"},
    {"NanWeight",
     [](Graph& g) {
         std::vector<float> kernel = ones(3, 3);
         kernel[5] = kNan;
         g.add(Convolve{.source = picture(g), .kernel = kernel});
     },
     "pass/out-of-range"},
    {"NanBias", [](Graph& g) { g.add(Highpass{.source = picture(g), .bias = kNan}); },
     "pass/out-of-range"},
    {"NotSeparable",
     [](Graph& g) {
         g.add(Convolve{.source = picture(g),
                        .kernel = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                        .separable = Separation::on});
     },
     "image/not-separable"},
    {"EvenAverage", [](Graph& g) { g.add(Average{.source = picture(g), .window = 4}); },
     "image/kernel-size"},
    {"LargeAverage", [](Graph& g) { g.add(Average{.source = picture(g), .window = 19}); },
     "pass/out-of-range"},
    {"MedianOfFour", [](Graph& g) { g.add(Median{.source = picture(g), .window = 4}); },
     "image/kernel-size"},
    {"ZeroSigma", [](Graph& g) { g.add(Gaussian{.source = picture(g), .sigma = 0.0f}); },
     "pass/out-of-range"},
    {"NanSigma", [](Graph& g) { g.add(Gaussian{.source = picture(g), .sigma = kNan}); },
     "pass/out-of-range"},
    {"LargeRadius", [](Graph& g) { g.add(Gaussian{.source = picture(g), .radius = 9}); },
     "pass/out-of-range"},
    {"NegativeWeight", [](Graph& g) { g.add(Highboost{.source = picture(g), .weight = -1.0f}); },
     "pass/out-of-range"},
    {"ZeroWhite", [](Graph& g) { g.add(Tonemap{.source = picture(g), .white = 0.0f}); },
     "pass/out-of-range"},
    {"LayerOfAnotherSize",
     [](Graph& g) {
         g.add(Blend{.base = picture(g), .layer = picture(g, {32, 25})});
     },
     "image/size-mismatch"},
    {"MaskOfAnotherSize",
     [](Graph& g) {
         const Image base = picture(g);
         g.add(Blend{.base = base, .layer = base, .mask = picture(g, {1, 1})});
     },
     "image/size-mismatch"},
    {"OpacityAboveOne",
     [](Graph& g) {
         const Image base = picture(g);
         g.add(Blend{.base = base, .layer = base, .opacity = 1.5f});
     },
     "pass/out-of-range"},
    {"ResizeToNothing", [](Graph& g) { g.add(Resize{.source = picture(g)}); }, "pass/out-of-range"},
    {"ResizeByASizeAndAFactor",
     [](Graph& g) { g.add(Resize{.source = picture(g), .width = 3, .factor = 2.0f}); },
     "pass/out-of-range"},
    {"ResizeByAFactorBeyondTheLimit",
     [](Graph& g) {
         g.add(Resize{.source = picture(g, {100, 2}), .factor = 1000.0f});
     },
     "pass/out-of-range"},
    {"DenoiseByAlbedoOfAnotherSize",
     [](Graph& g) {
         g.add(Denoise{.source = picture(g), .albedo = picture(g, {3, 3})});
     },
     "image/size-mismatch"},
    {"ResizeBeyondTheLimit",
     [](Graph& g) {
         g.add(Resize{.source = picture(g, {10, 2000}), .width = 1000});
     },
     "pass/out-of-range"},
    {"CropToNothing",
     [](Graph& g) {
         g.add(Crop{.source = picture(g), .region = {0.5f, 0.2f, 0.51f, 0.8f}});
     },
     "pass/out-of-range"},
    {"CropBeyondThePicture",
     [](Graph& g) {
         g.add(Crop{.source = picture(g), .region = {0.5f, 0.2f, 1.1f, 0.8f}});
     },
     "pass/out-of-range"},
    {"PasteByAMaskOfAnotherSize",
     [](Graph& g) {
         g.add(Paste{.target = picture(g), .source = picture(g), .mask = picture(g, {1, 1})});
     },
     "image/size-mismatch"},
    {"CloneWithoutASource", [](Graph& g) { g.add(SeamlessClone{.target = picture(g)}); },
     "graph/unconnected"},
    {"CloneByAMaskOfAnotherSize",
     [](Graph& g) {
         g.add(
             SeamlessClone{.target = picture(g), .source = picture(g), .mask = picture(g, {1, 1})});
     },
     "image/size-mismatch"},
    {"CloneByAChannelThatTheMaskLacks",
     [](Graph& g) {
         g.add(SeamlessClone{.target = picture(g),
                             .source = picture(g),
                             .mask = picture(g, {32, 24}, Format::r8_unorm),
                             .channel = MaskChannel::alpha});
     },
     "image/unsupported-format"},
    {"CloneOfGreyIntoColours",
     [](Graph& g) {
         g.add(
             SeamlessClone{.target = picture(g), .source = picture(g, {8, 8}, Format::r32_sfloat)});
     },
     "image/unsupported-format"},
    {"CloneBeyondTheGreatestOffset",
     [](Graph& g) {
         g.add(SeamlessClone{.target = picture(g), .source = picture(g), .offset = {0, 1 << 20}});
     },
     "pass/out-of-range"},
    {"CloneOfANanThreshold",
     [](Graph& g) {
         g.add(SeamlessClone{.target = picture(g), .source = picture(g), .threshold = kNan});
     },
     "pass/out-of-range"},
    {"SheetBeyondTheLimit",
     [](Graph& g) {
         const Image one = picture(g);
         g.add(ContactSheet{
             .pictures = std::vector<Image>(5, one), .columns = 5, .cell_width = 4096});
     },
     "pass/out-of-range"},
};

INSTANTIATE_TEST_SUITE_P(All, RefusedByImagePasses, testing::ValuesIn(kBadGraphs),
                         [](const auto& bad) { return bad.param.name; });

TEST(ImagePasses, ASheetsOpenCellSideKeepsTheAspect) {
    Graph graph{pass_shaders()};
    const std::vector<Image> pictures(2, picture(graph, {320, 240}));
    const ContactSheet by_width =
        graph.add(ContactSheet{.pictures = pictures, .columns = 2, .cell_width = 160, .gap = 10});
    EXPECT_EQ(graph.extent(by_width.result), (Extent{350, 140, 1}));
    const ContactSheet by_height =
        graph.add(ContactSheet{.pictures = pictures, .columns = 1, .cell_height = 60, .gap = 0});
    EXPECT_EQ(graph.extent(by_height.result), (Extent{80, 120, 1}));
    const ContactSheet as_is = graph.add(ContactSheet{.pictures = pictures, .gap = 0});
    EXPECT_EQ(graph.extent(as_is.result), (Extent{640, 240, 1}));
}

TEST(ImagePasses, SizeMismatchNamesBothSizes) {
    Graph graph{pass_shaders()};
    graph.add(Blend{.base = picture(graph), .layer = picture(graph, {7, 9})});
    ASSERT_EQ(graph.peek().diagnostics.size(), 1u);
    EXPECT_THAT(graph.peek().diagnostics.front().message,
                testing::AllOf(testing::HasSubstr("32x24"), testing::HasSubstr("7x9")));
}

} // namespace
} // namespace tuff::passes
