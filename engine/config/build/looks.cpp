#include "config/build/looks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace tuff {
namespace {

double number_of(const SettingOf& setting, std::string_view name) {
    const auto value = setting(name);
    if (!value) return 0.0;
    if (const auto* real = std::get_if<double>(&*value)) return *real;
    if (const auto* integer = std::get_if<std::int64_t>(&*value))
        return static_cast<double>(*integer);
    return 0.0;
}

/// Of a vector; components that it has not are 0.
Reach vector_of(const SettingOf& setting, std::string_view name) {
    Reach reach{};
    const auto value = setting(name);
    const auto* numbers = value ? std::get_if<std::vector<double>>(&*value) : nullptr;
    for (std::size_t axis = 0; numbers && axis < std::min(numbers->size(), reach.size()); ++axis)
        reach[axis] = static_cast<std::uint32_t>(std::max((*numbers)[axis], 0.0));
    return reach;
}

std::uint32_t whole(double number) {
    return static_cast<std::uint32_t>(std::max(number, 0.0));
}

/// To each side of a window of so many cells.
Reach half(Reach window) {
    for (std::uint32_t& cells : window)
        cells /= 2;
    return window;
}

bool is_choice(const SettingOf& setting, std::string_view name, std::string_view choice) {
    const auto value = setting(name);
    const auto* text = value ? std::get_if<std::string>(&*value) : nullptr;
    return text && *text == choice;
}

std::optional<Reach> of_gaussian(const SettingOf& setting) {
    // As passes::gaussian_radius.
    double radius = number_of(setting, "radius");
    if (radius <= 0.0) radius = std::clamp(std::ceil(3.0 * number_of(setting, "sigma")), 1.0, 8.0);
    return Reach{whole(radius), whole(radius), 0};
}

std::optional<Reach> of_kernel(const SettingOf& setting) {
    return half({whole(number_of(setting, "width")), whole(number_of(setting, "height")), 1});
}

std::optional<Reach> of_median(const SettingOf& setting) {
    const std::uint32_t window = whole(number_of(setting, "window"));
    return half({window, window, 1});
}

std::optional<Reach> of_box(const SettingOf& setting) {
    return vector_of(setting, "radius");
}

std::optional<Reach> of_volume_median(const SettingOf& setting) {
    return half(vector_of(setting, "window"));
}

std::optional<Reach> of_array_kernel(const SettingOf& setting) {
    return half(vector_of(setting, "kernel_size"));
}

/// Cells of a bilateral grid are of the whole array.
std::optional<Reach> of_bilateral(const SettingOf& setting) {
    if (is_choice(setting, "method", "grid")) return std::nullopt;
    return of_array_kernel(setting);
}

/// Both are image/convolve.
std::optional<Reach> of_high_pass(const SettingOf&) {
    return Reach{1, 1, 0};
}

/// Wider ones halve the picture: `needs_whole`.
constexpr double kWidestBlurWindow = 4.0;

std::optional<Reach> of_blur(const SettingOf& setting) {
    const double sigma = number_of(setting, "sigma");
    if (sigma >= kWidestBlurWindow) return std::nullopt;
    const std::uint32_t radius = whole(std::ceil(4.0 * sigma));
    return Reach{radius, radius, 0};
}

/// Round i looks two steps of 2^i texels away.
std::optional<Reach> of_denoise(const SettingOf& setting) {
    const std::uint32_t rounds = std::min(whole(number_of(setting, "rounds")), 24u);
    const std::uint32_t texels = 2 * ((1u << rounds) - 1);
    return Reach{texels, texels, 0};
}

std::optional<Reach> of_a_cell(const SettingOf&) {
    return Reach{};
}

struct Look {
    std::string_view pass;
    std::optional<Reach> (*of)(const SettingOf&);
};

constexpr std::array kLooks = {
    Look{"fft/from_image", of_a_cell},
    Look{"filter/bilateral", of_bilateral},
    Look{"filter/convolve", of_array_kernel},
    Look{"filter/volume_median", of_volume_median},
    Look{"image/blur", of_blur},
    Look{"image/box_filter", of_box},
    Look{"image/convolve", of_kernel},
    Look{"image/denoise", of_denoise},
    Look{"image/gaussian", of_gaussian},
    Look{"image/grayscale", of_a_cell},
    Look{"image/highboost", of_high_pass},
    Look{"image/highpass", of_high_pass},
    Look{"image/median", of_median},
    Look{"image/tonemap", of_a_cell},
};

constexpr std::array<std::string_view, 4> kOfTheWhole = {"filter/register", "image/bloom",
                                                         "image/reinhard", "image/seamless_clone"};

} // namespace

std::optional<Reach> look_of(std::string_view pass, const SettingOf& setting) {
    const auto* const found = std::ranges::find(kLooks, pass, &Look::pass);
    return found == kLooks.end() ? std::nullopt : found->of(setting);
}

bool needs_whole(std::string_view pass, const SettingOf& setting) {
    if (pass == "filter/bilateral") return is_choice(setting, "method", "grid");
    if (pass == "image/blur") return number_of(setting, "sigma") >= kWidestBlurWindow;
    return std::ranges::find(kOfTheWhole, pass) != kOfTheWhole.end();
}

} // namespace tuff
