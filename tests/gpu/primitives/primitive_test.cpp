#include "primitive_test.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace tuff::testing_gpu {
namespace {

template <typename T>
T random_value(std::mt19937& random) {
    if constexpr (std::same_as<T, float>)
        return std::uniform_real_distribution<float>(-1000.0f, 1000.0f)(random);
    else
        return std::bit_cast<T>(static_cast<std::uint32_t>(random()));
}

template <typename T>
std::vector<T> special_values() {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::same_as<T, float>)
        return {Limits::quiet_NaN(),
                -Limits::quiet_NaN(),
                Limits::infinity(),
                -Limits::infinity(),
                0.0f,
                -0.0f,
                Limits::max(),
                Limits::lowest(),
                Limits::min(),
                -Limits::denorm_min()};
    else
        return {Limits::min(), Limits::max(), T{0}, T{1}, static_cast<T>(~T{0})};
}

} // namespace

template <typename T>
std::vector<T> make_values(std::size_t count, Pattern pattern, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<T> values(count);
    const T same = random_value<T>(random);
    const std::array<T, 3> few = {random_value<T>(random), same, T{0}};
    const std::vector<T> special = special_values<T>();
    for (T& value : values) {
        value = random_value<T>(random);
        const auto choice = static_cast<std::size_t>(random());
        if (pattern == Pattern::equal) value = same;
        if (pattern == Pattern::few) value = few[choice % few.size()];
        if (pattern == Pattern::special && choice % 2 == 0)
            value = special[choice / 2 % special.size()];
    }
    if (pattern == Pattern::sorted) std::ranges::sort(values);
    if (pattern == Pattern::reversed) std::ranges::sort(values, std::greater<>());
    return values;
}

template std::vector<std::uint32_t> make_values(std::size_t, Pattern, std::uint32_t);
template std::vector<std::int32_t> make_values(std::size_t, Pattern, std::uint32_t);
template std::vector<float> make_values(std::size_t, Pattern, std::uint32_t);

} // namespace tuff::testing_gpu
