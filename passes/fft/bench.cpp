#include "apps/bench/checks.hpp"
#include "passes/fft/forward.hpp"
#include "passes/fft/inverse.hpp"
#include "passes/fft/real_forward.hpp"
#include "passes/fft/real_inverse.hpp"

#include <glm/vec2.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

/// Fourier transforms of a plane wave and an impulse, whose spectra are known number by number: a
/// spike, and a wave of the same energy.
namespace tuff::bench {
namespace {

using Complex = std::complex<double>;
using Phases = std::vector<Complex>;

constexpr double kWithin = 4e-6; // relative, of the Euclidean norm over all numbers

/// What is transformed: `batch` times the same array.
struct Field {
    glm::uvec4 size{1};
    std::uint32_t batch = 1;

    std::uint64_t count() const { return std::uint64_t{size.x} * size.y * size.z * size.w; }
    glm::uvec4 at(std::uint64_t i) const {
        glm::uvec4 place;
        for (int a = 0; a < 4; ++a) {
            place[a] = static_cast<std::uint32_t>(i % size[a]);
            i /= size[a];
        }
        return place;
    }
    std::uint64_t index(glm::uvec4 place) const {
        return place.x + size.x * (place.y + size.y * (place.z + std::uint64_t{size.z} * place.w));
    }
    /// The wave's frequency and the impulse's place: neither 0 nor the middle, where there is room.
    glm::uvec4 wave() const { return size / 3u; }
    glm::uvec4 impulse() const { return size / 5u * 2u; }
    double strength() const { return std::sqrt(static_cast<double>(count())); }
};

/// exp(2 pi i sign turns place / size) by axis and place.
std::vector<Phases> phases(const Field& field, glm::uvec4 turns, double sign) {
    std::vector<Phases> all(4);
    for (int a = 0; a < 4; ++a)
        for (std::uint64_t place = 0; place < field.size[a]; ++place) {
            const double part = static_cast<double>(place * turns[a] % field.size[a]);
            all[static_cast<std::size_t>(a)].push_back(
                std::polar(1.0, sign * 2.0 * std::numbers::pi * part / field.size[a]));
        }
    return all;
}
Complex product_at(const std::vector<Phases>& all, glm::uvec4 place) {
    return all[0][place.x] * all[1][place.y] * all[2][place.z] * all[3][place.w];
}

Field lines(const CaseBuilder& c, std::uint32_t length) {
    const auto n =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(length, std::bit_floor(c.size())));
    return {{n, 1, 1, 1}, static_cast<std::uint32_t>(c.size() / n)};
}
Field box(const CaseBuilder& c, int axes) {
    const double side = std::pow(static_cast<double>(c.size()), 1.0 / axes);
    Field field;
    for (int a = 0; a < axes; ++a)
        field.size[a] = std::max(static_cast<std::uint32_t>(side + 1e-6), 2u);
    return field;
}

Verdict within(double squares, double all, std::string_view what) {
    const double error = std::sqrt(squares / all);
    if (error <= kWithin) return {};
    return std::unexpected(
        fmt::format("{} is off by {:.3g}, more than {:.3g}", what, error, kWithin));
}

/// The spectrum, of which the first `stored` numbers along x are there, number by number. Of reals
/// the wave is a cosine, half of each direction.
Verdict is_spectrum(std::span<const glm::vec2> got, const Field& field, std::uint32_t stored,
                    bool reals) {
    Field half = field;
    half.size.x = stored;
    if (got.size() != half.count() * field.batch)
        return std::unexpected(fmt::format("the spectrum has {} numbers", got.size()));
    const auto impulse = phases(field, field.impulse(), -1.0);
    const auto spike = static_cast<double>(field.count()) * (reals ? 0.5 : 1.0);
    const glm::uvec4 opposite = (field.size - field.wave()) % field.size;
    double squares = 0.0;
    double all = 0.0;
    for (std::uint64_t i = 0; i < got.size(); ++i) {
        const glm::uvec4 place = half.at(i % half.count());
        Complex expected = field.strength() * product_at(impulse, place);
        if (place == field.wave()) expected += spike;
        if (reals && place == opposite) expected += spike;
        all += std::norm(expected);
        squares += std::norm(Complex(got[i].x, got[i].y) - expected);
    }
    return within(squares, all, "the spectrum");
}

Complex number_of(const Field& field, const std::vector<Phases>& wave, std::uint64_t i) {
    const glm::uvec4 place = field.at(i % field.count());
    const double impulse = place == field.impulse() ? field.strength() : 0.0;
    return product_at(wave, place) + impulse;
}

Input<glm::vec2> complex_input(CaseBuilder& c, const Field& field) {
    const auto wave = phases(field, field.wave(), 1.0);
    return c.input<glm::vec2>("field", field.count() * field.batch, [&](std::uint64_t i) {
        const Complex number = number_of(field, wave, i);
        return glm::vec2(number.real(), number.imag());
    });
}

template <typename T>
Verdict is_source(std::span<const T> got, std::span<const T> source) {
    if (got.size() != source.size())
        return std::unexpected(fmt::format("{} numbers came back", got.size()));
    double squares = 0.0;
    double all = 0.0;
    const auto add = [](double& sum, auto number) {
        if constexpr (std::is_same_v<T, float>)
            sum += static_cast<double>(number) * static_cast<double>(number);
        else
            sum +=
                static_cast<double>(number.x) * number.x + static_cast<double>(number.y) * number.y;
    };
    for (std::size_t i = 0; i < got.size(); ++i) {
        add(squares, got[i] - source[i]);
        add(all, source[i]);
    }
    return within(squares, all, "what came back");
}

void forward(CaseBuilder& c, const Field& field) {
    const auto source = complex_input(c, field);
    const Buffer spectrum =
        c.add(passes::FftForward{.source = source.buffer, .size = field.size, .batch = field.batch})
            .result;
    c.check<glm::vec2>("spectrum", spectrum, [field](std::span<const glm::vec2> got) {
        return is_spectrum(got, field, field.size.x, false);
    });
}

void there_and_back(CaseBuilder& c, const Field& field) {
    const auto source = complex_input(c, field);
    const Buffer spectrum =
        c.add(passes::FftForward{.source = source.buffer, .size = field.size}).result;
    const Buffer back = c.add(passes::FftInverse{.source = spectrum, .size = field.size}).result;
    c.check<glm::vec2>("spectrum", spectrum, [field](std::span<const glm::vec2> got) {
        return is_spectrum(got, field, field.size.x, false);
    });
    c.check<glm::vec2>("back", back, [source](std::span<const glm::vec2> got) {
        return is_source(got, source.values());
    });
}

void reals_there_and_back(CaseBuilder& c, const Field& field) {
    const auto wave = phases(field, field.wave(), 1.0);
    const auto source = c.input<float>("field", field.count(), [&](std::uint64_t i) {
        return static_cast<float>(number_of(field, wave, i).real());
    });
    const Buffer spectrum =
        c.add(passes::FftRealForward{.source = source.buffer, .size = field.size}).result;
    const Buffer back =
        c.add(passes::FftRealInverse{.source = spectrum, .size = field.size}).result;
    c.check<glm::vec2>("spectrum", spectrum, [field](std::span<const glm::vec2> got) {
        return is_spectrum(got, field, field.size.x / 2 + 1, true);
    });
    c.check<float>("back", back, [source](std::span<const float> got) {
        return is_source(got, source.values());
    });
}

} // namespace

void add_fft_cases(CaseList& cases) {
    constexpr std::uint64_t kMax = std::uint64_t{1} << 27; // 512^3
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 16,
                   .most = kMax});
    };
    const auto both = passes::FftInverse::kName;
    add(passes::FftForward::kName, "lines of 256",
        [](CaseBuilder& c) { forward(c, lines(c, 256)); });
    add(passes::FftForward::kName, "lines of 4096",
        [](CaseBuilder& c) { forward(c, lines(c, 4096)); });
    add(passes::FftForward::kName, "one line", [](CaseBuilder& c) {
        forward(c, {{static_cast<std::uint32_t>(c.size()), 1, 1, 1}, 1});
    });
    add(passes::FftForward::kName, "lines of 1009", [](CaseBuilder& c) {
        const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(1009, c.size()));
        forward(c, {{n, 1, 1, 1}, static_cast<std::uint32_t>(c.size() / n)});
    });
    add(passes::FftForward::kName, "four axes", [](CaseBuilder& c) { forward(c, box(c, 4)); });
    add(both, "square there and back", [](CaseBuilder& c) { there_and_back(c, box(c, 2)); });
    add(both, "cube there and back", [](CaseBuilder& c) { there_and_back(c, box(c, 3)); });
    add(passes::FftRealInverse::kName, "square of reals there and back",
        [](CaseBuilder& c) { reals_there_and_back(c, box(c, 2)); });
    add(passes::FftRealInverse::kName, "cube of reals there and back",
        [](CaseBuilder& c) { reals_there_and_back(c, box(c, 3)); });
}

} // namespace tuff::bench
