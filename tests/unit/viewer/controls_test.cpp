// The parameter panel's contents, and what comes of changes.

#include "model/controls.hpp"
#include "model/edits.hpp"
#include "passes/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <json/reader.h>

#include <memory>

namespace tuff::viewer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kConfig = R"({
  "tuff": 1, "size": [64, 36],
  "params": {
    "stops": {"default": 1, "range": [-4, 20], "doc": "brightness"},
    "way": {"default": "reinhard"},
    "spread": {"default": {"keys": [[0.0, 1.0], [1.0, 4.0]]}}
  },
  "assets": {"grain": {"generate": "noise", "size": [64, 36]}},
  "nodes": {
    "soft": {"pass": "image/gaussian", "in": {"source": "grain"}, "params": {"sigma": "$spread"}},
    "display": {
      "pass": "image/tonemap", "in": {"source": "soft.result"},
      "params": {"exposure": "$stops", "operator": "$way", "dither": true}
    }
  },
  "outputs": {"picture": "display.result"}
})";

Json::Value parsed(const std::string& text) {
    Json::CharReaderBuilder builder;
    const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value value;
    EXPECT_TRUE(reader->parse(text.data(), text.data() + text.size(), &value, nullptr));
    return value;
}

class Controls : public testing::Test {
  protected:
    Controls() {
        auto config = Config::parse(kConfig, "controls.json", registry);
        EXPECT_TRUE(config) << (config ? "" : to_string(config.error()));
        if (config) controls = list_controls(parsed(kConfig), *config);
    }
    const Control& find(const ParameterKey& key) const {
        const auto found = std::ranges::find(controls, key, &Control::key);
        EXPECT_NE(found, controls.end()) << key.node << "." << key.name;
        return found == controls.end() ? none : *found;
    }

    const PassRegistry registry = passes::make_registry();
    std::vector<Control> controls;
    const Control none;
};

TEST_F(Controls, of_the_config_learn_kind_range_and_unit_from_the_pass_that_takes_them) {
    const Control& stops = find({"", "stops"});
    EXPECT_EQ(stops.info.kind, ParameterKind::real) << "written as 1, but exposures are real";
    EXPECT_EQ(stops.info.unit, "stops");
    const PassDescriptor& tonemap = *registry.find("image/tonemap");
    const ParameterInfo& exposure = tonemap.parameters[*tonemap.find_parameter("exposure")];
    EXPECT_EQ(stops.info.low, std::max(-4.0, exposure.low));
    EXPECT_EQ(stops.info.high, std::min(20.0, exposure.high));
    const Control& way = find({"", "way"});
    EXPECT_EQ(way.info.kind, ParameterKind::choice);
    EXPECT_THAT(way.info.choices, testing::Contains("reinhard"));
}

TEST_F(Controls, of_nodes_tell_what_they_follow) {
    EXPECT_EQ(find({"display", "exposure"}).follows, "$stops");
    EXPECT_EQ(find({"soft", "sigma"}).follows, "$spread");
    EXPECT_EQ(find({"", "spread"}).follows, "keyframes");
    EXPECT_EQ(find({"display", "dither"}).follows, "");
    EXPECT_TRUE(find({"display", "dither"}).written);
    EXPECT_EQ(find({"display", "dither"}).base, ParameterValue(true));
}

TEST_F(Controls, of_nodes_list_every_parameter_that_describe_tells) {
    for (const char* node : {"soft", "display"}) {
        const PassDescriptor& pass =
            *registry.find(node == std::string("soft") ? "image/gaussian" : "image/tonemap");
        for (const ParameterInfo& info : pass.parameters)
            EXPECT_EQ(find({node, info.name}).info.doc, info.doc);
    }
}

TEST_F(Controls, show_changes_and_go_back_without_them) {
    const Control& stops = find({"", "stops"});
    EXPECT_EQ(current_value(stops, {}), ParameterValue(1.0));
    EXPECT_EQ(current_value(stops, {{{"", "stops"}, "2.5"}}), ParameterValue(2.5));
    EXPECT_EQ(current_value(stops, {{{"", "stops"}, "\"no number\""}}), ParameterValue(1.0));
}

TEST(Edits, are_read_from_a_command_line) {
    EXPECT_EQ(edits_of({"a=1", "b=x y", "c=1,2", "n.p.q=true", "=3", "nothing"}),
              (Edits{{{"", "a"}, "1"},
                     {{"", "b"}, "\"x y\""},
                     {{"", "c"}, "[1,2]"},
                     {{"n", "p.q"}, "true"}}));
}

TEST(Edits, become_options_for_a_shell) {
    const Edits edits = {{{"", "exposure"}, "1.5"},
                         {{"", "eye"}, "[1,2.5,-3]"},
                         {{"", "title"}, "\"it's\""},
                         {{"view", "roughness_scale"}, "0.4"}};
    EXPECT_EQ(set_options(edits), "--set exposure=1.5 --set eye=1,2.5,-3 --set 'title=it'\\''s' "
                                  "--set view.roughness_scale=0.4");
}

TEST(Edits, are_written_with_the_digits_that_matter) {
    EXPECT_EQ(json_text(0.1f + 0.0), "0.1");
    EXPECT_EQ(json_text(40.0), "40");
    EXPECT_EQ(json_text(std::int64_t{16777217}), "16777217");
    EXPECT_EQ(json_text(std::vector<double>{1.0, 0.25}), "[1,0.25]");
    EXPECT_EQ(json_text(std::string("a\"b")), R"("a\"b")");
    EXPECT_EQ(json_text(true), "true");
}

TEST_F(Controls, show_what_expressions_come_to) {
    const ParameterValues values = {{"soft.sigma", 2.5}, {"display.exposure", std::int64_t{3}}};
    EXPECT_EQ(shown_value(find({"soft", "sigma"}), {}, &values), ParameterValue(2.5));
    EXPECT_EQ(shown_value(find({"display", "exposure"}), {}, &values), ParameterValue(3.0))
        << "exposures are real";
    const Edits edits = {{{"soft", "sigma"}, "7"}};
    EXPECT_EQ(shown_value(find({"soft", "sigma"}), edits, &values), ParameterValue(7.0));
    EXPECT_EQ(shown_value(find({"display", "exposure"}), {}, nullptr),
              find({"display", "exposure"}).base);
}

TEST(ControlsOfGroups, follow_the_members_of_the_group) {
    constexpr const char* kGroups = R"({
      "tuff": 1, "size": [64, 36],
      "groups": {"eye": {"mode": "free", "position": [1, 2, 3]}},
      "assets": {"box": {"scene": [{"arcade": 1}]}},
      "nodes": {"view": {"pass": "scene/mesh_raster", "in": {"scene": "box"}, "params": {"camera": "$eye"}}},
      "outputs": {"picture": "view.color"}
    })";
    const PassRegistry registry = passes::make_registry();
    auto config = Config::parse(kGroups, "groups.json", registry);
    ASSERT_TRUE(config) << to_string(config.error());
    const std::vector<Control> all = list_controls(parsed(kGroups), *config);
    const auto find = [&](const char* name) {
        return *std::ranges::find(all, ParameterKey{"view", name}, &Control::key);
    };
    EXPECT_EQ(find("camera.position").follows, "$eye.position");
    EXPECT_EQ(find("camera.position").base, ParameterValue(std::vector<double>{1, 2, 3}));
    EXPECT_EQ(find("camera.zoom").follows, "") << "the group has none";
}

} // namespace
} // namespace tuff::viewer
