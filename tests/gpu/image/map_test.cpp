#include "passes/image/map.hpp"
#include "tests/gpu/image/image_checks.hpp"
#include "tests/reference/image_reference.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace tuff {
namespace {

using passes::MapPicture;
using reference::Expected;
using reference::Picture;
using reference::Texel;

class ImageMap : public ImageTest {};

TEST_F(ImageMap, IsTheExpressionOfEveryTexel) {
    ImageChecks checks = begin();
    std::uint32_t seed = 1;
    for (const auto& [width, height] : {std::array{1, 1}, {3, 2}, {16, 16}, {17, 33}, {130, 70}}) {
        const HostImage x = reference::noise(Format::rgba32_sfloat, width, height, ++seed);
        const HostImage y = reference::noise(Format::rgba32_sfloat, width, height, ++seed);
        const Picture a = reference::picture_of(x);
        const Picture b = reference::picture_of(y);
        Picture mixed = reference::blank(width, height);
        Picture place = reference::blank(width, height);
        for (int row = 0; row < height; ++row)
            for (int column = 0; column < width; ++column) {
                for (std::size_t c = 0; c < 4; ++c)
                    mixed.at(column, row)[c] =
                        0.25 * a.at(column, row)[c] + 3.0 * b.at(column, row)[c];
                place.at(column, row) = {column + 0.5, height - 1.0 - row, 0.0, 1.0};
            }
        const Picture bound = reference::blank(width, height, {1e-5, 1e-5, 1e-5, 1e-5});
        const Image source = checks.source(x);
        const Image other = checks.source(y);
        const std::string label = fmt::format("{} x {}", width, height);
        checks.expect(checks.graph()
                          .add(MapPicture{.source = source,
                                          .other = other,
                                          .expression = "p.x * x + p.y * y",
                                          .p = {0.25f, 3.0f, 0.0f, 0.0f}})
                          .result,
                      {mixed, bound}, label);
        checks.expect(
            checks.graph()
                .add(MapPicture{.source = source,
                                .expression =
                                    "vec4(uv.x * float(size.x), float(size.y - 1 - at.y), y.x, 1)"})
                .result,
            {place, reference::blank(width, height, {1e-4, 0.0, 0.0, 0.0})}, label + " place");
        checks.expect_exact(checks.graph().add(MapPicture{.source = source}).result, a,
                            label + " unchanged");
    }
    run_checks(std::move(checks));
}

TEST_F(ImageMap, WhatIsNoExpressionIsReportedOnce) {
    for (const char* expression : {"x +", "z", "x; discard", "", "vec3(1)"}) {
        Graph graph(shaders());
        const Image source =
            graph.clear(graph.image("a", {.format = Format::rgba8_unorm, .extent = {4, 4}}),
                        std::array<float, 4>{});
        const Image result =
            graph.add(MapPicture{.source = source, .expression = expression}).result;
        EXPECT_EQ(result.version, kInvalidVersion) << expression;
        const Diagnostics& all = graph.peek().diagnostics;
        ASSERT_EQ(all.size(), 1u) << expression;
        EXPECT_EQ(all.front().code, "primitives/bad-expression") << expression;
    }
}

} // namespace
} // namespace tuff
