// The transfer function that the volume page edits, the filters of its slots, and what the page
// offers of a config.

#include "model/transfer.hpp"
#include "model/volume_page.hpp"
#include "passes/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tuff::viewer {
namespace {

using testing::ElementsAre;

Transfer ramp() {
    return *Transfer::of({0, 0, 0, 0, 0, 10, 1, 0.5, 0, 0.2, 20, 0, 0, 1, 1});
}

TEST(TransferEditor, ReadsAndWritesTheListOfThePass) {
    const std::vector<double> list = {0, 0, 0, 0, 0, 10, 1, 0.5, 0, 0.2, 20, 0, 0, 1, 1};
    EXPECT_EQ(ramp().list(), list);
    EXPECT_EQ(ramp().points().size(), 3u);
    EXPECT_FALSE(Transfer::of({}));
    EXPECT_FALSE(Transfer::of({1, 2, 3, 4}));
    EXPECT_FALSE(Transfer::of({5, 0, 0, 0, 0, 4, 0, 0, 0, 0})) << "values ascend";
    EXPECT_FALSE(Transfer::of({std::nan(""), 0, 0, 0, 0, 4, 0, 0, 0, 0}));
    EXPECT_FALSE(Transfer::of(std::vector<double>(5 * 65, 0.0)));
}

TEST(TransferEditor, InterpolatesAsThePassDoes) {
    const Transfer transfer = ramp();
    EXPECT_EQ(transfer.at(-5).opacity, 0.0);
    EXPECT_EQ(transfer.at(50).opacity, 1.0);
    const TransferPoint middle = transfer.at(15);
    EXPECT_NEAR(middle.opacity, 0.6, 1e-12);
    EXPECT_NEAR(middle.color[0], 0.5, 1e-12);
    EXPECT_NEAR(middle.color[2], 0.5, 1e-12);
    // Above a jump it is what lies above it.
    EXPECT_EQ(Transfer::of({3, 0, 0, 0, 0.1, 3, 0, 0, 0, 0.9})->at(3).opacity, 0.9);
}

TEST(TransferEditor, AddsPointsWhereTheyBelongInTheColorThatIsThere) {
    Transfer transfer = ramp();
    EXPECT_EQ(transfer.add(5, 0.7), 1u);
    EXPECT_EQ(transfer.points()[1],
              (TransferPoint{.value = 5, .color = {0.5, 0.25, 0}, .opacity = 0.7}));
    EXPECT_EQ(transfer.add(-1, 2.0), 0u);
    EXPECT_EQ(transfer.points()[0].opacity, 1.0);
    EXPECT_EQ(transfer.add(99, 0.5), 5u);
    while (transfer.points().size() < Transfer::kMax)
        ASSERT_TRUE(transfer.add(1, 0.5));
    EXPECT_FALSE(transfer.add(1, 0.5));
    EXPECT_TRUE(Transfer::of(transfer.list())) << "values still ascend";
}

TEST(TransferEditor, MovesPointsNoFartherThanTheirNeighbours) {
    Transfer transfer = ramp();
    transfer.move(1, 25, 1.5);
    EXPECT_EQ(transfer.points()[1].value, 20.0);
    EXPECT_EQ(transfer.points()[1].opacity, 1.0);
    transfer.move(1, -3, -1);
    EXPECT_EQ(transfer.points()[1].value, 0.0);
    EXPECT_EQ(transfer.points()[1].opacity, 0.0);
    transfer.move(0, -8, 0.5);
    transfer.move(2, 80, 0.5);
    EXPECT_EQ(transfer.points()[0].value, -8.0);
    EXPECT_EQ(transfer.points()[2].value, 80.0);
    transfer.set_color(2, {-1, 0.5, 7});
    EXPECT_THAT(transfer.points()[2].color, ElementsAre(0.0, 0.5, 7.0));
}

TEST(TransferEditor, RemovesAllPointsButTheLast) {
    Transfer transfer = ramp();
    transfer.remove(1);
    EXPECT_EQ(transfer.points()[1].value, 20.0);
    transfer.remove(0);
    transfer.remove(0);
    ASSERT_EQ(transfer.points().size(), 1u);
    EXPECT_EQ(transfer.points()[0].value, 20.0);
}

TEST(TransferEditor, HasPresetsThatThePassTakes) {
    for (const auto& [low, high] : {std::pair{0.0, 1.0}, {-1024.0, 2986.0}, {5.0, 5.0}})
        for (const std::string_view name : kPresets) {
            const Transfer transfer = preset(name, low, high);
            ASSERT_TRUE(Transfer::of(transfer.list())) << name;
            EXPECT_EQ(transfer.points().front().value, low);
            EXPECT_EQ(transfer.points().front().opacity, 0.0);
            for (const TransferPoint& point : transfer.points()) {
                EXPECT_GE(point.opacity, 0.0);
                EXPECT_LE(point.opacity, 1.0);
            }
        }
    // A tenth of the number, as in the thesis.
    EXPECT_NEAR(preset("thesis", 0, 255).at(102).opacity, 0.04, 1e-12);
    EXPECT_NEAR(preset("thesis", 0, 255).at(102).color[1], 0.4, 1e-12);
    // Bone is dense and air is not.
    EXPECT_EQ(preset("bone", -1024, 2986).at(-900).opacity, 0.0);
    EXPECT_GT(preset("bone", -1024, 2986).at(700).opacity, 0.3);
}

TEST(TransferEditor, GivesSmallOpacitiesRoom) {
    EXPECT_EQ(height_of(0), 0.0);
    EXPECT_EQ(height_of(1), 1.0);
    EXPECT_GT(height_of(0.01), 0.09);
    for (const double opacity : {0.0, 0.003, 0.4, 1.0})
        EXPECT_NEAR(opacity_of(height_of(opacity)), opacity, 1e-12);
    EXPECT_EQ(opacity_of(-2), 0.0);
    EXPECT_EQ(opacity_of(2), 1.0);
}

TEST(VolumeFilters, SumToOne) {
    EXPECT_TRUE(filter_weights({}).empty());
    for (const auto kind :
         {VolumeFilterKind::average, VolumeFilterKind::gaussian, VolumeFilterKind::sharpen})
        for (const std::uint32_t side : {3u, 5u, 7u}) {
            const auto weights = filter_weights({.kind = kind, .side = side, .sigma = 0.8});
            ASSERT_EQ(weights.size(), std::size_t{side} * side * side);
            EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-9);
            EXPECT_EQ(weights.front(), weights.back());
        }
    const auto bell = filter_weights({.kind = VolumeFilterKind::gaussian, .side = 3, .sigma = 1.0});
    EXPECT_NEAR(bell[13] / bell[12], std::exp(0.5), 1e-9);
    EXPECT_NEAR(filter_weights({.kind = VolumeFilterKind::sharpen})[13], 2.0 - 1.0 / 27.0, 1e-9);
}

TEST(VolumePage, OffersWhatNodesFollow) {
    constexpr const char* kConfig = R"({
      "tuff": 1, "params": {"points": [0, 0, 0, 0, 0], "which": 3, "view": "slices", "occlusion": false},
      "assets": {"grain": {"generate": "noise", "size": [8, 8]}},
      "nodes": {
        "z_slice": {"pass": "volume/slice", "in": {"source": "grain"}, "params": {"index": "$which"}},
        "a_cast": {"pass": "volume/cast", "in": {"source": "grain"}, "params": {"transfer": "$points", "step": 0.75}},
        "other": {"pass": "image/gaussian", "in": {"source": "grain"}}
      },
      "outputs": {"picture": "a_cast.result"}
    })";
    const PassRegistry registry = passes::make_registry();
    auto config = Config::parse(kConfig, "page.json", registry);
    ASSERT_TRUE(config) << to_string(config.error());
    const auto controls = list_controls(*parse_json_text(kConfig), *config);
    const auto nodes = volume_nodes(controls);
    ASSERT_EQ(nodes.size(), 2u);
    EXPECT_EQ(nodes[0].name, "a_cast");
    EXPECT_EQ(nodes[1].pass, "volume/slice");
    const Control* points = find_control(controls, "a_cast", "transfer");
    ASSERT_TRUE(points);
    EXPECT_EQ(full_name(points->key), "points");
    EXPECT_EQ(full_name(find_control(controls, "a_cast", "step")->key), "a_cast.step");
    EXPECT_EQ(full_name(find_control(controls, "z_slice", "index")->key), "which");
    EXPECT_FALSE(find_control(controls, "z_slice", "transfer"));
    ASSERT_TRUE(find_view_choice(controls));
    EXPECT_TRUE(find_occlusion(controls));
    for (const VolumeNode& node : nodes)
        for (const std::string_view name : page_parameters(node.pass))
            EXPECT_TRUE(find_control(controls, node.name, name)) << node.pass << " " << name;
}

} // namespace
} // namespace tuff::viewer
