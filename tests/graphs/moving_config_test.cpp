// Configs whose values change from frame to frame, run as the tools run them.

#include "graph_test.hpp"
#include "passes/registry.hpp"

#include <tuff/graph_runner.hpp>

#include <fmt/format.h>

namespace tuff::testing_gpu {
namespace {

/// Runs one config after the other, or one at different frames, on one runner.
class MovingConfig : public GpuTest {
  protected:
    static Config parsed(const std::string& text) {
        static const PassRegistry kRegistry = passes::make_registry();
        auto config = Config::parse(text, "moving.json", kRegistry);
        if (!config) throw std::runtime_error(to_string(config.error()));
        return std::move(*config);
    }
    HostImage picture(GraphRunner& runner, const Config& config, const FrameTime& frame = {}) {
        auto built = config.build(shaders(), assets_, frame, device().caps());
        if (!built) throw std::runtime_error(to_string(built.error()));
        if (auto taken = runner.take(std::move(built->graph), shaders()); !taken)
            throw std::runtime_error(to_string(taken.error()));
        if (auto run = runner.executor()->execute(); !run)
            throw std::runtime_error(to_string(run.error()));
        auto image = runner.executor()->read_image("picture");
        if (!image) throw std::runtime_error(to_string(image.error()));
        return std::move(*image);
    }

    AssetCache assets_;
};

/// Two small plates above a floor; the first is at `translate` and has `scale` and `red`.
std::string scene_config(std::string_view translate, std::string_view rotate,
                         std::string_view scale, std::string_view red) {
    return fmt::format(R"({{"tuff": 1, "size": [96, 64],
        "params": {{"turn": {{"keys": [[0, 0], [1, 90]]}}, "high": 1}},
        "assets": {{"world": {{"scene": [
            {{"plane": [1, 1], "translate": {}, "rotate": {}, "scale": {},
              "material": {{"base_color": [{}, 0.2, 0.1, 1], "roughness": 0.5}}}},
            {{"plane": [1, 1], "translate": [-1, 0.5, 0]}},
            {{"plane": [6, 6]}}]}}}},
        "nodes": {{
            "drawn": {{"pass": "scene/mesh_raster", "in": {{"scene": "world"}},
                       "params": {{"width": "$width", "height": "$height"}}}},
            "toned": {{"pass": "image/tonemap", "in": {{"source": "drawn.color"}}}}}},
        "outputs": {{"picture": "toned.result"}}}})",
                       translate, rotate, scale, red);
}

TEST_F(MovingConfig, APartMovesOverFramesWithoutACompilation) {
    Config moving = parsed(scene_config(R"(["=0.25*$frame", "$high", 0])", R"([0, "$turn", 0])",
                                        R"("=1+$time")", R"("=0.2*$frame")"));
    GraphRunner runner(device());
    std::vector<HostImage> frames;
    for (const std::int64_t frame : {0, 1, 2, 4}) {
        const double time = static_cast<double>(frame) / 8.0;
        frames.push_back(picture(runner, moving, {.frame = frame, .time = time}));
        GraphRunner still_runner(device());
        const Config still = parsed(
            scene_config(fmt::format("[{}, 1, 0]", 0.25 * static_cast<double>(frame)),
                         fmt::format("[0, {}, 0]", 90.0 * time), fmt::format("{}", 1.0 + time),
                         fmt::format("{}", 0.2 * static_cast<double>(frame))));
        EXPECT_EQ(frames.back().texels, picture(still_runner, still).texels)
            << "as if it had been written so, at frame " << frame;
    }
    for (std::size_t i = 1; i < frames.size(); ++i)
        EXPECT_NE(frames[i - 1].texels, frames[i].texels) << "frame " << i;
    EXPECT_EQ(runner.compilations(), 1u);

    ASSERT_TRUE(moving.set("high", "2"));
    EXPECT_NE(picture(runner, moving, {.frame = 4, .time = 0.5}).texels, frames.back().texels);
    EXPECT_EQ(runner.compilations(), 1u) << "a slider moves it, too";
}

TEST_F(MovingConfig, WhenSwitchesANodeOff) {
    const auto text = [](std::string_view node) {
        return fmt::format(R"({{"tuff": 1, "params": {{"soft": true}},
            "assets": {{"noise": {{"generate": "noise", "size": [48, 32]}}}},
            "nodes": {{"blur": {{"pass": "image/gaussian", "in": {{"source": "noise"}},
                                 "params": {{"sigma": 2}} {}}},
                       "toned": {{"pass": "image/tonemap", "in": {{"source": "blur.result"}}}}}},
            "outputs": {{"picture": "toned.result"}}}})",
                           node);
    };
    GraphRunner runner(device());
    Config config = parsed(text(R"(, "when": "$soft", "else": "noise")"));
    const HostImage on = picture(runner, config);
    ASSERT_TRUE(config.set("soft", "false"));
    const HostImage off = picture(runner, config);
    EXPECT_NE(on.texels, off.texels);
    EXPECT_EQ(runner.compilations(), 2u);
    EXPECT_EQ(on.texels, picture(runner, parsed(text(""))).texels);
    ASSERT_TRUE(config.set("soft", "true"));
    EXPECT_EQ(on.texels, picture(runner, config).texels);
}

TEST_F(MovingConfig, IterationsDifferByTheirNumber) {
    const auto blurred = [](std::string_view params, std::string_view loop) {
        return fmt::format(R"({{"tuff": 1,
            "assets": {{"noise": {{"generate": "noise", "size": [48, 32]}}}},
            "nodes": {{"blur": {{"pass": "image/gaussian", "in": {{"source": "noise"}},
                                 "params": {{"sigma": {}}} {}}},
                       "again": {{"pass": "image/gaussian", "in": {{"source": "blur.result"}},
                                  "params": {{"sigma": 3}}}},
                       "toned": {{"pass": "image/tonemap", "in": {{"source": "{}.result"}}}}}},
            "outputs": {{"picture": "toned.result"}}}})",
                           params, loop, loop.empty() ? "again" : "blur");
    };
    GraphRunner runner(device());
    const Config looped =
        parsed(blurred(R"("=1+2*$iteration")", R"(, "repeat": 2, "carry": {"source": "result"})"));
    EXPECT_EQ(picture(runner, looped).texels, picture(runner, parsed(blurred("1", ""))).texels);
}

} // namespace
} // namespace tuff::testing_gpu
