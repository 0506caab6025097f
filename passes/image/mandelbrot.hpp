#pragma once

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

enum class MandelbrotForm : std::uint8_t {
    fast,        ///< one kernel with shortcuts
    single_pass, ///< one kernel, brute force
    cycles,      ///< one kernel that compares with the last numbers of the orbit
    brent,       ///< one kernel that compares with a single number of the orbit
    multi_pass,  ///< one kernel an iteration
    drawn,       ///< one drawing an iteration
    progressive, ///< some iterations an execution
};

enum class MandelbrotPalette : std::uint8_t { dusk, fire, rainbow, grey };

/// A picture of the Mandelbrot set. See `describe`.
struct Mandelbrot {
    static constexpr std::string_view kName = "image/mandelbrot";

    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    glm::vec2 center{-0.5f, 0.0f};
    float size = 2.5f;
    std::uint32_t iterations = 256;
    MandelbrotForm form = MandelbrotForm::fast;
    std::uint32_t steps = 16; ///< of an execution of the progressive form
    MandelbrotPalette palette = MandelbrotPalette::dusk;
    bool smooth = true;
    float exponent = 0.5f;
    float repeats = 2.0f;
    glm::vec3 inside{0.0f};
    Image result;
    Image orbit;

    static void describe(PassInfo<Mandelbrot>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::MandelbrotForm> {
    static constexpr std::array<std::string_view, 7> names{
        "fast", "single_pass", "cycles", "brent", "multi_pass", "drawn", "progressive"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::MandelbrotPalette> {
    static constexpr std::array<std::string_view, 4> names{"dusk", "fire", "rainbow", "grey"};
};
