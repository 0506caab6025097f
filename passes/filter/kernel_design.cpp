#include "passes/filter/kernel_design.hpp"

#include "passes/filter/directions.hpp"
#include "passes/filter/frequency_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace tuff::passes {
namespace {

/// The most weights of a kernel, and numbers of a spectrum that one is designed in.
constexpr std::uint64_t kMaxKernelTaps = std::uint64_t{1} << 22;
constexpr std::uint64_t kMaxDesignGrid = std::uint64_t{1} << 23;
/// Below this a kernel is too small for the frequency: scaling it up would make noise of it.
constexpr double kLeastTurns = 0.5;

using Place = std::array<int, 4>; ///< from the middle

std::string size_text(const FilterSize& size) {
    return fmt::format("{} x {} x {} x {}", size[0], size[1], size[2], size[3]);
}

bool is_designed(FilterKernelKind kind) {
    return kind == FilterKernelKind::quadrature || kind == FilterKernelKind::monomial ||
           kind == FilterKernelKind::adaptive;
}

bool is_oriented(FilterKernelKind kind) {
    return is_designed(kind) || kind == FilterKernelKind::gabor;
}

/// A kernel of what `weight` says of each place.
std::vector<double> sampled(const FilterSize& size,
                            const std::function<double(const Place&)>& weight) {
    std::vector<double> weights(filter_count(size));
    for (std::size_t tap = 0; tap < weights.size(); ++tap) {
        Place place{};
        std::size_t rest = tap;
        for (std::size_t a = 0; a < 4; ++a) {
            place[a] = static_cast<int>(rest % size[a]) - static_cast<int>(size[a] / 2);
            rest /= size[a];
        }
        weights[tap] = weight(place);
    }
    return weights;
}

bool is_middle(const Place& place) {
    return place == Place{};
}

std::vector<double> gaussian(const KernelDesign& design) {
    double factor = 1.0;
    for (std::size_t a = 0; a < 4; ++a)
        if (design.size[a] > 1)
            factor /= std::sqrt(2.0 * std::numbers::pi) * design.sigma[static_cast<int>(a)];
    std::vector<double> weights = sampled(design.size, [&](const Place& place) {
        double power = 0.0;
        for (std::size_t a = 0; a < 4; ++a) {
            const double turns = place[a] / design.sigma[static_cast<int>(a)];
            power -= 0.5 * turns * turns;
        }
        return factor * std::exp(power);
    });
    if (design.scale == KernelScale::analytic) return weights;
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights)
        weight /= sum;
    return weights;
}

/// 1 0 -1 along `axis`, 1 2 1 along the others: convolved with a ramp, 2 4^(D - 1) times its slope.
std::vector<double> sobel(const FilterSize& size, std::size_t axis) {
    return sampled(size, [&](const Place& place) {
        double weight = -place[axis];
        for (std::size_t a = 0; a < 4; ++a)
            if (a != axis && size[a] > 1) weight *= place[a] == 0 ? 2.0 : 1.0;
        return weight;
    });
}

/// Of 3 the neighbours along the axes, of more all in the box.
std::vector<double> laplace(const FilterSize& size) {
    const bool star = *std::ranges::max_element(size) == 3;
    std::vector<double> weights = sampled(size, [&](const Place& place) {
        int distance = 0;
        for (const int offset : place)
            distance += std::abs(offset);
        return distance != 0 && (!star || distance == 1) ? 1.0 : 0.0;
    });
    weights[weights.size() / 2] = -std::accumulate(weights.begin(), weights.end(), 0.0);
    return weights;
}

/// A Gaussian times a wave along a direction; twice cos, then twice sin.
void add_gabor(KernelSet& set, const KernelDesign& design, const glm::dvec4& direction) {
    KernelDesign envelope = design;
    envelope.scale = KernelScale::sum_one;
    const std::vector<double> weights = gaussian(envelope);
    for (const bool odd : {false, true}) {
        const std::vector<double> wave = sampled(design.size, [&](const Place& place) {
            double phase = 0.0;
            for (int a = 0; a < 4; ++a)
                phase += design.frequency * direction[a] * place[static_cast<std::size_t>(a)];
            return 2.0 * (odd ? std::sin(phase) : std::cos(phase));
        });
        for (std::size_t tap = 0; tap < wave.size(); ++tap)
            set.weights.push_back(weights[tap] * wave[tap]);
    }
    set.filters += 2;
}

Result<void> check_size(const KernelDesign& design) {
    const FilterSize& size = design.size;
    const std::string text = size_text(size);
    const auto refuse = [&](std::string_view what, std::string hint) {
        return fail("filter/kernel-size", fmt::format("a kernel of {} {}", text, what),
                    std::move(hint));
    };
    std::uint64_t taps = 1;
    for (const std::uint32_t side : size) {
        if (side % 2 == 0)
            return refuse("has no center", "set an odd number along each axis, 1 for unused axes");
        if (side > kMaxKernelTaps || (taps *= side) > kMaxKernelTaps)
            return refuse(fmt::format("has more than {} weights", kMaxKernelTaps),
                          "make it smaller");
    }
    const std::uint32_t dimensions = kernel_dimensions(size);
    const bool small = design.kind == FilterKernelKind::sobel;
    if (small || design.kind == FilterKernelKind::laplace) {
        const std::uint32_t most = *std::ranges::max_element(size);
        bool cube = most > 1;
        for (const std::uint32_t side : size)
            cube = cube && (side == 1 || side == (small ? 3 : most));
        if (!cube)
            return refuse(
                fmt::format(
                    "does not suit \"{}\"",
                    ChoiceNames<FilterKernelKind>::names[static_cast<std::size_t>(design.kind)]),
                small ? "set 3 weights along each of its axes"
                      : "set the same number of weights, 3 or more, along each of its axes");
    }
    if (!is_oriented(design.kind)) return {};
    for (std::uint32_t a = 0; a < std::max(dimensions, 1u); ++a)
        if (size[a] == 1)
            return refuse("has no directions",
                          "set 3 or more weights along x, along x and y, along x, y and z, or "
                          "along all four axes");
    if (is_designed(design.kind) && design_grid_count(size) > kMaxDesignGrid)
        return refuse(
            fmt::format("needs a spectrum of more than {} numbers for its design", kMaxDesignGrid),
            "make it smaller: 17 along each of four axes are possible");
    return {};
}

Result<void> check_frequency(const KernelDesign& design) {
    // A low pass that is too small is a wider one, no noise.
    if (!is_oriented(design.kind) || design.kind == FilterKernelKind::adaptive) return {};
    const std::uint32_t dimensions = kernel_dimensions(design.size);
    for (std::uint32_t a = 0; a < dimensions; ++a) {
        const double turns = design.frequency * design.size[a] / (2.0 * std::numbers::pi);
        if (turns < kLeastTurns)
            return fail("filter/frequency",
                        fmt::format("{} weights along an axis cover {:.2f} periods of a wave of {} "
                                    "radians a number",
                                    design.size[a], turns, design.frequency),
                        "set a larger kernel or a higher frequency: half a period is the least");
    }
    return {};
}

Result<std::vector<std::uint32_t>> chosen_directions(const KernelDesign& design) {
    const std::uint32_t dimensions = kernel_dimensions(design.size);
    const std::uint32_t all = kernel_directions(design.kind, dimensions);
    const auto exists = [&](std::uint32_t number) {
        return number < all && (design.kind != FilterKernelKind::sobel || design.size[number] > 1);
    };
    std::vector<std::uint32_t> chosen;
    for (const std::uint32_t number : design.only) {
        if (!exists(number))
            return fail(
                "filter/direction",
                fmt::format("a kernel of {1} has no direction {0}", number, size_text(design.size)),
                "count directions from 0; monomial and adaptive filters have no "
                "\"directions\"");
        chosen.push_back(number);
    }
    if (chosen.empty())
        for (std::uint32_t number = 0; number < all; ++number)
            if (exists(number)) chosen.push_back(number);
    return chosen;
}

/// The kinds of one kernel.
KernelSet single(const KernelDesign& design) {
    KernelSet set{.size = design.size};
    switch (design.kind) {
    case FilterKernelKind::average:
        set.weights.assign(filter_count(design.size),
                           1.0 / static_cast<double>(filter_count(design.size)));
        break;
    case FilterKernelKind::gaussian: set.weights = gaussian(design); break;
    case FilterKernelKind::laplace: set.weights = laplace(design.size); break;
    default:
        set.weights =
            sampled(design.size, [](const Place& place) { return is_middle(place) ? 1.0 : 0.0; });
    }
    return set;
}

} // namespace

std::uint32_t kernel_dimensions(const FilterSize& size) {
    std::uint32_t dimensions = 4;
    while (dimensions > 0 && size[dimensions - 1] == 1)
        --dimensions;
    return dimensions;
}

std::uint32_t kernel_directions(FilterKernelKind kind, std::uint32_t dimensions) {
    switch (kind) {
    case FilterKernelKind::sobel: return dimensions;
    case FilterKernelKind::quadrature:
    case FilterKernelKind::gabor:
        return static_cast<std::uint32_t>(filter_directions(dimensions).size());
    default: return 1;
    }
}

std::uint32_t kernel_filters(FilterKernelKind kind, std::uint32_t dimensions,
                             std::uint32_t directions) {
    const std::uint32_t second = dimensions * (dimensions + 1) / 2;
    switch (kind) {
    case FilterKernelKind::sobel: return directions;
    case FilterKernelKind::quadrature:
    case FilterKernelKind::gabor: return 2 * directions;
    case FilterKernelKind::monomial: return dimensions + second;
    case FilterKernelKind::adaptive: return 1 + second;
    default: return 1;
    }
}

Result<KernelSet> designed_kernels(const KernelDesign& design) {
    if (auto checked = check_size(design); !checked) return std::unexpected(checked.error());
    if (auto checked = check_frequency(design); !checked) return std::unexpected(checked.error());
    const auto chosen = chosen_directions(design);
    if (!chosen) return std::unexpected(chosen.error());
    KernelSet set{.size = design.size, .filters = 0};
    switch (design.kind) {
    case FilterKernelKind::sobel:
        for (const std::uint32_t axis : *chosen) {
            const std::vector<double> weights = sobel(design.size, axis);
            set.weights.insert(set.weights.end(), weights.begin(), weights.end());
            ++set.filters;
        }
        return set;
    case FilterKernelKind::gabor:
        for (const std::uint32_t number : *chosen)
            add_gabor(set, design, filter_directions(kernel_dimensions(design.size))[number]);
        return set;
    case FilterKernelKind::quadrature: return quadrature_kernels(design, *chosen);
    case FilterKernelKind::monomial: return monomial_kernels(design);
    case FilterKernelKind::adaptive: return adaptive_kernels(design);
    default: return single(design);
    }
}

double noise_gain(const KernelSet& kernels, std::uint32_t filter) {
    const std::uint64_t taps = filter_count(kernels.size);
    double gain = 0.0;
    for (std::uint64_t tap = 0; tap < taps; ++tap) {
        const double weight = kernels.weights[filter * taps + tap];
        gain += weight * weight;
    }
    return gain;
}

} // namespace tuff::passes
