#include "tests/gpu/fft/fft_test.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <ranges>

namespace tuff::testing_gpu {
namespace {

/// Slowest first, as FFTW has it.
std::vector<int> reversed(const Sizes& size) {
    return {size.rbegin(), size.rend()};
}
fftw_complex* pointer(Complexes& numbers) {
    return reinterpret_cast<fftw_complex*>(numbers.data());
}
template <typename Numbers>
double relative(const Numbers& got, const Numbers& expected) {
    if (got.size() != expected.size()) return INFINITY;
    double difference = 0.0;
    double all = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        difference += std::norm(got[i] - expected[i]);
        all += std::norm(expected[i]);
    }
    return std::sqrt(difference / std::max(all, 1e-300));
}

} // namespace

Complexes random_complexes(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    Complexes numbers(count);
    for (auto& number : numbers)
        number = {static_cast<double>(value(random)), static_cast<double>(value(random))};
    return numbers;
}

Reals random_reals(std::size_t count, std::uint32_t seed) {
    Reals numbers(count);
    std::ranges::transform(random_complexes(count, seed), numbers.begin(),
                           [](const std::complex<double>& number) { return number.real(); });
    return numbers;
}

Complexes fftw(Complexes numbers, const Sizes& size, int sign, int batch) {
    const std::vector<int> sides = reversed(size);
    const int count = static_cast<int>(count_of(size));
    const fftw_plan plan = fftw_plan_many_dft(static_cast<int>(sides.size()), sides.data(), batch,
                                              pointer(numbers), nullptr, 1, count, pointer(numbers),
                                              nullptr, 1, count, sign, FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    return numbers;
}

Complexes fftw_real(const Reals& numbers, const Sizes& size, int batch) {
    const std::vector<int> sides = reversed(size);
    const int count = static_cast<int>(count_of(size));
    const int half = count / size[0] * (size[0] / 2 + 1);
    Reals source = numbers;
    Complexes result(static_cast<std::size_t>(half) * static_cast<std::size_t>(batch));
    const fftw_plan plan =
        fftw_plan_many_dft_r2c(static_cast<int>(sides.size()), sides.data(), batch, source.data(),
                               nullptr, 1, count, pointer(result), nullptr, 1, half, FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    return result;
}

Reals fftw_real_inverse(Complexes half_spectrum, const Sizes& size, int batch) {
    const std::vector<int> sides = reversed(size);
    const int count = static_cast<int>(count_of(size));
    const int half = count / size[0] * (size[0] / 2 + 1);
    Reals result(static_cast<std::size_t>(count) * static_cast<std::size_t>(batch));
    const fftw_plan plan = fftw_plan_many_dft_c2r(static_cast<int>(sides.size()), sides.data(),
                                                  batch, pointer(half_spectrum), nullptr, 1, half,
                                                  result.data(), nullptr, 1, count, FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    return result;
}

template <typename Numbers>
Numbers padded(const Numbers& numbers, const Sizes& from, const Sizes& to, int batch) {
    const std::size_t count = count_of(to);
    Numbers result(count * static_cast<std::size_t>(batch));
    for (std::size_t i = 0; i < result.size(); ++i) {
        std::size_t rest = i % count;
        std::size_t at = i / count * count_of(from);
        std::size_t pitch = 1;
        bool inside = true;
        for (std::size_t a = 0; a < to.size(); ++a) {
            const auto wide = static_cast<std::size_t>(to[a]);
            const auto room = static_cast<std::size_t>(from[a]);
            inside = inside && rest % wide < room;
            at += rest % wide * pitch;
            pitch *= room;
            rest /= wide;
        }
        if (inside) result[i] = numbers[at];
    }
    return result;
}
template Complexes padded(const Complexes&, const Sizes&, const Sizes&, int);
template Reals padded(const Reals&, const Sizes&, const Sizes&, int);

double relative_error(const Complexes& got, const Complexes& expected) {
    return relative(got, expected);
}
double relative_error(const Reals& got, const Reals& expected) {
    return relative(got, expected);
}

/// Each of log2(n) levels of butterflies rounds a product by a rounded root and a sum, about 2^-24
/// each, so the worst is a small multiple of log2(n) 2^-24; errors of random sign add up to its
/// square root. The first level of a length has two roundings of its own.
double error_bound(double count) {
    return (std::log2(count) + 1.0) * 0x1p-24;
}

glm::uvec4 as_vector(const Sizes& size) {
    glm::uvec4 all(1);
    for (std::size_t a = 0; a < size.size(); ++a)
        all[static_cast<int>(a)] = static_cast<std::uint32_t>(size[a]);
    return all;
}

std::size_t count_of(const Sizes& size) {
    return std::accumulate(size.begin(), size.end(), std::size_t{1}, [](std::size_t all, int side) {
        return all * static_cast<std::size_t>(side);
    });
}

Buffer FftTest::complexes(Graph& g, std::string_view name, const Complexes& numbers) {
    std::vector<float> floats;
    for (const auto& number : numbers) {
        floats.push_back(static_cast<float>(number.real()));
        floats.push_back(static_cast<float>(number.imag()));
    }
    return g.constant_buffer(name, {.size = floats.size() * 4, .stride = 8}, bytes_of(floats));
}

Buffer FftTest::reals(Graph& g, std::string_view name, const Reals& numbers) {
    const std::vector<float> floats(numbers.begin(), numbers.end());
    return g.constant_buffer(name, {.size = floats.size() * 4, .stride = 4}, bytes_of(floats));
}

Complexes FftTest::complexes(Running& running, std::string_view output) {
    const std::vector<float> floats = running.buffer<float>(output);
    Complexes numbers(floats.size() / 2);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = {static_cast<double>(floats[2 * i]), static_cast<double>(floats[2 * i + 1])};
    return numbers;
}

Reals FftTest::reals(Running& running, std::string_view output) {
    const std::vector<float> floats = running.buffer<float>(output);
    return {floats.begin(), floats.end()};
}

Graph& FftTest::batch() {
    if (!batch_) batch_.emplace(graph());
    return *batch_;
}

void FftTest::run_batch() {
    if (!batch_) return;
    Running running = run(std::move(*batch_), 2);
    batch_.reset();
    for (const auto& check : std::exchange(checks_, {}))
        if (running) check(running);
}

std::vector<std::string> FftTest::codes_of(Graph g) {
    const auto plan = compile(std::move(g).finish(), device().caps());
    std::vector<std::string> found;
    if (!plan)
        for (const Diagnostic& one : plan.error())
            found.push_back(one.code);
    return found;
}

} // namespace tuff::testing_gpu
