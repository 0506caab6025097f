#include "passes/filter/frequency_design.hpp"

#include "passes/filter/directions.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <span>

namespace tuff::passes {
namespace {

using Frequency = std::array<double, 4>; ///< radians a number along each axis
using Spectrum = std::function<double(const Frequency&, double rho)>;
using Taps = std::vector<std::complex<double>>;

constexpr double kTaperBegin = 0.5 * std::numbers::pi;
constexpr double kTaperEnd = 1.2 * std::numbers::pi;

/// Odd, so that no frequency is its own opposite; the more axes there are, the less there is room
/// for. The lognormal band is 0 with all its derivatives at 0, so little of it aliases.
std::uint32_t grid_side(std::uint32_t side, std::uint32_t dimensions) {
    static constexpr std::array<std::uint32_t, 5> kTimes{1, 16, 8, 4, 3};
    return side == 1 ? 1 : (kTimes[dimensions] * side) | 1u;
}

/// Sums over axis `axis` of numbers whose faster axes have `inner` numbers:
/// result[x] = sum over u of numbers[u] exp(i u x) / side, x from -h to h.
Taps transformed_axis(const Taps& numbers, std::size_t inner, std::uint32_t side,
                      std::uint32_t wanted) {
    const std::size_t outer = numbers.size() / (inner * side);
    std::vector<std::complex<double>> roots(side);
    for (std::uint32_t k = 0; k < side; ++k)
        roots[k] = std::polar(1.0 / side, 2.0 * std::numbers::pi * k / side);
    Taps result(inner * wanted * outer);
    for (std::size_t o = 0; o < outer; ++o)
        for (std::uint32_t x = 0; x < wanted; ++x)
            for (std::uint32_t u = 0; u < side; ++u) {
                // Frequencies and taps are counted from the middle.
                const std::int64_t turns = (std::int64_t{x} - wanted / 2) *
                                           (std::int64_t{u} - side / 2) % std::int64_t{side};
                const auto root = roots[static_cast<std::size_t>((turns + side) % side)];
                for (std::size_t i = 0; i < inner; ++i)
                    result[(o * wanted + x) * inner + i] +=
                        numbers[(o * side + u) * inner + i] * root;
            }
    return result;
}

/// The inverse transform of `spectrum` within `size`.
Taps inverse_transform(const FilterSize& size, const Spectrum& spectrum) {
    const std::uint32_t dimensions = kernel_dimensions(size);
    FilterSize side{};
    for (std::size_t a = 0; a < 4; ++a)
        side[a] = grid_side(size[a], dimensions);
    Taps numbers(design_grid_count(size));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        Frequency u{};
        std::size_t rest = i;
        double square = 0.0;
        for (std::size_t a = 0; a < 4; ++a) {
            u[a] = 2.0 * std::numbers::pi *
                   (static_cast<double>(rest % side[a]) - static_cast<double>(side[a] / 2)) /
                   side[a];
            rest /= side[a];
            square += u[a] * u[a];
        }
        numbers[i] = spectrum(u, std::sqrt(square));
    }
    std::size_t inner = 1;
    for (std::size_t a = 0; a < 4; ++a) {
        numbers = transformed_axis(numbers, inner, side[a], size[a]);
        inner *= size[a];
    }
    return numbers;
}

/// Offsets of weight `tap` from the middle.
std::array<double, 4> offset_of(std::size_t tap, const FilterSize& size) {
    std::array<double, 4> offset{};
    for (std::size_t a = 0; a < 4; ++a) {
        offset[a] = static_cast<double>(tap % size[a]) - static_cast<double>(size[a] / 2);
        tap /= size[a];
    }
    return offset;
}

std::vector<double> window_of(const KernelDesign& design) {
    std::vector<double> window(filter_count(design.size), 1.0);
    if (design.window == KernelWindow::none) return window;
    const double power = design.window == KernelWindow::cosine ? 1.0 : 0.5;
    for (std::size_t tap = 0; tap < window.size(); ++tap) {
        const auto offset = offset_of(tap, design.size);
        for (std::size_t a = 0; a < 4; ++a)
            window[tap] *=
                std::pow(std::cos(std::numbers::pi * offset[a] / (design.size[a] + 1.0)), power);
    }
    return window;
}

/// Lifts the weights by a multiple of the window, so that they sum to `sum`.
void set_sum(std::span<double> weights, const std::vector<double>& window, double sum) {
    double weight_sum = 0.0;
    double window_sum = 0.0;
    for (std::size_t tap = 0; tap < window.size(); ++tap) {
        weight_sum += weights[tap];
        window_sum += window[tap];
    }
    for (std::size_t tap = 0; tap < window.size(); ++tap)
        weights[tap] += (sum - weight_sum) / window_sum * window[tap];
}

/// What an even (cos) or odd (sin) kernel answers a wave of frequency `u` with.
double gain_at(std::span<const double> weights, const FilterSize& size, const Frequency& u,
               bool odd) {
    double gain = 0.0;
    for (std::size_t tap = 0; tap < weights.size(); ++tap) {
        const auto offset = offset_of(tap, size);
        double phase = 0.0;
        for (std::size_t a = 0; a < 4; ++a)
            phase += u[a] * offset[a];
        gain += weights[tap] * (odd ? std::sin(phase) : std::cos(phase));
    }
    return gain;
}

void multiply(std::span<double> weights, double factor) {
    for (double& weight : weights)
        weight *= factor;
}

/// Collects kernels of one design.
class KernelCollector {
  public:
    explicit KernelCollector(const KernelDesign& design)
        : design_(&design), window_(window_of(design)) {
        set_.size = design.size;
        set_.filters = 0;
    }
    /// Adds a kernel of these numbers under the window.
    std::size_t add(const std::function<double(std::size_t tap)>& number) {
        for (std::size_t tap = 0; tap < window_.size(); ++tap)
            set_.weights.push_back(window_[tap] * number(tap));
        return set_.filters++;
    }
    std::span<double> kernel(std::size_t filter) {
        return std::span(set_.weights).subspan(filter * window_.size(), window_.size());
    }
    void set_sum_of(std::size_t filter, double sum) { set_sum(kernel(filter), window_, sum); }
    double gain(std::size_t filter, const Frequency& u, bool odd) {
        return gain_at(kernel(filter), design_->size, u, odd);
    }
    KernelSet take() { return std::move(set_); }

  private:
    const KernelDesign* design_;
    std::vector<double> window_;
    KernelSet set_;
};

double design_band(double rho, const KernelDesign& design) {
    return lognormal_band(rho, design.frequency, design.octaves) *
           led_to_zero(rho, design.frequency);
}

Frequency along_axis(std::size_t axis, double frequency) {
    Frequency u{};
    u[axis] = frequency;
    return u;
}

} // namespace

double lognormal_band(double rho, double frequency, double octaves) {
    if (rho <= 0.0) return 0.0;
    const double distance = std::log(rho / frequency);
    return std::exp(-4.0 / (octaves * octaves * std::numbers::ln2) * distance * distance);
}

double led_to_zero(double rho, double frequency) {
    const double begin = std::max(frequency, kTaperBegin);
    if (rho <= begin) return 1.0;
    if (rho >= kTaperEnd) return 0.0;
    const double wave = std::cos(0.5 * std::numbers::pi * (rho - begin) / (kTaperEnd - begin));
    return wave * wave;
}

double adaptive_lowpass(double rho, double frequency) {
    if (rho >= 2.0 * frequency) return 0.0;
    const double wave = std::cos(0.25 * std::numbers::pi * rho / frequency);
    return wave * wave;
}

std::uint64_t design_grid_count(const FilterSize& size) {
    const std::uint32_t dimensions = kernel_dimensions(size);
    std::uint64_t count = 1;
    for (const std::uint32_t side : size)
        count *= grid_side(side, dimensions);
    return count;
}

KernelSet quadrature_kernels(const KernelDesign& design, const std::vector<std::uint32_t>& chosen) {
    KernelCollector kernels(design);
    const auto directions = filter_directions(kernel_dimensions(design.size));
    const auto band = [&](double rho) { return design_band(rho, design); };
    for (const std::uint32_t number : chosen) {
        const glm::dvec4 n = directions[number];
        const Taps taps = inverse_transform(design.size, [&](const Frequency& u, double rho) {
            const double along = u[0] * n.x + u[1] * n.y + u[2] * n.z + u[3] * n.w;
            if (along <= 0.0) return 0.0;
            const double cosine = along / rho;
            return band(rho) * cosine * cosine;
        });
        const std::size_t even =
            kernels.add([&](std::size_t tap) { return 2.0 * taps[tap].real(); });
        const std::size_t odd =
            kernels.add([&](std::size_t tap) { return 2.0 * taps[tap].imag(); });
        kernels.set_sum_of(even, 0.0);
        const Frequency center{n.x * design.frequency, n.y * design.frequency,
                               n.z * design.frequency, n.w * design.frequency};
        // One factor for both, or waves of other frequencies would be no circles in the plane of
        // even and odd response.
        const double gain =
            0.5 * (kernels.gain(even, center, false) + kernels.gain(odd, center, true));
        multiply(kernels.kernel(even), 1.0 / gain);
        multiply(kernels.kernel(odd), 1.0 / gain);
    }
    return kernels.take();
}

KernelSet monomial_kernels(const KernelDesign& design) {
    KernelCollector kernels(design);
    const std::size_t dimensions = kernel_dimensions(design.size);
    const auto band = [&](double rho) { return design_band(rho, design); };
    const auto make_equal = [&](std::size_t first, const std::vector<std::size_t>& along, bool odd,
                                std::size_t end) {
        double gain = 0.0;
        for (std::size_t axis = 0; axis < dimensions; ++axis)
            gain += kernels.gain(along[axis], along_axis(axis, design.frequency), odd);
        for (std::size_t filter = first; filter < end; ++filter)
            multiply(kernels.kernel(filter), static_cast<double>(dimensions) / gain);
    };
    std::vector<std::size_t> along;
    for (std::size_t i = 0; i < dimensions; ++i) {
        const Taps taps = inverse_transform(design.size, [&](const Frequency& u, double rho) {
            return rho > 0.0 ? band(rho) * u[i] / rho : 0.0;
        });
        along.push_back(kernels.add([&](std::size_t tap) { return taps[tap].imag(); }));
    }
    make_equal(0, along, true, dimensions);
    along.clear();
    std::size_t end = dimensions;
    for (std::size_t i = 0; i < dimensions; ++i)
        for (std::size_t j = i; j < dimensions; ++j) {
            const Taps taps = inverse_transform(design.size, [&](const Frequency& u, double rho) {
                return rho > 0.0 ? band(rho) * u[i] * u[j] / (rho * rho) : 0.0;
            });
            end = kernels.add([&](std::size_t tap) { return taps[tap].real(); });
            kernels.set_sum_of(end, 0.0);
            if (i == j) along.push_back(end);
        }
    make_equal(dimensions, along, false, end + 1);
    return kernels.take();
}

KernelSet adaptive_kernels(const KernelDesign& design) {
    KernelCollector kernels(design);
    const std::size_t dimensions = kernel_dimensions(design.size);
    const Taps low = inverse_transform(design.size, [&](const Frequency&, double rho) {
        return adaptive_lowpass(rho, design.frequency);
    });
    kernels.set_sum_of(kernels.add([&](std::size_t tap) { return low[tap].real(); }), 1.0);
    for (std::size_t i = 0; i < dimensions; ++i)
        for (std::size_t j = i; j < dimensions; ++j) {
            const Taps taps = inverse_transform(design.size, [&](const Frequency& u, double rho) {
                if (rho <= 0.0) return 0.0;
                const double high = 1.0 - adaptive_lowpass(rho, design.frequency);
                return high * u[i] * u[j] / (rho * rho);
            });
            kernels.set_sum_of(kernels.add([&](std::size_t tap) { return taps[tap].real(); }), 0.0);
        }
    return kernels.take();
}

} // namespace tuff::passes
