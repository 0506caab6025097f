#include "passes/oit/bench_sheets.hpp"
#include "passes/oit/capture.hpp"
#include "passes/oit/depth_peel.hpp"
#include "passes/oit/moments.hpp"
#include "passes/oit/multi_layer.hpp"
#include "passes/oit/stochastic.hpp"

#include <string>
#include <string_view>
#include <utility>

/// What comes near to sorting: times, and how near.
namespace tuff::bench {
namespace {

/// The picture's error against sorting, all channels of some pixels: root of the mean square.
double error_of_sheets(const SheetsView& ready, const HostImage& got) {
    constexpr std::uint32_t kCompared = 1000;
    double squares = 0.0;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < kCompared; ++i) {
        const std::uint32_t x = hash32(2 * i) % ready.extent.width;
        const std::uint32_t y = hash32(2 * i + 1) % ready.extent.height;
        const auto across = [](std::uint32_t at, std::uint32_t size) {
            return 2.0f * (static_cast<float>(at) + 0.5f) / static_cast<float>(size) - 1.0f;
        };
        const auto expected =
            ready.sheets.at(across(x, ready.extent.width), -across(y, ready.extent.height),
                            glm::vec3(kSheetsBackground));
        if (!expected) continue;
        for (int c = 0; c < 3; ++c)
            squares += std::pow(static_cast<double>(got.texel(x, y)[static_cast<std::size_t>(c)]) -
                                    (*expected)[c],
                                2.0);
        count += 3;
    }
    return std::sqrt(squares / count);
}

/// Tells the error of the output "color", which must not be larger than `most`.
void compare_with_sorting(CaseBuilder& c, const SheetsView& ready, double most = 1.0) {
    c.check([ready, most](CaseResults& results) -> Verdict {
        const HostImage got = results.read_image("color");
        if (got.empty()) return {}; // an error of its own
        const double error = error_of_sheets(ready, got);
        results.set_remark(fmt::format("RMS error against sorting {:.2g}", error));
        if (error <= most) return {};
        return std::unexpected(fmt::format("the error is {:.3g}, more than {}", error, most));
    });
}

void layered(CaseBuilder& c, std::uint32_t layers, ExpectedOfSheets expected) {
    const SheetsView ready = prepare_sheets(c, 8);
    Graph& g = c.graph();
    g.push_scope("oit");
    const passes::FragmentLists captured =
        g.add(passes::OitCapture{.scene = ready.scene, .view = ready.view}).lists;
    const Image color =
        g.add(passes::MultiLayer{.lists = captured, .view = ready.view, .layers = layers}).color;
    g.pop_scope();
    check_sheets(c, ready, color, kHalfFloatError, expected);
    compare_with_sorting(c, ready);
}

void moments(CaseBuilder& c, passes::MomentSums sums,
             passes::MomentPowers powers = passes::MomentPowers::four) {
    if (sums == passes::MomentSums::blending && !c.caps().float32_blending)
        return c.skip("the device cannot blend onto 32-bit floats");
    const SheetsView ready = prepare_sheets(c, 8);
    Graph& g = c.graph();
    g.push_scope("oit");
    const Image color =
        g.add(passes::MomentTransparency{
                  .scene = ready.scene, .view = ready.view, .powers = powers, .sums = sums})
            .color;
    g.pop_scope();
    measure_sheets(c, ready);
    c.output("color", color);
    compare_with_sorting(c, ready, 0.1); // the weighted average is off by 0.14
}

void weighted(CaseBuilder& c) {
    const SheetsView ready = prepare_sheets(c, 8);
    Graph& g = c.graph();
    g.push_scope("oit");
    const Image color =
        g.add(passes::WeightedBlended{.scene = ready.scene, .view = ready.view}).color;
    g.pop_scope();
    // Two sums and a product of half floats, rounded once a layer, and the result.
    check_sheets(c, ready, color, (3.0 * 8 + 1.0) / 2048.0, &Sheets::weighted_at);
    compare_with_sorting(c, ready);
}

constexpr std::uint32_t kStochasticSamples = 16;

/// The mean of samples: what is off at single pixels is chance, on average it must vanish.
void stochastic(CaseBuilder& c) {
    const SheetsView ready = prepare_sheets(c, 8);
    Graph& g = c.graph();
    g.push_scope("oit");
    const Image color =
        g.add(passes::StochasticTransparency{
                  .scene = ready.scene, .view = ready.view, .samples = kStochasticSamples})
            .color;
    g.pop_scope();
    measure_sheets(c, ready);
    compare_with_sorting(c, ready);
    c.check("color", color, [ready](const HostImage& got) -> Verdict {
        constexpr std::uint32_t kPlaces = 1000;
        double sum = 0.0;
        double squares = 0.0;
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < kPlaces; ++i) {
            const std::uint32_t x = hash32(2 * i) % ready.extent.width;
            const std::uint32_t y = hash32(2 * i + 1) % ready.extent.height;
            const auto across = [](std::uint32_t at, std::uint32_t size) {
                return 2.0f * (static_cast<float>(at) + 0.5f) / static_cast<float>(size) - 1.0f;
            };
            const auto expected =
                ready.sheets.at(across(x, ready.extent.width), -across(y, ready.extent.height),
                                glm::vec3(kSheetsBackground));
            if (!expected) continue;
            const double off = static_cast<double>(got.texel(x, y)[0]) - expected->r;
            sum += off;
            squares += off * off;
            ++count;
        }
        // Of one sample the standard deviation is at most a half. Small pictures have fewer places
        // than are looked at.
        const double deviation = 0.5 / std::sqrt(static_cast<double>(kStochasticSamples));
        const double places = std::min(static_cast<double>(count),
                                       static_cast<double>(got.extent.width) * got.extent.height);
        if (!(std::abs(sum / count) <= 5.0 * deviation / std::sqrt(places)))
            return std::unexpected(fmt::format("the picture is off by {} on average", sum / count));
        if (!(std::sqrt(squares / count) <= 1.2 * deviation))
            return std::unexpected(fmt::format("the error is {}, and {} samples allow {}",
                                               std::sqrt(squares / count), kStochasticSamples,
                                               deviation));
        return {};
    });
}

} // namespace

void add_oit_comparators_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 64,
                   .most = kMaxSheetPixels,
                   .most_on_software = kMaxSheetPixelsOnSoftware});
    };
    add(passes::WeightedBlended::kName, "8 layers", weighted);
    add(passes::StochasticTransparency::kName, "8 layers 16 samples", stochastic);
    add(passes::MultiLayer::kName, "8 layers by 4",
        [](CaseBuilder& c) { layered(c, 4, &Sheets::layered_at<4>); });
    add(passes::MultiLayer::kName, "8 layers by 8",
        [](CaseBuilder& c) { layered(c, 8, &Sheets::at); });
    add(passes::MomentTransparency::kName, "8 layers",
        [](CaseBuilder& c) { moments(c, passes::MomentSums::blending); });
    add(passes::MomentTransparency::kName, "8 layers by six moments", [](CaseBuilder& c) {
        moments(c, passes::MomentSums::blending, passes::MomentPowers::six);
    });
    add(passes::MomentTransparency::kName, "8 layers by eight moments", [](CaseBuilder& c) {
        moments(c, passes::MomentSums::blending, passes::MomentPowers::eight);
    });
    add(passes::MomentTransparency::kName, "8 layers captured first",
        [](CaseBuilder& c) { moments(c, passes::MomentSums::lists); });
}

} // namespace tuff::bench
