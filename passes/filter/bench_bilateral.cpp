#include "passes/filter/bench_cases.hpp"
#include "passes/filter/bilateral.hpp"
#include "passes/filter/network.hpp"
#include "passes/filter/register.hpp"
#include "passes/filter/volume_median.hpp"
#include "passes/filter/warp.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

/// Edge-preserving filters, networks of kernels and registration. Fields are those whose results
/// are known without filtering them again, or are checked at some places.
namespace tuff::bench {
namespace {

using passes::BilateralMethod;
using passes::FilterBilateral;
using passes::FilterBorder;
using passes::FilterNetwork;
using passes::FilterRegister;
using passes::FilterVolumeMedian;
using passes::FilterWarp;
using passes::NetworkKind;

/// A square or cube of at most `size()` numbers.
glm::uvec4 cube_of(const CaseBuilder& c, int axes) {
    const double side = std::pow(static_cast<double>(c.size()), 1.0 / axes);
    glm::uvec4 size(1);
    for (int a = 0; a < axes; ++a)
        size[a] = std::max(static_cast<std::uint32_t>(side + 1e-6), 8u);
    return size;
}

std::uint64_t numbers_of(glm::uvec4 size) {
    return std::uint64_t{size.x} * size.y * size.z * size.w;
}

/// Two plateaus along x, 0.25 and 0.75, with noise of 0.02.
float plateau(glm::uvec4 size, std::uint64_t i) {
    const auto noise = static_cast<float>((i * 2654435761u >> 7 & 1023u)) / 1023.0f - 0.5f;
    return (i % size.x < size.x / 2 ? 0.25f : 0.75f) + 0.04f * noise;
}

/// Numbers stay on their plateau and are smoother than they were.
void bilateral(CaseBuilder& c, int axes, BilateralMethod method, std::uint32_t window) {
    const glm::uvec4 size = cube_of(c, axes);
    const auto source = c.input<float>("field", numbers_of(size),
                                       [&](std::uint64_t i) { return plateau(size, i); });
    glm::uvec4 kernel_size(1);
    for (int a = 0; a < axes; ++a)
        kernel_size[a] = window;
    const Buffer result = c.add(FilterBilateral{.source = source.buffer,
                                                .size = size,
                                                .kernel_size = kernel_size,
                                                .sigma = glm::vec4(0.25f * float(window)),
                                                .sigma_range = 0.1f,
                                                .method = method})
                              .result;
    c.check<float>("result", result, [size](std::span<const float> got) -> Verdict {
        double squares = 0.0;
        for (std::uint64_t i = 0; i < got.size(); ++i) {
            const double apart =
                static_cast<double>(got[i]) - (i % size.x < size.x / 2 ? 0.25 : 0.75);
            squares += apart * apart;
        }
        const double rms = std::sqrt(squares / static_cast<double>(got.size()));
        // The noise's deviation is 0.0115; what is left is at most half of it.
        if (got.size() == numbers_of(size) && rms < 0.006) return {};
        return std::unexpected(
            fmt::format("{} numbers are {:.3g} off their plateaus", got.size(), rms));
    });
}

/// A polynomial of degree 1 comes out as it was, as of every symmetric kernel of sum 1.
void network(CaseBuilder& c, int axes, std::uint32_t window) {
    const glm::uvec4 size = cube_of(c, axes);
    const auto source = c.input<float>("field", numbers_of(size), [&](std::uint64_t i) {
        return static_cast<float>(i % size.x) / static_cast<float>(size.x);
    });
    FilterNetwork pass{.source = source.buffer,
                       .size = size,
                       .border = FilterBorder::clamp,
                       .kind = NetworkKind::binomial,
                       .kernel_size = glm::uvec4(1)};
    for (int a = 0; a < axes; ++a)
        pass.kernel_size[a] = window;
    const Buffer result = c.add(pass).result;
    c.check<float>("result", result, [=](std::span<const float> got) -> Verdict {
        for (std::uint64_t i = 0; i < got.size(); ++i) {
            const std::uint64_t x = i % size.x;
            if (x < window / 2 || x + window / 2 >= size.x) continue;
            if (std::abs(got[i] - source.values()[i]) > 4e-6f)
                return std::unexpected(fmt::format("number {} is {}", i, got[i]));
        }
        return {};
    });
}

void volume_median(CaseBuilder& c, glm::uvec4 window) {
    const glm::uvec4 size = cube_of(c, 3);
    const auto source = c.input<float>("field", numbers_of(size), [&](std::uint64_t i) {
        return i % 101 == 0 ? 9.0f : static_cast<float>(i % size.x); // single points on a ramp
    });
    const Buffer result =
        c.add(FilterVolumeMedian{.source = source.buffer, .size = size, .window = window}).result;
    c.check<float>("result", result, [=](std::span<const float> got) -> Verdict {
        const std::array<std::int64_t, 3> extent{size.x, size.y, size.z};
        const std::array<std::int64_t, 3> reach{window.x / 2, window.y / 2, window.z / 2};
        const auto read = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
            const auto at = [&](std::int64_t place, std::size_t a) {
                return std::clamp<std::int64_t>(place, 0, extent[a] - 1);
            };
            return source.values()[static_cast<std::size_t>(
                (at(z, 2) * extent[1] + at(y, 1)) * extent[0] + at(x, 0))];
        };
        const std::uint64_t step = std::max<std::uint64_t>(got.size() / 2048, 1);
        for (std::uint64_t i = 0; i < got.size(); i += step) {
            const auto own = static_cast<std::int64_t>(i);
            std::vector<float> met;
            for (std::int64_t z = -reach[2]; z <= reach[2]; ++z)
                for (std::int64_t y = -reach[1]; y <= reach[1]; ++y)
                    for (std::int64_t x = -reach[0]; x <= reach[0]; ++x)
                        met.push_back(read(own % extent[0] + x, own / extent[0] % extent[1] + y,
                                           own / extent[0] / extent[1] + z));
            const auto middle = met.begin() + static_cast<std::ptrdiff_t>(met.size() / 2);
            std::ranges::nth_element(met, middle);
            if (got[i] != *middle)
                return std::unexpected(
                    fmt::format("number {} is {} instead of {}", i, got[i], *middle));
        }
        return {};
    });
}

/// By a displacement of 1.5 along x and 0.25 along y.
void warp(CaseBuilder& c) {
    const glm::uvec4 size = cube_of(c, 3);
    const std::uint64_t one = numbers_of(size);
    const auto source = c.input<float>(
        "field", one, [&](std::uint64_t i) { return static_cast<float>(i % size.x); });
    const auto field = c.input<float>("displacements", 3 * one, [&](std::uint64_t i) {
        return i < one ? 1.5f : (i < 2 * one ? 0.25f : 0.0f);
    });
    const Buffer result =
        c.add(FilterWarp{.source = source.buffer, .field = field.buffer, .size = size}).result;
    c.check<float>("result", result, [=](std::span<const float> got) -> Verdict {
        for (std::uint64_t i = 0; i < got.size(); ++i) {
            const float should =
                std::min(static_cast<float>(i % size.x) + 1.5f, static_cast<float>(size.x - 1));
            if (got[i] != should) return std::unexpected(fmt::format("number {} is {}", i, got[i]));
        }
        return {};
    });
}

/// Waves that are moved by (1.5, -1, 0.5).
void registration(CaseBuilder& c, int axes) {
    const glm::uvec4 size = cube_of(c, axes);
    const std::uint64_t one = numbers_of(size);
    const auto waves = [&](std::uint64_t i, double moved) {
        const double x = static_cast<double>(i % size.x) + 1.5 * moved;
        const double y = static_cast<double>(i / size.x % size.y) - moved;
        const double z = static_cast<double>(i / size.x / size.y) + (axes > 2 ? 0.5 * moved : 0.0);
        return static_cast<float>(std::sin(0.4 * x + 0.2 * y) + std::sin(0.45 * y - 0.2 * z) +
                                  std::sin(0.5 * z + 0.1 * x) + std::sin(0.3 * x - 0.3 * y));
    };
    const auto fixed = c.input<float>("fixed", one, [&](std::uint64_t i) { return waves(i, 1.0); });
    const auto moving =
        c.input<float>("moving", one, [&](std::uint64_t i) { return waves(i, 0.0); });
    const Buffer field = c.add(FilterRegister{.fixed = fixed.buffer,
                                              .moving = moving.buffer,
                                              .size = size,
                                              .iterations = 3,
                                              .kernel_size = 7})
                             .field;
    c.check<float>("field", field, [=](std::span<const float> got) -> Verdict {
        const std::array<double, 3> moved{1.5, -1.0, 0.5};
        double mean = 0.0;
        for (std::uint64_t i = 0; i < one; ++i) {
            double squares = 0.0;
            for (std::size_t a = 0; a < static_cast<std::size_t>(axes); ++a)
                squares += std::pow(static_cast<double>(got[a * one + i]) - moved[a], 2.0);
            mean += std::sqrt(squares) / static_cast<double>(one);
        }
        // Below a side of 24 numbers the border is nearly everything.
        if (mean < 0.3 || size.x < 24) return {};
        return std::unexpected(fmt::format("displacements are {:.3g} numbers off", mean));
    });
}

} // namespace

void add_filter_bilateral_cases(CaseList& cases) {
    constexpr std::uint64_t kMax = std::uint64_t{1} << 24; // 4096^2, 256^3
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 512,
                   .most = kMax});
    };
    const auto method = [&](std::string name, int axes, BilateralMethod by, std::uint32_t window) {
        add(FilterBilateral::kName, std::move(name),
            [=](CaseBuilder& c) { bilateral(c, axes, by, window); });
    };
    method("square 17x17 direct", 2, BilateralMethod::direct, 17);
    method("square 17x17 separable", 2, BilateralMethod::separable, 17);
    method("square 17x17 grid", 2, BilateralMethod::grid, 17);
    method("cube 7x7x7 direct", 3, BilateralMethod::direct, 7);
    // Of smaller windows a cell of the grid would be a number.
    method("cube 15x15x15 grid", 3, BilateralMethod::grid, 15);
    add(FilterNetwork::kName, "square binomial 17x17", [](CaseBuilder& c) { network(c, 2, 17); });
    add(FilterNetwork::kName, "cube binomial 9x9x9", [](CaseBuilder& c) { network(c, 3, 9); });
    add(FilterVolumeMedian::kName, "cube 3x3x3", [](CaseBuilder& c) {
        volume_median(c, {3, 3, 3, 1});
    });
    add(FilterVolumeMedian::kName, "cube 5x5x5", [](CaseBuilder& c) {
        volume_median(c, {5, 5, 5, 1});
    });
    add(FilterWarp::kName, "cube", warp);
    add(FilterRegister::kName, "square", [](CaseBuilder& c) { registration(c, 2); });
    add(FilterRegister::kName, "cube", [](CaseBuilder& c) { registration(c, 3); });
}

} // namespace tuff::bench
