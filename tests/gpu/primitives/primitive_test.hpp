#pragma once

#include "passes/primitives/elements.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the tests of the parallel primitives share: lengths at which kernels go wrong, contents at
/// which they go wrong, and arrays in and out of a graph.
namespace tuff::testing_gpu {

/// Around the sizes of a subgroup, a group, a tile and a round of tiles; primes; and some longer
/// ones, as far as software devices are quick enough.
inline std::vector<std::uint32_t> lengths() {
    return {0,   1,    2,    3,    4,    5,    31,    32,    33,    255,   256,
            257, 1021, 4095, 4096, 4097, 8191, 12289, 65535, 65536, 65537, 100003};
}

/// Some of them, where a test has many cases.
inline std::vector<std::uint32_t> few_lengths() {
    return {0, 1, 2, 33, 257, 4095, 4096, 4097, 20011};
}

/// Contents of an array.
enum class Pattern : std::uint8_t { random, sorted, reversed, equal, few, special };
inline constexpr Pattern kPatterns[] = {Pattern::random, Pattern::sorted, Pattern::reversed,
                                        Pattern::equal,  Pattern::few,    Pattern::special};

/// `special`: for floats NaN, infinities, signed zeros, denormals and the greatest numbers, for
/// integers the least and greatest, among random ones.
template <typename T>
std::vector<T> make_values(std::size_t count, Pattern pattern, std::uint32_t seed = 1);

extern template std::vector<std::uint32_t> make_values(std::size_t, Pattern, std::uint32_t);
extern template std::vector<std::int32_t> make_values(std::size_t, Pattern, std::uint32_t);
extern template std::vector<float> make_values(std::size_t, Pattern, std::uint32_t);

template <typename T>
constexpr passes::Element element_of() {
    if constexpr (std::same_as<T, std::int32_t>) return passes::Element::i32;
    if constexpr (std::same_as<T, float>) return passes::Element::f32;
    return passes::Element::u32;
}

/// Where the number of elements is known.
enum class Known : std::uint8_t { cpu, device };
inline constexpr Known kKnown[] = {Known::cpu, Known::device};

class PrimitiveTest : public GpuTest {
  protected:
    /// Many small cases run as one graph: making a graph's pipelines takes longer than running it.
    /// A case adds its nodes to `batch()` and looks at its outputs in `later`; names of outputs
    /// begin with `tag()`.
    Graph& batch() {
        if (!batch_) batch_.emplace(graph());
        return *batch_;
    }
    std::string tag() const { return std::to_string(checks_.size()) + "."; }
    void later(std::function<void(Running&)> check) { checks_.push_back(std::move(check)); }
    /// Runs the batch twice and makes the checks.
    void run_batch() {
        if (!batch_) return;
        Running running = run(std::move(*batch_), 2);
        batch_.reset();
        for (const auto& check : std::exchange(checks_, {}))
            if (running) check(running);
    }

    /// The values as a constant of the graph, with room for more after them, which holds rubbish
    /// that must not show in any result.
    template <typename T>
    Buffer array(Graph& g, std::string_view name, std::vector<T> values, std::size_t room = 0) {
        std::mt19937 random(99);
        while (values.size() < std::max<std::size_t>(room, 1))
            values.push_back(std::bit_cast<T>(static_cast<std::uint32_t>(random())));
        const auto bytes = bytes_of(values);
        return g.constant_buffer(name, {.size = bytes->size(), .stride = sizeof(T)}, bytes);
    }
    /// One word.
    Buffer count(Graph& g, std::uint32_t value) {
        return g.fill(g.buffer("count", {.size = 4, .stride = 4}), value, "count");
    }

  private:
    std::optional<Graph> batch_;
    std::vector<std::function<void(Running&)>> checks_;
};

/// The first `count` of `values`, or all where there are fewer.
template <typename T>
std::vector<T> first(std::vector<T> values, std::size_t count) {
    if (values.size() > count) values.resize(count);
    return values;
}

/// Where two arrays first differ, bit for bit, or "" where they do not.
template <typename T>
std::string difference(std::span<const T> got, std::span<const T> expected) {
    if (got.size() != expected.size())
        return "length " + std::to_string(got.size()) + " instead of " +
               std::to_string(expected.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        if (std::memcmp(&got[i], &expected[i], sizeof(T)) != 0)
            return "at " + std::to_string(i) + " " + std::to_string(got[i]) + " instead of " +
                   std::to_string(expected[i]);
    return {};
}
template <typename T>
std::string difference(const std::vector<T>& got, const std::vector<T>& expected) {
    return difference(std::span<const T>(got), std::span<const T>(expected));
}

} // namespace tuff::testing_gpu
