#include "passes/fft/tables.hpp"

#include <complex>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <numbers>
#include <tuple>

namespace tuff::passes {
namespace {

using FftNumber = std::complex<double>;
using FftNumbers = std::vector<FftNumber>;

enum class TableKind : std::uint8_t { steps, long_lines, reals, chirp, chirp_spectrum };

/// What `make` makes, unless somebody holds it still.
FftTable shared_table(TableKind kind, std::uint32_t a, std::uint32_t b,
                      const std::function<FftNumbers()>& make) {
    using Key = std::tuple<TableKind, std::uint32_t, std::uint32_t>;
    static std::mutex mutex;
    static std::map<Key, std::weak_ptr<const std::vector<std::byte>>> known;
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const auto& one) { return one.second.expired(); });
    auto& entry = known[{kind, a, b}];
    if (auto held = entry.lock()) return held;

    std::vector<float> floats;
    for (const FftNumber& number : make()) {
        floats.push_back(static_cast<float>(number.real()));
        floats.push_back(static_cast<float>(number.imag()));
    }
    auto bytes = std::make_shared<std::vector<std::byte>>(floats.size() * sizeof(float));
    std::memcpy(bytes->data(), floats.data(), bytes->size());
    entry = bytes;
    return bytes;
}

/// exp(-2 pi i k / n)
FftNumber root_of_unity(std::uint64_t k, std::uint64_t n) {
    const double angle =
        -2.0 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
    return std::polar(1.0, angle);
}

/// The transform of numbers whose count has small factors.
FftNumbers transformed_on_host(FftNumbers numbers) {
    const std::uint64_t n = numbers.size();
    FftNumbers roots(n);
    for (std::uint64_t k = 0; k < n; ++k)
        roots[k] = root_of_unity(k, n);
    FftNumbers next(n);
    for (std::uint64_t span = 1, radix = 2; span < n; span *= radix) {
        while (n / span % radix != 0)
            ++radix;
        const std::uint64_t turn = n / (span * radix);
        for (std::uint64_t j = 0; j < n / radix; ++j) {
            const std::uint64_t phase = j % span;
            for (std::uint64_t k = 0; k < radix; ++k) {
                FftNumber sum = 0.0;
                for (std::uint64_t l = 0; l < radix; ++l)
                    sum += numbers[j + l * (n / radix)] * roots[l * (phase + k * span) * turn % n];
                next[j / span * span * radix + phase + k * span] = sum;
            }
        }
        std::swap(numbers, next);
    }
    return numbers;
}

FftNumber chirp_at(std::uint64_t k, std::uint64_t n) {
    return root_of_unity(k * k % (2 * n), 2 * n);
}

} // namespace

FftTable step_roots(std::uint32_t line, const std::vector<std::uint32_t>& radices) {
    std::uint32_t steps = 0; // at most six, of radices up to 16
    for (const std::uint32_t radix : radices)
        steps = steps << 5 | radix;
    return shared_table(TableKind::steps, line, steps, [&] {
        FftNumbers roots;
        const auto add = [&](auto first, auto last) {
            std::uint64_t span = *first;
            for (auto radix = std::next(first); radix != last; span *= *radix, ++radix)
                for (std::uint64_t k = 1; k < *radix; ++k)
                    for (std::uint64_t phase = 0; phase < span; ++phase)
                        roots.push_back(root_of_unity(k * phase, span * *radix));
        };
        add(radices.begin(), radices.end());
        add(radices.rbegin(), radices.rend());
        if (roots.empty()) roots.emplace_back(1.0);
        return roots;
    });
}

FftTable long_roots(std::uint32_t n, std::uint32_t bits) {
    return shared_table(TableKind::long_lines, n, bits, [&] {
        FftNumbers roots;
        for (std::uint64_t k = 0; k < std::uint64_t{1} << bits; ++k)
            roots.push_back(root_of_unity(k, n));
        for (std::uint64_t k = 0; k <= n >> bits; ++k)
            roots.push_back(root_of_unity(k << bits, n));
        return roots;
    });
}

FftTable real_roots(std::uint32_t n) {
    return shared_table(TableKind::reals, n, 0, [&] {
        FftNumbers roots;
        for (std::uint64_t k = 0; k <= n; ++k)
            roots.push_back(root_of_unity(k, 2 * std::uint64_t{n}));
        return roots;
    });
}

FftTable chirp(std::uint32_t n) {
    return shared_table(TableKind::chirp, n, 0, [&] {
        FftNumbers numbers;
        for (std::uint64_t k = 0; k < n; ++k)
            numbers.push_back(chirp_at(k, n));
        return numbers;
    });
}

FftTable chirp_spectrum(std::uint32_t n, std::uint32_t padded) {
    return shared_table(TableKind::chirp_spectrum, n, padded, [&] {
        FftNumbers numbers(padded);
        for (std::uint64_t k = 0; k < n; ++k) {
            const FftNumber value = std::conj(chirp_at(k, n)) / static_cast<double>(padded);
            numbers[k] = value;
            numbers[k == 0 ? 0 : padded - k] = value;
        }
        return transformed_on_host(std::move(numbers));
    });
}

} // namespace tuff::passes
