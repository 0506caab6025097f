#include "passes/filter/adaptive.hpp"
#include "passes/filter/bench_cases.hpp"
#include "passes/filter/color_wheel.hpp"
#include "passes/filter/glyphs.hpp"
#include "passes/filter/orientation.hpp"
#include "passes/filter/phantom.hpp"
#include "passes/filter/polar.hpp"
#include "passes/filter/slices.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

/// Structure of arrays, and what follows it: plane waves, whose tensors are known, and what adds up
/// to the source again.
namespace tuff::bench {
namespace {

using passes::FilterLocalStructure;
using passes::StructureForm;
using passes::TensorMethod;

/// About a cube of `size()` places.
glm::uvec4 structure_box(const CaseBuilder& c, int axes) {
    const double side = std::pow(static_cast<double>(c.size()), 1.0 / axes);
    glm::uvec4 box(1);
    for (int a = 0; a < axes; ++a)
        box[a] = std::max(static_cast<std::uint32_t>(side + 1e-6), 1u);
    return box;
}
glm::uvec4 structure_cube(std::uint32_t side, int axes) {
    glm::uvec4 cube(1);
    for (int a = 0; a < axes; ++a)
        cube[a] = side;
    return cube;
}
std::uint64_t count_in(glm::uvec4 box) {
    return std::uint64_t{box.x} * box.y * box.z * box.w;
}

/// No axis, no diagonal.
glm::vec4 wave_direction(int axes) {
    const glm::vec4 skew(0.8f, 0.45f, -0.3f, 0.25f);
    glm::vec4 direction(0.0f);
    for (int a = 0; a < axes; ++a)
        direction[a] = skew[a];
    return glm::normalize(direction);
}

Input<float> wave_input(CaseBuilder& c, glm::uvec4 box, int axes) {
    const glm::vec4 u = 0.5f * std::numbers::pi_v<float> * wave_direction(axes);
    return c.input<float>("wave", count_in(box), [&](std::uint64_t i) {
        const glm::uvec4 at(i % box.x, i / box.x % box.y, i / (box.x * box.y) % box.z,
                            i / (std::uint64_t{box.x} * box.y * box.z));
        return std::cos(glm::dot(u, glm::vec4(at)));
    });
}

/// u u^T, but for what the filters' cut spectra leave, at some places in the interior.
Verdict is_wave_tensor(std::span<const float> got, glm::uvec4 box, int axes, std::uint32_t kernel) {
    const std::uint64_t places = count_in(box);
    const glm::vec4 u = wave_direction(axes);
    const std::uint32_t reach = kernel / 2;
    for (std::uint64_t trial = 0; trial < 512; ++trial) {
        std::uint64_t place = 0;
        for (int a = 3; a >= 0; --a) {
            if (a < axes && box[a] < kernel) return {}; // no interior
            const std::uint32_t at =
                a < axes ? reach + hash32(4 * trial + static_cast<std::uint64_t>(a)) %
                                       (box[a] - 2 * reach)
                         : 0;
            place = place * box[a] + at;
        }
        std::uint64_t component = 0;
        for (int i = 0; i < axes; ++i)
            for (int j = i; j < axes; ++j) {
                const float value = got[component++ * places + place];
                if (!(std::abs(value - u[i] * u[j]) <= 0.08f))
                    return std::unexpected(fmt::format("component {} {} at place {} is {:.3f}, not "
                                                       "{:.3f}",
                                                       i, j, place, value, u[i] * u[j]));
            }
    }
    return {};
}

void local_structure(CaseBuilder& c, int axes, std::uint32_t kernel, TensorMethod method,
                     StructureForm form) {
    const glm::uvec4 box = structure_box(c, axes);
    const auto source = wave_input(c, box, axes);
    const Buffer tensor = c.add(FilterLocalStructure{.source = source.buffer,
                                                     .method = method,
                                                     .size = box,
                                                     .kernel_size = structure_cube(kernel, axes),
                                                     .form = form})
                              .tensor;
    c.check<float>("tensor", tensor, [=](std::span<const float> got) {
        return is_wave_tensor(got, box, axes, kernel);
    });
}

/// All responses of a direction are as large as those of a wave along it.
void structure_tensor(CaseBuilder& c, std::uint32_t dimensions) {
    const auto places = static_cast<std::uint32_t>(c.size());
    const auto responses = c.input<float>(
        "responses",
        std::uint64_t{passes::tensor_responses(TensorMethod::monomial, dimensions)} * places,
        [&](std::uint64_t i) { return i < places ? 2.0f : 0.0f; }); // along x
    const Buffer tensor = c.add(passes::FilterStructureTensor{.responses = responses.buffer,
                                                              .method = TensorMethod::monomial,
                                                              .dimensions = dimensions,
                                                              .size = {places, 1, 1, 1}})
                              .tensor;
    c.check<float>("tensor", tensor, [places](std::span<const float> got) {
        std::vector<double> expected(got.size(), 0.0);
        std::fill_n(expected.begin(), places, 2.0); // xx alone
        return near(got, expected, {.absolute = 1e-5});
    });
}

/// 3 v v^T + I of a direction of its own at each place.
void orientation(CaseBuilder& c, std::uint32_t dimensions) {
    const auto places = static_cast<std::uint32_t>(c.size());
    const auto direction = [dimensions](std::uint64_t place) {
        glm::vec4 v(0.0f);
        for (std::uint32_t a = 0; a < dimensions; ++a)
            v[static_cast<int>(a)] = hash_unit(4 * place + a) - 0.3f;
        return glm::normalize(v);
    };
    const std::uint32_t components = passes::tensor_components(dimensions);
    const auto tensor =
        c.input<float>("tensor", std::uint64_t{components} * places, [&](std::uint64_t i) {
            std::uint64_t component = i / places;
            int row = 0;
            while (component >= dimensions - static_cast<std::uint32_t>(row))
                component -= dimensions - static_cast<std::uint32_t>(row++);
            const int column = row + static_cast<int>(component);
            const glm::vec4 v = direction(i % places);
            return 3.0f * v[row] * v[column] + (row == column ? 1.0f : 0.0f);
        });
    const auto found = c.add(passes::FilterOrientation{
        .tensor = tensor.buffer, .dimensions = dimensions, .size = {places, 1, 1, 1}});
    c.check<float>("values", found.values, [places](std::span<const float> got) {
        std::vector<double> expected(got.size(), 1.0);
        std::fill_n(expected.begin(), places, 4.0);
        return near(got, expected, {.absolute = 2e-5});
    });
    c.check<float>("vector", found.vector, [=](std::span<const float> got) -> Verdict {
        for (std::uint64_t place = 0; place < places; ++place) {
            float cosine = 0.0f;
            for (std::uint32_t a = 0; a < dimensions; ++a)
                cosine += got[a * places + place] * direction(place)[static_cast<int>(a)];
            if (!(std::abs(cosine) > 0.99999f))
                return std::unexpected(fmt::format("the direction of place {} is off", place));
        }
        return {};
    });
}

void polar(CaseBuilder& c) {
    const auto places = static_cast<std::uint32_t>(c.size());
    const auto angle = [](std::uint64_t place) {
        return 6.0 * static_cast<double>(hash_unit(place)) - 3.0;
    };
    const auto source = c.input<float>("pairs", 2 * std::uint64_t{places}, [&](std::uint64_t i) {
        const double phase = angle(i % places);
        return static_cast<float>(2.0 * (i < places ? std::cos(phase) : std::sin(phase)));
    });
    const auto found =
        c.add(passes::FilterPolar{.responses = source.buffer, .size = {places, 1, 1, 1}});
    c.check<float>("magnitude", found.magnitude, [](std::span<const float> got) {
        return near(got, std::vector<double>(got.size(), 2.0), {.absolute = 1e-5});
    });
    c.check<float>("phase", found.phase, [angle](std::span<const float> got) {
        std::vector<double> expected;
        for (std::uint64_t i = 0; i < got.size(); ++i)
            expected.push_back(angle(i));
        return near(got, expected, {.absolute = 1e-3});
    });
}

/// With noise 0 and nothing held back, the filters add up to the source.
void adaptive(CaseBuilder& c, int axes, std::uint32_t kernel) {
    const glm::uvec4 box = structure_box(c, axes);
    const auto source = c.input<float>("source", count_in(box),
                                       [](std::uint64_t i) { return hash_unit(i) - 0.5f; });
    const Buffer result = c.add(passes::FilterAdaptive{.source = source.buffer,
                                                       .size = box,
                                                       .kernel_size = structure_cube(kernel, axes),
                                                       .noise = 0.0f,
                                                       .spread = {0.0f, 2.0f, 1.0f}})
                              .result;
    c.check<float>("result", result, [source](std::span<const float> got) {
        const std::vector<double> expected(source.values().begin(), source.values().end());
        return near(got, expected, {.absolute = 1e-3});
    });
}

/// Noise of the standard deviation, over numbers that are those of the parts.
void phantom(CaseBuilder& c, passes::PhantomShape shape) {
    const auto pass =
        c.add(passes::FilterPhantom{.shape = shape, .size = structure_box(c, 4), .noise = 0.5f});
    c.output("noisy", pass.result);
    c.output("reference", pass.reference);
    c.check([](CaseResults& results) -> Verdict {
        const auto noisy = results.read<float>("noisy");
        const auto reference = results.read<float>("reference");
        double squares = 0.0;
        for (std::size_t i = 0; i < noisy.size(); ++i) {
            if (!(reference[i] >= 0.0f && reference[i] <= 1.0f))
                return std::unexpected(fmt::format("voxel {} is {}", i, reference[i]));
            squares += std::pow(static_cast<double>(noisy[i] - reference[i]), 2);
        }
        const auto count = static_cast<double>(noisy.size());
        // Six standard deviations of a variance's estimate.
        return near(squares / count, 0.25, {.absolute = 0.25 * 6.0 * std::sqrt(2.0 / count)});
    });
}

Input<float> constant_tensor(CaseBuilder& c, std::uint64_t places, std::vector<float> components) {
    return c.input<float>("tensor", places * components.size(),
                          [&](std::uint64_t i) { return components[i / places]; });
}

Verdict is_even(const HostImage& image, std::array<double, 4> color) {
    const std::vector<std::array<double, 4>> all(
        std::size_t{image.extent.width} * image.extent.height, color);
    return near(image, all, {.absolute = 0.01});
}

void color_wheel(CaseBuilder& c) {
    const glm::uvec2 size(c.side());
    const auto tensor = constant_tensor(c, std::uint64_t{size.x} * size.y, {0.0f, 0.0f, 1.0f});
    c.check("wheel", c.add(passes::FilterColorWheel{.tensor = tensor.buffer, .size = size}).result,
            [](const HostImage& image) {
                return is_even(image, {0.0, 1.0, 1.0, 1.0});
            });
}

void slices(CaseBuilder& c) {
    const glm::uvec4 size(c.side(), c.side(), 1, 1);
    const auto source =
        c.input<float>("source", count_in(size), [](std::uint64_t) { return 0.6f; });
    c.check("slices", c.add(passes::FilterSlices{.source = source.buffer, .size = size}).result,
            [](const HostImage& image) {
                return is_even(image, {0.6, 0.6, 0.6, 1.0});
            });
}

/// Spheres that fill a cube's cells: seen along an axis they cover pi 0.48^2 of its shadow.
void glyphs(CaseBuilder& c) {
    const std::uint32_t side = c.side();
    const auto tensor = constant_tensor(c, 16 * 16 * 16, {1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 1.0f});
    c.check("glyphs",
            c.add(passes::FilterGlyphs{.tensor = tensor.buffer,
                                       .dimensions = 3,
                                       .size = {16, 16, 16, 1},
                                       .step = 4,
                                       .width = side,
                                       .height = side,
                                       .shape = passes::GlyphShape::variation,
                                       .yaw = 0.0f,
                                       .pitch = 0.0f})
                .result,
            [side](const HostImage& image) {
                double lit = 0.0;
                for (std::uint32_t y = 0; y < side; ++y)
                    for (std::uint32_t x = 0; x < side; ++x)
                        lit += image.texel(x, y)[0] > 0.0f ? 1.0 : 0.0;
                const double share = std::numbers::pi * 0.48 * 0.48 / 3.0;
                return near(lit / side / side, share, {.absolute = 0.02 + 2.0 / side});
            });
}

} // namespace

void add_filter_kernel_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build, std::uint64_t least,
                         std::uint64_t most, std::uint64_t most_on_software) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = least,
                   .most = most,
                   .most_on_software = most_on_software});
    };
    using enum TensorMethod;
    using enum StructureForm;
    constexpr std::uint64_t kSmall = std::uint64_t{1} << 14;
    constexpr std::uint64_t kMillion = std::uint64_t{1} << 20;
    const auto structure = FilterLocalStructure::kName;
    for (const auto form : {stored, fused}) {
        const std::string how = form == fused ? " fused" : " stored";
        add(
            structure, "image 9x9" + how,
            [=](CaseBuilder& c) { local_structure(c, 2, 9, quadrature, form); }, 256, kMillion << 4,
            kSmall << 2);
        add(
            structure, "volume 9^3" + how,
            [=](CaseBuilder& c) { local_structure(c, 3, 9, quadrature, form); }, 1000,
            kMillion << 4, kSmall);
        add(
            structure, "monomials 7^4" + how,
            [=](CaseBuilder& c) { local_structure(c, 4, 7, monomial, form); }, 4096, kMillion << 4,
            kSmall);
    }
    for (const std::uint32_t d : {2u, 3u, 4u}) {
        const std::string axes = fmt::format("{} axes", d);
        add(
            passes::FilterStructureTensor::kName, axes,
            [d](CaseBuilder& c) { structure_tensor(c, d); }, 1, kMillion << 4, kMillion);
        add(
            passes::FilterOrientation::kName, axes, [d](CaseBuilder& c) { orientation(c, d); }, 1,
            kMillion << 4, kMillion);
    }
    add(passes::FilterPolar::kName, "pairs", polar, 1, kMillion << 6, kMillion);
    add(
        passes::FilterAdaptive::kName, "image 9x9", [](CaseBuilder& c) { adaptive(c, 2, 9); }, 256,
        kMillion << 4, kSmall << 2);
    add(
        passes::FilterAdaptive::kName, "volume 7^3", [](CaseBuilder& c) { adaptive(c, 3, 7); },
        1000, kMillion << 4, kSmall);
    add(
        passes::FilterAdaptive::kName, "over time 7^4", [](CaseBuilder& c) { adaptive(c, 4, 7); },
        4096, kMillion << 3, kSmall);
    add(
        passes::FilterPhantom::kName, "thorax",
        [](CaseBuilder& c) { phantom(c, passes::PhantomShape::thorax); }, 256, kMillion << 6,
        kMillion);
    add(
        passes::FilterPhantom::kName, "helix",
        [](CaseBuilder& c) { phantom(c, passes::PhantomShape::helix); }, 256, kMillion << 6,
        kMillion);
    add(passes::FilterColorWheel::kName, "picture", color_wheel, 1, kMillion << 4, kMillion);
    add(passes::FilterSlices::kName, "slice", slices, 1, kMillion << 4, kMillion);
    add(passes::FilterGlyphs::kName, "spheres", glyphs, 4096, kMillion << 4, kMillion);
}

} // namespace tuff::bench
