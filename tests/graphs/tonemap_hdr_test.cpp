// Real HDR panoramas, toned by their own brightness, against double precision.

#include "graph_test.hpp"
#include "passes/image/reinhard.hpp"
#include "tests/reference/reinhard_reference.hpp"

#include <tuff_config.hpp>

#include <cmath>
#include <filesystem>

namespace tuff::testing_gpu {
namespace {

using passes::LuminanceMeasure;
using passes::Reinhard;

TEST_F(GraphTest, RealPanoramasAreTonedAsTheReferenceTonesThem) {
    for (const std::string name : {"forest.exr", "night.exr"}) {
        SCOPED_TRACE(name);
        const auto panorama =
            load_image(std::filesystem::path(build_config::kEnvironmentsDir) / name);
        ASSERT_TRUE(panorama) << to_string(panorama.error());
        const auto texels = std::make_shared<const std::vector<std::byte>>(panorama->texels);
        Graph g = graph();
        for (const auto& [tag, measure] : {std::pair{"reduce", LuminanceMeasure::reduce},
                                           {"pyramid", LuminanceMeasure::pyramid}}) {
            const Image source = g.constant_image(
                tag, {.format = panorama->format, .extent = panorama->extent}, texels);
            const Reinhard pass = g.add(Reinhard{.source = source,
                                                 .measure = measure,
                                                 .encoding = passes::OutputEncoding::linear,
                                                 .format = passes::OutputFormat::rgba32_sfloat},
                                        tag);
            g.output(tag, pass.result);
            g.output(std::string(tag) + " average", pass.log_average);
            g.output(std::string(tag) + " maximum", pass.maximum);
        }
        Running running = run(std::move(g));
        const reference::Luminances expected = reference::luminances(*panorama);
        ASSERT_GT(expected.maximum, 1.0); // or it is no HDR
        for (const std::string tag : {"reduce", "pyramid"}) {
            const auto average = running.buffer<float>(tag + " average");
            const auto maximum = running.buffer<float>(tag + " maximum");
            ASSERT_EQ(average.size(), 1u);
            ASSERT_EQ(maximum.size(), 1u);
            EXPECT_NEAR(average[0], expected.log_average, 2e-4) << tag;
            EXPECT_NEAR(maximum[0], expected.maximum, 1e-5 * expected.maximum);
            reference::expect_reinhard(running.image(tag), *panorama, 0.18, 0.0, 5e-4);
        }
    }
}

} // namespace
} // namespace tuff::testing_gpu
