// The configs that come with Tuff: what they render, and that no way of compiling them changes it.

#include "graph_test.hpp"

#include <tuff/assets.hpp>

#include <string>

namespace tuff::testing_gpu {
namespace {

struct Shipped {
    std::string name;
    std::map<std::string, std::string> settings; ///< a size a software device renders in seconds
    std::string_view without = {};               ///< a mode that is left out
    unsigned executions = 1;                     ///< of which the last one's picture counts
};

void PrintTo(const Shipped& shipped, std::ostream* stream) {
    *stream << shipped.name;
}

class ShippedGraph : public GraphTest, public testing::WithParamInterface<Shipped> {};

/// Half as wide and high.
std::map<std::string, std::string> halved(std::map<std::string, std::string> settings) {
    for (const char* side : {"width", "height"})
        if (const auto found = settings.find(side); found != settings.end())
            found->second = std::to_string(std::stoi(found->second) / 2);
    return settings;
}

TEST_P(ShippedGraph, LooksLikeItsGoldenImage) {
    const Shipped& shipped = GetParam();
    const HostImage picture = render(shipped.name, shipped.settings, {}, shipped.executions);
    expect_a_picture(picture);
    if (!HasFatalFailure()) expect_like_golden(picture, shipped.name);
}

TEST_P(ShippedGraph, IsTheSameToTheBitInEverySafeMode) {
    const Shipped& shipped = GetParam();
    // Many modes take long on software devices, and smaller pictures have the same plans.
    const auto settings = halved(shipped.settings);
    const auto picture = [&](const CompileOptions& options) {
        return render(shipped.name, settings, options, shipped.executions);
    };
    const HostImage expected = picture({});
    ASSERT_FALSE(expected.empty());
    const std::pair<std::string_view, CompileOptions> modes[] = {
        {"alias=off", {.alias = AliasMode::off}},
        {"order=declared", {.order = OrderMode::declared}},
        {"barriers=full", {.barriers = BarrierMode::full}},
        {"queues=one", {.queues = QueueMode::one}},
        {"queues=automatic", {.queues = QueueMode::automatic}},
        {"split-barriers", {.split = SplitMode::on}},
        {"poison", {.poison = true}},
        {"all of them",
         {.alias = AliasMode::off,
          .order = OrderMode::declared,
          .barriers = BarrierMode::full,
          .queues = QueueMode::one,
          .poison = true}},
    };
    for (const auto& [mode, options] : modes) {
        if (mode == shipped.without) continue;
        EXPECT_EQ(picture(options).texels, expected.texels) << mode;
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, ShippedGraph,
    testing::Values(
        Shipped{"demo", {{"width", "320"}, {"height", "180"}}},
        Shipped{"filters", {{"width", "160"}, {"height", "90"}}},
        Shipped{"mandelbrot", {{"width", "320"}, {"height", "180"}}},
        Shipped{"depth_of_field", {{"width", "320"}, {"height", "180"}}},
        Shipped{
            "translucency",
            {{"width", "320"}, {"height", "180"}, {"radius", "4"}, {"bumps", "6"}, {"cell", "12"}}},
        Shipped{"dynamic",
                {{"width", "128"}, {"height", "72"}, {"seconds", "0.6"}, {"bounces", "2"}}},
        Shipped{"raytrace",
                {{"width", "128"}, {"height", "72"}, {"samples", "4"}, {"bounces", "3"}}},
        Shipped{"oit", {{"width", "320"}, {"height", "180"}}},
        Shipped{"tonemap_hdr", {{"cell", "200"}}},
        Shipped{"smoke", {{"width", "192"}, {"height", "108"}, {"balls", "400"}}},
        Shipped{.name = "jet",
                .settings = {{"width", "128"},
                             {"height", "64"},
                             {"dims", "[64, 32, 1]"},
                             {"steps", "10"},
                             {"gain", "3"},
                             {"first", "[7, 4, 0]"},
                             {"second", "[7, 8, 0]"},
                             {"third", "[7, 12, 0]"},
                             {"fourth", "[7, 16, 0]"},
                             {"fifth", "[7, 20, 0]"},
                             {"sixth", "[7, 24, 0]"},
                             {"seventh", "[7, 28, 0]"},
                             {"radius", "1.6"}},
                .executions = 16},
        Shipped{.name = "smoke3d",
                .settings = {{"width", "128"},
                             {"height", "72"},
                             {"dims", "[40, 20, 20]"},
                             {"first", "[2, 3, 10]"},
                             {"second", "[2, 5, 10]"},
                             {"third", "[2, 7, 10]"},
                             {"fourth", "[2, 9, 10]"},
                             {"fifth", "[2, 12, 10]"},
                             {"sixth", "[2, 14, 10]"},
                             {"seventh", "[2, 16, 10]"},
                             {"radius", "1.3"},
                             {"wind", "[4, 0, 0]"},
                             {"extinction", "2"},
                             {"cycles", "3"}},
                .executions = 4},
        // The pictures are the same, but the validation layer of 1.3.239 reports a transition into
        // memory where, three tenants earlier, an image just like it was written: it wants that
        // write named though barriers since have made it available.
        Shipped{"voxels",
                {{"width", "120"}, {"height", "90"}, {"dims", "[40, 40, 40]"}},
                "order=declared"},
        Shipped{"particles",
                {{"width", "320"},
                 {"height", "180"},
                 {"count", "700"},
                 {"steps", "30"},
                 {"step", "0.012"}}}),
    [](const auto& test) { return test.param.name; });

// Its hierarchies take software devices too long to be built in every mode; those of bvh/ are
// tested by themselves.
TEST_F(GraphTest, HeatMapsLookLikeTheirGoldenImage) {
    const HostImage picture = render("heat_maps", {{"width", "128"}, {"height", "96"}});
    expect_a_picture(picture);
    if (!HasFatalFailure()) expect_like_golden(picture, "heat_maps");
}

// That the solver is the same in every mode other graphs show: this one begins with eight million
// texels twice.
TEST_F(GraphTest, TheClonedBirdLooksLikeItsGoldenImage) {
    if (!find_asset("backgrounds/free_by_Peter_Nerlich.jpg"))
        GTEST_SKIP() << "the photographs of lomiri-wallpapers-16.04 are not installed";
    const HostImage picture =
        render("poisson-clone", {{"width", "204"}, {"part", "61"}, {"offset", "[119, 0]"}});
    expect_a_picture(picture);
    if (!HasFatalFailure()) expect_like_golden(picture, "poisson-clone");
}

// What the curves should be is tested in tests/gpu/solver.
TEST_F(GraphTest, ThePlotOfPoissonsMethodsLooksLikeItsGoldenImage) {
    const HostImage picture = render("poisson-plot", {{"width", "160"},
                                                      {"height", "100"},
                                                      {"cells", "6400"},
                                                      {"size_of", "[80, 80, 1]"},
                                                      {"looks", "6"}});
    ASSERT_FALSE(picture.empty()); // on white paper: brighter than other pictures may be
    expect_like_golden(picture, "poisson-plot");
}

TEST_F(GraphTest, TheDemoChangesWithItsParameters) {
    const std::map<std::string, std::string> small = {{"width", "96"}, {"height", "54"}};
    auto brighter = small;
    brighter.emplace("exposure", "2");
    auto turned = small;
    turned.emplace("azimuth", "140");
    const HostImage picture = render("demo", small);
    EXPECT_NE(render("demo", brighter).texels, picture.texels);
    EXPECT_NE(render("demo", turned).texels, picture.texels);
}

} // namespace
} // namespace tuff::testing_gpu
