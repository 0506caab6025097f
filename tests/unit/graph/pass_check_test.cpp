// What Graph::add refuses, and what becomes of passes after one that failed.

#include "tests/unit/config_toys.hpp"
#include "tests/unit/graph/sketch.hpp"

#include <tuff/plan.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tuff {
namespace {

using test::codes;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using toys::Blur;

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

Image picture(Graph& graph, const ImageDesc& desc = {}) {
    return toys::fill(graph, desc, "picture");
}

// Passes that the toys of configs have no need of.

/// A bundle that is not connected without its second handle.
struct Pair {
    static constexpr std::string_view kPortType = "Pair";
    toys::Grid grid;
    Buffer second;
    float scale = 1.0f;
    std::vector<Image> layers;
    explicit operator bool() const { return bool(second); }
};

struct MakePair {
    static constexpr std::string_view kName = "toy/make_pair";
    bool fails = false;
    Pair pair;
    static void describe(PassInfo<MakePair>& info) {
        info.parameter("fails", &MakePair::fails, "it does");
        info.output("pair", &MakePair::pair, "the bundle");
    }
    void build(Graph& graph) {
        if (fails) return graph.error("toy/failed", "it was asked to");
        pair.second = graph.buffer("second", {.size = 4});
    }
};

struct UsePair {
    static constexpr std::string_view kName = "toy/use_pair";
    Pair pair;
    Buffer result;
    static void describe(PassInfo<UsePair>& info) {
        info.input("pair", &UsePair::pair, "the bundle");
        info.output("result", &UsePair::result, "a buffer");
    }
    void build(Graph& graph) { result = graph.fill(pair.second, 0); }
};

/// Adds a pass with a mistake, and goes on with what that made.
struct Outer {
    static constexpr std::string_view kName = "toy/outer";
    float sigma = 1.0f;
    Image result;
    static void describe(PassInfo<Outer>& info) {
        info.parameter("sigma", &Outer::sigma, "of the pass inside");
        info.output("result", &Outer::result, "an image");
    }
    void build(Graph& graph) {
        result = graph.add(Blur{.source = picture(graph), .sigma = sigma}).result;
        if (graph.desc(result).extent.width < 8) graph.error("toy/too-small", "it is small");
    }
};

struct Ranges {
    static constexpr std::string_view kName = "toy/ranges";
    float tenths = 0.5f;
    float positive = 1.0f;
    float below_one = 0.5f;
    float any = 0.0f;
    double precise = 0.5;
    std::int8_t small = 0;
    std::uint64_t large = 0;
    glm::uvec2 size{8, 8};
    Buffer result;
    static void describe(PassInfo<Ranges>& info) {
        info.parameter("tenths", &Ranges::tenths, "ends that floats round").range(0.1, 0.9);
        info.parameter("positive", &Ranges::positive, "more than 0")
            .range(0.0, std::numeric_limits<double>::infinity(), RangeEnds::open_low);
        info.parameter("below_one", &Ranges::below_one, "less than 1")
            .range(0.0, 1.0, RangeEnds::open_high);
        info.parameter("any", &Ranges::any, "finite");
        info.parameter("precise", &Ranges::precise, "of 64 bits").range(0.1, 0.9);
        info.parameter("small", &Ranges::small, "of 8 bits").range(-3, 3);
        info.parameter("large", &Ranges::large, "of 64 bits");
        info.parameter("size", &Ranges::size, "two numbers").range(1, 16);
        info.output("result", &Ranges::result, "a buffer");
    }
    void build(Graph& graph) { result = graph.buffer("result", {.size = 4}); }
};

struct Pictures {
    static constexpr std::string_view kName = "toy/pictures";
    Image source;
    Image depth;
    Image either;
    std::vector<Image> layers;
    Image result;
    static void describe(PassInfo<Pictures>& info) {
        info.optional_input("source", &Pictures::source, "a picture").picture();
        info.optional_input("depth", &Pictures::depth, "or depth").depth_picture();
        info.optional_input("either", &Pictures::either, "or a volume").picture_or_volume();
        info.input_list("layers", &Pictures::layers, "one or two").wires(1, 2).picture();
        info.output("result", &Pictures::result, "one of them");
    }
    void build(Graph&) { result = layers[0]; }
};

/// The code of the error that adding the pass gives, or "ok".
template <typename Pass>
std::string code_of(Graph& graph, const Pass& pass) {
    const std::size_t before = graph.peek().diagnostics.size();
    graph.add(pass);
    const Diagnostics& all = graph.peek().diagnostics;
    EXPECT_LE(all.size(), before + 1);
    return all.size() == before ? "ok" : all.back().code;
}
template <typename Pass>
std::string code_of(const Pass& pass) {
    Graph graph;
    return code_of(graph, pass);
}

TEST(PassCheck, ANumberOutsideItsRangeIsNamedAndNothingIsBuilt) {
    Graph graph;
    const Image source = picture(graph);
    const std::size_t nodes = graph.peek().nodes.size();
    const Blur added = graph.add(Blur{.source = source, .sigma = 65.5f}, "soft");
    ASSERT_THAT(codes(graph.peek().diagnostics), ElementsAre("pass/out-of-range"));
    const Diagnostic& mistake = graph.peek().diagnostics[0];
    EXPECT_EQ(mistake.message, "in 'soft': parameter \"sigma\" is 65.5 texels, outside its range");
    EXPECT_EQ(mistake.hint, "give 0 to 64 texels");
    EXPECT_EQ(graph.peek().nodes.size(), nodes);
    EXPECT_EQ(added.result.version, kInvalidVersion);
    EXPECT_FALSE(added.result) << "there is no such image";
}

TEST(PassCheck, NumbersThatAreNoneAreRefusedWhereverTheyStand) {
    Graph graph;
    const Image source = picture(graph);
    EXPECT_EQ(code_of(graph, Blur{.source = source, .sigma = kNotANumber}), "pass/out-of-range");
    EXPECT_EQ(code_of(graph, Blur{.source = source, .weights = {1.0f, kNotANumber}}),
              "pass/out-of-range");
    EXPECT_EQ(
        code_of(graph, Blur{.source = source, .camera = {.position = {0.0f, kNotANumber, 0.0f}}}),
        "pass/out-of-range");
    EXPECT_THAT(graph.peek().diagnostics.back().message,
                HasSubstr("\"camera.position\" (component 1) is nan"));
    EXPECT_EQ(code_of(Ranges{.any = kNotANumber}), "pass/out-of-range");
    EXPECT_EQ(code_of(Ranges{.any = std::numeric_limits<float>::infinity()}), "pass/out-of-range");
    EXPECT_EQ(code_of(Ranges{.any = std::numeric_limits<float>::max()}), "ok");
}

TEST(PassCheck, TheEndsOfARangeAreInItAlsoWhereAFloatRoundsThem) {
    EXPECT_EQ(code_of(Ranges{}), "ok");
    EXPECT_EQ(code_of(Ranges{.tenths = 0.1f}), "ok");
    EXPECT_EQ(code_of(Ranges{.tenths = 0.9f}), "ok");
    EXPECT_EQ(code_of(Ranges{.tenths = std::nextafter(0.1f, 0.0f)}), "pass/out-of-range");
    EXPECT_EQ(code_of(Ranges{.tenths = std::nextafter(0.9f, 1.0f)}), "pass/out-of-range");
    EXPECT_EQ(code_of(Ranges{.precise = 0.9}), "ok");
    EXPECT_EQ(code_of(Ranges{.precise = std::nextafter(0.9, 1.0)}), "pass/out-of-range");
}

TEST(PassCheck, OpenEndsAreNotInTheRange) {
    EXPECT_EQ(code_of(Ranges{.positive = std::numeric_limits<float>::denorm_min()}), "ok");
    EXPECT_EQ(code_of(Ranges{.positive = 0.0f}), "pass/out-of-range");
    EXPECT_EQ(code_of(Ranges{.below_one = 0.0f}), "ok");
    Graph graph;
    EXPECT_EQ(code_of(graph, Ranges{.below_one = 1.0f}), "pass/out-of-range");
    EXPECT_EQ(graph.peek().diagnostics[0].hint, "give at least 0, less than 1");
}

TEST(PassCheck, WholeNumbersOfAllSizesAreChecked) {
    EXPECT_EQ(code_of(Ranges{.small = -3}), "ok");
    EXPECT_EQ(code_of(Ranges{.small = -4}), "pass/out-of-range");
    EXPECT_EQ(code_of(Ranges{.large = std::numeric_limits<std::uint64_t>::max()}), "ok");
    EXPECT_EQ(code_of(Ranges{.size = {16, 1}}), "ok");
    Graph graph;
    EXPECT_EQ(code_of(graph, Ranges{.size = {16, 17}}), "pass/out-of-range");
    EXPECT_THAT(graph.peek().diagnostics[0].message, HasSubstr("\"size\" (component 1) is 17"));
}

TEST(PassCheck, AValueThatIsNoEnumeratorIsRefused) {
    Graph graph;
    const Image source = picture(graph);
    EXPECT_EQ(code_of(graph, Blur{.source = source, .mode = static_cast<toys::Mode>(2)}),
              "pass/unknown-choice");
    EXPECT_EQ(graph.peek().diagnostics[0].hint, "choose one of soft, hard");
    EXPECT_EQ(code_of(Blur{.source = source, .mode = static_cast<toys::Mode>(-1)}),
              "pass/unknown-choice");
}

TEST(PassCheck, RequiredInputsMustBeConnected) {
    Graph graph;
    EXPECT_EQ(code_of(graph, Blur{}), "graph/unconnected");
    EXPECT_EQ(graph.peek().diagnostics[0].message, "in 'blur': input \"source\" is not connected");
    EXPECT_EQ(code_of(UsePair{}), "graph/unconnected") << "a bundle without what it needs";
}

TEST(PassCheck, EachWireOfAListMustBeConnected) {
    Graph graph;
    const Image source = picture(graph);
    EXPECT_EQ(code_of(graph, toys::Mix{.sources = {source, source}}), "ok");
    EXPECT_EQ(code_of(graph, toys::Mix{}), "ok");
    EXPECT_EQ(code_of(graph, toys::Mix{.sources = {source, {}}}), "graph/unconnected");
    EXPECT_THAT(graph.peek().diagnostics[0].message, HasSubstr("\"sources[1]\""));
}

TEST(PassCheck, AListTakesAsManyWiresAsItSays) {
    Graph graph;
    const Image source = picture(graph);
    EXPECT_EQ(code_of(graph, Pictures{}), "graph/unconnected");
    EXPECT_EQ(code_of(graph, Pictures{.layers = {source, source}}), "ok");
    EXPECT_EQ(code_of(graph, Pictures{.layers = {source, source, source}}), "pass/out-of-range");
    EXPECT_THAT(graph.peek().diagnostics.back().message, HasSubstr("1 to 2 wires, not 3"));
}

TEST(PassCheck, InputsRefuseImagesOfOtherShapes) {
    Graph graph;
    const Image color = picture(graph);
    const Image depth = picture(graph, {.format = Format::d32_sfloat});
    const Image whole = picture(graph, {.format = Format::rgba8_uint});
    const Image volume = picture(graph, {.extent = {2, 2, 2}, .shape = ImageShape::d3});
    const Image whole_volume =
        picture(graph, {.format = Format::r32_uint, .extent = {2, 2, 2}, .shape = ImageShape::d3});
    const Image samples = picture(graph, {.samples = 4});
    const std::vector<Image> layers{color};
    const auto source = [&](Image image) { return Pictures{.source = image, .layers = layers}; };
    const auto deep = [&](Image image) { return Pictures{.depth = image, .layers = layers}; };
    const auto either = [&](Image image) { return Pictures{.either = image, .layers = layers}; };
    EXPECT_EQ(code_of(graph, source(color)), "ok");
    EXPECT_EQ(code_of(graph, source(depth)), "image/unsupported-format");
    EXPECT_EQ(code_of(graph, source(whole)), "image/unsupported-format");
    EXPECT_EQ(code_of(graph, source(volume)), "image/not-two-dimensional");
    EXPECT_EQ(code_of(graph, source(samples)), "image/not-two-dimensional");
    EXPECT_EQ(code_of(graph, deep(depth)), "ok");
    EXPECT_EQ(code_of(graph, deep(whole)), "image/unsupported-format");
    EXPECT_EQ(code_of(graph, deep(volume)), "image/not-two-dimensional");
    EXPECT_EQ(code_of(graph, either(volume)), "ok");
    EXPECT_EQ(code_of(graph, either(color)), "ok");
    EXPECT_EQ(code_of(graph, either(whole_volume)), "image/unsupported-format");
    EXPECT_EQ(code_of(graph, Pictures{.layers = {color, volume}}), "image/not-two-dimensional");
    EXPECT_THAT(graph.peek().diagnostics.back().message, HasSubstr("\"layers[1]\""));
}

TEST(PassCheck, AllThatIsWrongWithAPassIsReportedAtOnce) {
    Graph graph;
    graph.add(Blur{.sigma = -1.0f, .radius = 101});
    EXPECT_THAT(codes(graph.peek().diagnostics),
                ElementsAre("graph/unconnected", "pass/out-of-range", "pass/out-of-range"));
}

// source -> blur(!) -> blur -> mix -> stamp -> output: one error.
TEST(FailedPass, ItsFollowersReportNothingMore) {
    Graph graph;
    const Image source = graph.add(toys::Source{}).result;
    const Image failed = graph.add(Blur{.source = source, .sigma = -1.0f}, "first").result;
    const std::size_t nodes = graph.peek().nodes.size();
    const Image next = graph.add(Blur{.source = failed}, "second").result;
    const Image mixed = graph.add(toys::Mix{.sources = {source, next}}).result;
    const Image last = graph.add(toys::Stamp{.target = mixed}).result;
    graph.output("picture", last);
    EXPECT_EQ(graph.peek().nodes.size(), nodes) << "the followers are not built";
    EXPECT_EQ(last.version, kInvalidVersion);
    const Result<Plan> plan = compile(std::move(graph).finish(), {});
    ASSERT_FALSE(plan.has_value());
    EXPECT_THAT(codes(plan.error()), ElementsAre("pass/out-of-range"));
}

TEST(FailedPass, ItsBuildLeavesNoOutputsEither) {
    Graph graph;
    const Image failed = graph.add(toys::Complain{.fatal = true}).result;
    EXPECT_EQ(failed.version, kInvalidVersion);
    graph.add(Blur{.source = failed});
    EXPECT_THAT(codes(graph.peek().diagnostics), ElementsAre("toy/odd", "toy/bad"));
    EXPECT_TRUE(graph.add(toys::Complain{}).result) << "a warning is no failure";
}

TEST(FailedPass, ItsBundlesAreInvalidThroughout) {
    Graph graph;
    const Pair pair = graph.add(MakePair{.fails = true}).pair;
    EXPECT_EQ(pair.second.version, kInvalidVersion);
    EXPECT_EQ(pair.grid.cells.version, kInvalidVersion);
    EXPECT_EQ(graph.add(UsePair{.pair = pair}).result.version, kInvalidVersion);
    EXPECT_THAT(codes(graph.peek().diagnostics), ElementsAre("toy/failed"));
    EXPECT_EQ(code_of(UsePair{.pair = Graph().add(MakePair{}).pair}), "graph/unconnected")
        << "what is of another graph, and not here";
}

TEST(FailedPass, ThePassAroundItFailsWithoutAWord) {
    Graph graph;
    EXPECT_EQ(graph.add(Outer{.sigma = 100.0f}).result.version, kInvalidVersion);
    EXPECT_THAT(codes(graph.peek().diagnostics), ElementsAre("pass/out-of-range"));
    EXPECT_THAT(graph.peek().diagnostics[0].message, HasSubstr("in 'outer/blur'"));
}

TEST(FailedPass, OthersStillReportTheirOwnMistakes) {
    Graph graph;
    graph.add(Outer{.sigma = 100.0f});
    graph.add(Blur{});
    graph.error("own/mistake", "of the program");
    EXPECT_THAT(codes(graph.peek().diagnostics),
                ElementsAre("pass/out-of-range", "graph/unconnected", "own/mistake"));
}

TEST(FailedPass, NodesThatUseItsOutputsReportNothing) {
    Graph graph;
    const Image image = graph.add(toys::Complain{.fatal = true}).result;
    const Buffer buffer = graph.add(MakePair{.fails = true}).pair.second;
    const Diagnostics before = graph.peek().diagnostics;
    CustomNodeBuilder node = graph.custom("node");
    node.read(image, Access::sampled);
    node.read(buffer, Access::storage_read);
    EXPECT_EQ(node.write(image, Access::storage_write).version, kInvalidVersion);
    EXPECT_EQ(graph.fill(buffer, 0).version, kInvalidVersion);
    EXPECT_EQ(graph.clear(image, {}).version, kInvalidVersion);
    EXPECT_TRUE(graph.copy(image, graph.image("copy", graph.desc(image))));
    EXPECT_TRUE(graph.copy(buffer, graph.buffer("copy", graph.desc(buffer))));
    graph.output("image", image);
    graph.output("buffer", buffer);
    EXPECT_THAT(codes(graph.peek().diagnostics), testing::ElementsAreArray(codes(before)));
}

TEST(FailedPass, ItsOutputsAreReportedInAGraphThatKnowsOfNoFailure) {
    Graph failing;
    const Image image = failing.add(toys::Complain{.fatal = true}).result;
    Graph graph;
    graph.output("image", image);
    EXPECT_EQ(code_of(Blur{.source = image}), "graph/unconnected");
    EXPECT_THAT(codes(graph.peek().diagnostics), ElementsAre("graph/unconnected"));
}

enum class Three { one, two, three };
enum class WithGap { one, three = 2 };
static_assert(detail::has_enumerators<Three, 3>());
static_assert(!detail::has_enumerators<Three, 2>(), "a name too few");
static_assert(!detail::has_enumerators<Three, 4>(), "a name too many");
static_assert(!detail::has_enumerators<WithGap, 2>());

static_assert(detail::field_count<Pair>() == 4);
static_assert(detail::field_count<toys::Grid>() == 1);

} // namespace
} // namespace tuff
