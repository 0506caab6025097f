#include "apps/bench/checks.hpp"
#include "passes/occlusion/ambient.hpp"
#include "passes/occlusion/cube_means.hpp"
#include "passes/occlusion/followed.hpp"
#include "passes/occlusion/opacity.hpp"
#include "passes/occlusion/refined.hpp"
#include "passes/occlusion/spheres.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

/// Cubes of as many voxels as the case has elements.
namespace tuff::bench {
namespace {

constexpr std::uint32_t kCheckedVoxels = 12;

/// A cube of opacities, read by checks in double precision; beyond it all is open.
struct OpacityCube {
    int side = 1;
    std::shared_ptr<const std::vector<std::byte>> bytes;
    Image image;

    double at(glm::ivec3 voxel) const {
        if (glm::clamp(voxel, glm::ivec3(0), glm::ivec3(side - 1)) != voxel) return 0.0;
        const auto index = static_cast<std::size_t>((voxel.z * side + voxel.y) * side + voxel.x);
        return std::to_integer<int>((*bytes)[index]) / 255.0;
    }
    double mean(glm::ivec3 low, int width) const {
        double sum = 0.0;
        for (int z = 0; z < width; ++z)
            for (int y = 0; y < width; ++y)
                for (int x = 0; x < width; ++x)
                    sum += at(low + glm::ivec3(x, y, z));
        return sum / std::pow(static_cast<double>(width), 3.0);
    }
    glm::ivec3 checked(std::uint32_t i) const {
        const auto one = [&](std::uint32_t k) {
            return static_cast<int>(hash32(3 * i + k) % static_cast<std::uint32_t>(side));
        };
        return {one(0), one(1), one(2)};
    }
};

/// Blobs of eight voxels, most of them empty.
OpacityCube opacity_cube(CaseBuilder& c, const std::function<std::uint8_t(glm::ivec3)>& opacity) {
    OpacityCube cube;
    cube.side = std::max(static_cast<int>(std::lround(std::cbrt(c.size()))), 1);
    auto bytes = std::make_shared<std::vector<std::byte>>();
    for (int z = 0; z < cube.side; ++z)
        for (int y = 0; y < cube.side; ++y)
            for (int x = 0; x < cube.side; ++x)
                bytes->push_back(std::byte(opacity({x, y, z})));
    cube.bytes = bytes;
    const auto side = static_cast<std::uint32_t>(cube.side);
    cube.image = c.graph().constant_image(
        "opacity",
        {.format = Format::r8_unorm, .extent = {side, side, side}, .shape = ImageShape::d3},
        cube.bytes);
    return cube;
}

std::uint8_t blobs(glm::ivec3 voxel) {
    const glm::ivec3 blob = voxel / 8;
    const std::uint32_t word =
        hash32(static_cast<std::uint32_t>(blob.x + 256 * (blob.y + 256 * blob.z)));
    return static_cast<std::uint8_t>(word % 4 == 0 ? word >> 8 & 127 : 0);
}

/// Compares some voxels of the result.
void check_voxels(CaseBuilder& c, Image image, const OpacityCube& cube, double tolerance,
                  std::function<double(glm::ivec3)> expected) {
    c.check("result", image, [=](const HostImage& got) -> Verdict {
        for (std::uint32_t i = 0; i < kCheckedVoxels; ++i) {
            const glm::ivec3 voxel = cube.checked(i);
            const glm::uvec3 at(voxel);
            const auto found = static_cast<double>(got.texel(at.x, at.y, at.z)[0]);
            const double wanted = expected(voxel);
            if (!(std::abs(found - wanted) <= tolerance))
                return std::unexpected(fmt::format("voxel {}, {}, {} is {}, not {}", voxel.x,
                                                   voxel.y, voxel.z, found, wanted));
        }
        return {};
    });
}

/// The mean over the symmetric cube about a voxel, of texels of 2^halvings voxels.
double symmetric_mean(const OpacityCube& cube, glm::ivec3 voxel, int level, int halvings) {
    const int texel = 1 << halvings;
    const int width = 1 << level;
    const glm::dvec3 begin = (glm::dvec3(voxel) + 0.5 - 0.5 * width) / static_cast<double>(texel);
    const glm::dvec3 low = glm::floor(begin);
    double sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        const glm::dvec3 corner(i & 1, i >> 1 & 1, i >> 2);
        const glm::dvec3 part = glm::mix(1.0 - (begin - low), begin - low, corner);
        const double weight = part.x * part.y * part.z;
        if (weight > 0.0) sum += weight * cube.mean(glm::ivec3(low + corner) * texel, width);
    }
    return sum;
}

/// Six shells of cubes.
void check_shells(CaseBuilder& c, Image image, const OpacityCube& cube, double growth, int mips) {
    const int levels = std::min(6, static_cast<int>(std::floor(std::log2(cube.side))));
    // Seven levels of 16 bits, each shell 8/7 of one less 1/7 of another with an exponent of up to
    // 5; a sampler's weights may have 8 bits.
    check_voxels(c, image, cube, 3e-3, [=](glm::ivec3 voxel) {
        double open = 1.0;
        double inner = cube.at(voxel);
        for (int level = 1; level <= levels; ++level) {
            const double outer = symmetric_mean(cube, voxel, level, std::min(level, mips));
            const double shell = std::clamp((8.0 * outer - inner) / 7.0, 0.0, 1.0);
            open *= std::pow(1.0 - shell, std::pow(growth, level - 1.0));
            inner = outer;
        }
        return open;
    });
}

void ambient(CaseBuilder& c, passes::OcclusionMethod method, int mips) {
    const OpacityCube cube = opacity_cube(c, blobs);
    passes::OcclusionAmbient pass{.opacity = cube.image, .shells = 6, .method = method};
    pass.mips = static_cast<std::uint32_t>(mips);
    pass = c.add(pass);
    check_shells(c, pass.result, cube, static_cast<double>(pass.growth), mips);
}

void summed(CaseBuilder& c) {
    const OpacityCube cube = opacity_cube(c, blobs);
    passes::OcclusionAmbient pass{.opacity = cube.image, .shells = 6};
    pass.method = passes::OcclusionMethod::summed;
    const double growth = static_cast<double>(pass.growth);
    const int levels = std::min(6, static_cast<int>(std::floor(std::log2(cube.side))));
    check_voxels(c, c.add(pass).result, cube, 2e-4, [=](glm::ivec3 voxel) {
        double open = 1.0;
        double inner = cube.at(voxel);
        double before = 1.0;
        for (int level = 1; level <= levels; ++level) {
            const int half_width = 1 << (level - 1);
            const double width = 2.0 * half_width + 1.0;
            const double ratio = std::pow(before / width, 3.0);
            const double outer = cube.mean(voxel - half_width, 2 * half_width + 1);
            const double shell = std::clamp((outer - ratio * inner) / (1.0 - ratio), 0.0, 1.0);
            open *= std::pow(1.0 - shell, std::pow(growth, level - 1.0));
            inner = outer;
            before = width;
        }
        return open;
    });
}

void cube_means(CaseBuilder& c, std::uint32_t levels) {
    const OpacityCube cube = opacity_cube(c, blobs);
    passes::OcclusionCubeMeans pass{.opacity = cube.image, .level = levels};
    const int level =
        std::min(static_cast<int>(levels), static_cast<int>(std::floor(std::log2(cube.side))));
    const int width = 1 << level;
    check_voxels(c, c.add(pass).result, cube, 1e-4,
                 [=](glm::ivec3 voxel) { return cube.mean(voxel + 1 - width, width); });
}

/// Opacities that are made in each execution, and stay as they are.
void followed(CaseBuilder& c) {
    const OpacityCube cube = opacity_cube(c, blobs);
    passes::OcclusionOpacity opacity{.source = cube.image};
    opacity.transfer = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    const passes::OcclusionFollowed pass =
        c.add(passes::OcclusionFollowed{.opacity = c.graph().add(opacity).result}, "followed");
    c.time_only("followed/");
    check_shells(c, pass.result, cube, static_cast<double>(pass.growth), 0);
    c.check<std::uint32_t>("dirty", pass.dirty, [](std::span<const std::uint32_t> dirty) {
        if (!dirty.empty() && std::ranges::count(dirty, 0u) == std::ssize(dirty)) return Verdict();
        return Verdict(std::unexpected("a brick was computed again"));
    });
}

/// The mean of frames with the same rays is what one of them finds.
void refined(CaseBuilder& c) {
    const OpacityCube cube = opacity_cube(c, blobs);
    const passes::OcclusionRefined pass =
        c.add(passes::OcclusionRefined{.opacity = cube.image}, "refined");
    c.time_only("refined/");
    passes::OcclusionRays once{.opacity = cube.image, .rays = pass.rays};
    once.turn = 1.0f;
    c.output("once", c.graph().add(once).result);
    c.output("mean", pass.result);
    c.add_cost({.bytes = 4.0 * static_cast<double>(c.size()),
                .operations = static_cast<double>(pass.rays) * static_cast<double>(c.size())});
    c.check([](CaseResults& results) -> Verdict {
        const HostImage once_found = results.read_image("once");
        const HostImage mean = results.read_image("mean");
        if (mean.empty() || mean.texels.size() != once_found.texels.size())
            return std::unexpected("there is no result");
        double sum = 0.0;
        const Extent extent = mean.extent;
        for (std::uint32_t z = 0; z < extent.depth; ++z)
            for (std::uint32_t x = 0; x < extent.width; ++x) {
                const std::uint32_t y = hash32(x + 4096 * z) % extent.height;
                const double wanted = static_cast<double>(once_found.texel(x, y, z)[0]);
                sum += wanted;
                const Verdict close =
                    near(static_cast<double>(mean.texel(x, y, z)[0]), wanted, {.absolute = 1e-5});
                if (!close) return close;
            }
        const double share = sum / (static_cast<double>(extent.width) * extent.depth);
        if (share > 0.01 && share < 0.99) return {};
        return std::unexpected(fmt::format("the mean openness is {}", share));
    });
}

void opacities(CaseBuilder& c) {
    const OpacityCube cube = opacity_cube(c, blobs);
    passes::OcclusionOpacity pass{.source = cube.image};
    pass.transfer = {0.1f, 0.0f, 0.0f, 0.0f, 0.0f, 0.5f, 1.0f, 1.0f, 1.0f, 0.8f};
    check_voxels(c, c.add(pass).result, cube, 1e-5, [=](glm::ivec3 voxel) {
        return 2.0 * std::clamp(cube.at(voxel) - 0.1, 0.0, 0.4);
    });
}

/// Through an even medium, where the way to the end says it all.
void rays(CaseBuilder& c) {
    constexpr std::uint32_t kRays = 64;
    constexpr std::uint8_t kEven = 5;
    const OpacityCube cube = opacity_cube(c, [](glm::ivec3) { return kEven; });
    passes::OcclusionRays pass{.opacity = cube.image, .rays = kRays, .own = true};
    check_voxels(c, c.add(pass).result, cube, 1e-4, [=](glm::ivec3 voxel) {
        double sum = 0.0;
        for (std::uint32_t i = 0; i < kRays; ++i) {
            const double z = 1.0 - (2.0 * i + 1.0) / kRays;
            const double angle = (i * 2654435769u >> 8) * (2.0 * std::numbers::pi / 16777216.0);
            const double beside = std::sqrt(1.0 - z * z);
            const glm::dvec3 ray(beside * std::cos(angle), beside * std::sin(angle), z);
            double way = 1e9;
            for (int axis = 0; axis < 3; ++axis)
                way = std::min(
                    way, (ray[axis] > 0.0 ? cube.side - voxel[axis] - 0.5 : voxel[axis] + 0.5) /
                             std::abs(ray[axis]));
            sum += std::pow(1.0 - kEven / 255.0, way);
        }
        return sum / kRays;
    });
}

void spheres(CaseBuilder& c) {
    constexpr int kRadius = 6;
    const OpacityCube cube = opacity_cube(c, blobs);
    passes::OcclusionSpheres pass{.opacity = cube.image, .radius = kRadius};
    check_voxels(c, c.add(pass).result, cube, 1e-5, [=](glm::ivec3 voxel) {
        double sums[kRadius + 1] = {};
        double counts[kRadius + 1] = {};
        for (int z = -kRadius; z <= kRadius; ++z)
            for (int y = -kRadius; y <= kRadius; ++y)
                for (int x = -kRadius; x <= kRadius; ++x) {
                    const auto shell = std::lround(std::sqrt(x * x + y * y + z * z));
                    if (shell > kRadius) continue;
                    sums[shell] += cube.at(voxel + glm::ivec3(x, y, z));
                    counts[shell] += 1.0;
                }
        double open = 1.0;
        for (int r = 1; r <= kRadius; ++r)
            open *= 1.0 - sums[r] / counts[r];
        return open;
    });
}

} // namespace

void add_occlusion_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build, std::uint64_t most) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .most = most,
                   .most_on_software = std::uint64_t{1} << 15});
    };
    constexpr std::uint64_t kMax = std::uint64_t{1} << 27; // 512 cubed
    using passes::OcclusionMethod;
    add(passes::OcclusionOpacity::kName, "ramp", opacities, kMax);
    for (const std::uint32_t level : {3u, 6u})
        add(
            passes::OcclusionCubeMeans::kName, fmt::format("n_buffer to level {}", level),
            [level](CaseBuilder& c) { cube_means(c, level); }, kMax);
    add(
        passes::OcclusionAmbient::kName, "n_buffer",
        [](CaseBuilder& c) { ambient(c, OcclusionMethod::n_buffer, 0); }, kMax);
    add(
        passes::OcclusionAmbient::kName, "mip",
        [](CaseBuilder& c) { ambient(c, OcclusionMethod::mip, 6); }, kMax);
    add(
        passes::OcclusionAmbient::kName, "hybrid",
        [](CaseBuilder& c) { ambient(c, OcclusionMethod::hybrid, 2); }, kMax);
    add(passes::OcclusionAmbient::kName, "summed", summed, kMax);
    add(passes::OcclusionRays::kName, "64 rays", rays, std::uint64_t{1} << 24);
    add(passes::OcclusionFollowed::kName, "nothing changes", followed, kMax);
    add(passes::OcclusionRefined::kName, "8 rays a frame", refined, std::uint64_t{1} << 24);
    add(passes::OcclusionSpheres::kName, "radius 6", spheres, std::uint64_t{1} << 24);
}

} // namespace tuff::bench
