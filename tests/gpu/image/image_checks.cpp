#include "tests/gpu/image/image_checks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace tuff {

using reference::Expected;
using reference::Picture;
using reference::Texel;

Image ImageChecks::source(const HostImage& image) {
    return graph_.constant_image("source", {.format = image.format, .extent = image.extent},
                                 std::make_shared<const std::vector<std::byte>>(image.texels));
}

void ImageChecks::expect(Image result, Expected expected, std::string what) {
    checks_.push_back({result, std::move(what), std::move(expected), false});
}

void ImageChecks::expect_exact(Image result, Picture expected, std::string what) {
    const Picture bound = reference::blank(expected.width, expected.height);
    checks_.push_back({result, std::move(what), {std::move(expected), bound}, true});
}

void ImageChecks::keep(Image result, std::string name) {
    checks_.push_back({result, std::move(name), {}, false});
}

Graph ImageChecks::take_graph() {
    for (std::size_t i = 0; i < checks_.size(); ++i)
        graph_.output(fmt::format("{}", i), checks_[i].result);
    return std::move(graph_);
}

std::string ImageChecks::compare(std::size_t index, const HostImage& image) const {
    const Check& check = checks_[index];
    const Picture& expected = check.expected.value;
    if (expected.texels.empty()) return check.what;

    const Picture actual = reference::picture_of(image);
    EXPECT_EQ(actual.width, expected.width) << check.what;
    EXPECT_EQ(actual.height, expected.height) << check.what;
    if (actual.width != expected.width || actual.height != expected.height) return check.what;

    const bool unorm = info(image.format).kind == NumericKind::unorm;
    double worst = 0.0; // by how much the tolerance is exceeded; one message an image is enough
    std::string where;
    for (int y = 0; y < actual.height; ++y)
        for (int x = 0; x < actual.width; ++x)
            for (std::size_t c = 0; c < info(image.format).channels; ++c) {
                double wanted = expected.at(x, y)[c];
                if (unorm) wanted = std::clamp(wanted, 0.0, 1.0);
                const double tolerance = check.exact
                                             ? 0.0
                                             : check.expected.bound.at(x, y)[c] +
                                                   reference::storage_step(image.format, wanted);
                const double got = actual.at(x, y)[c];
                const double excess = std::abs(got - wanted) - tolerance;
                if (excess <= worst) continue;
                worst = std::isnan(excess) ? HUGE_VAL : excess;
                where = fmt::format("texel ({}, {}) channel {}: {} instead of {} +- {}", x, y, c,
                                    got, wanted, tolerance);
            }
    EXPECT_EQ(where, "") << check.what;
    return check.what;
}

std::map<std::string, HostImage> ImageTest::run_checks(ImageChecks checks) {
    std::map<std::string, HostImage> results;
    testing_gpu::Running running = run(checks.take_graph());
    if (!running) return results;
    for (std::size_t i = 0; i < checks.size(); ++i) {
        HostImage image = running.image(fmt::format("{}", i));
        if (image.empty()) continue; // has failed the test
        std::string name = checks.compare(i, image);
        results.insert_or_assign(std::move(name), std::move(image));
    }
    return results;
}

} // namespace tuff
