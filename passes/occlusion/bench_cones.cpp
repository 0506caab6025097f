#include "apps/bench/checks.hpp"
#include "passes/occlusion/cones.hpp"
#include "passes/occlusion/opacity.hpp"
#include "passes/occlusion/rays.hpp"
#include "passes/volume/cast.hpp"
#include "tests/reference/rank_correlation.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

/// Cones, judged by rays on the CPU, and the way from a transfer function to a picture.
namespace tuff::bench {
namespace {

constexpr int kJudgedVoxels = 300;
constexpr int kJudgingRays = 1024;

/// Hollow balls with openings, a lattice of bars and a haze.
struct Cavities {
    int side = 1;
    std::shared_ptr<const std::vector<std::byte>> bytes;
    Image image;

    double at(glm::ivec3 v) const {
        return std::to_integer<int>(
                   (*bytes)[(static_cast<std::size_t>(v.z) * static_cast<std::size_t>(side) +
                             static_cast<std::size_t>(v.y)) *
                                static_cast<std::size_t>(side) +
                            static_cast<std::size_t>(v.x)]) /
               255.0;
    }
};

std::uint8_t cavity_at(glm::vec3 at) {
    const glm::vec3 cell = glm::fract(2.0f * at) - 0.5f; // two balls along each axis
    const float radius = glm::length(cell);
    if (radius > 0.3f && radius < 0.36f && cell.y < 0.2f) return 230;
    if (std::max(std::abs(cell.x), std::abs(cell.z)) < 0.06f) return 180;
    return at.y < 0.15f ? 6 : 0;
}

Cavities cavities(CaseBuilder& c) {
    Cavities made;
    made.side = std::max(static_cast<int>(std::lround(std::cbrt(c.size()))), 1);
    auto bytes = std::make_shared<std::vector<std::byte>>();
    for (int z = 0; z < made.side; ++z)
        for (int y = 0; y < made.side; ++y)
            for (int x = 0; x < made.side; ++x)
                bytes->push_back(std::byte(
                    cavity_at((glm::vec3(x, y, z) + 0.5f) / static_cast<float>(made.side))));
    made.bytes = bytes;
    const auto side = static_cast<std::uint32_t>(made.side);
    made.image = c.graph().constant_image(
        "volume",
        {.format = Format::r8_unorm, .extent = {side, side, side}, .shape = ImageShape::d3},
        made.bytes);
    return made;
}

double through_cavities(const Cavities& volume, glm::ivec3 voxel, glm::dvec3 direction) {
    const glm::dvec3 per_voxel = 1.0 / glm::max(glm::abs(direction), 1e-12);
    const glm::ivec3 ahead(glm::sign(direction));
    glm::dvec3 next = 0.5 * per_voxel;
    double at = 0.0;
    double left = 1.0;
    for (bool first = true;; first = false) {
        if (glm::clamp(voxel, glm::ivec3(0), glm::ivec3(volume.side - 1)) != voxel || left < 1e-6)
            return left;
        const int axis = next.x < next.y ? (next.x < next.z ? 0 : 2) : (next.y < next.z ? 1 : 2);
        const double opacity = first ? 0.0 : volume.at(voxel);
        if (opacity > 0.0) left *= std::pow(1.0 - opacity, next[axis] - at);
        at = next[axis];
        next[axis] += per_voxel[axis];
        voxel[axis] += ahead[axis];
    }
}

double open_by_rays(const Cavities& volume, glm::ivec3 voxel) {
    double sum = 0.0;
    for (int i = 0; i < kJudgingRays; ++i) {
        const double z = 1.0 - (2.0 * i + 1.0) / kJudgingRays;
        const double angle = (static_cast<std::uint32_t>(i) * 2654435769u >> 8) *
                             (2.0 * std::numbers::pi / 16777216.0);
        const double beside = std::sqrt(1.0 - z * z);
        sum += through_cavities(volume, voxel,
                                {beside * std::cos(angle), beside * std::sin(angle), z});
    }
    return sum / kJudgingRays;
}

/// Cones order voxels as 1024 rays do.
void cones(CaseBuilder& c, passes::OcclusionCones count, std::uint32_t stride, bool skip) {
    const Cavities volume = cavities(c);
    passes::OcclusionConeTrace pass{.opacity = volume.image, .cones = count};
    pass.stride = stride;
    pass.skip = skip;
    const int step = static_cast<int>(stride);
    c.output("open", c.add(pass).result);
    c.check([=](CaseResults& results) -> Verdict {
        const HostImage got = results.read_image("open");
        if (got.empty()) return std::unexpected("there is no result");
        std::vector<double> found;
        std::vector<double> wanted;
        const auto side = static_cast<std::uint32_t>(volume.side);
        for (std::uint32_t i = 0; found.size() < kJudgedVoxels && i < 30000; ++i) {
            const glm::ivec3 voxel(hash32(3 * i) % side, hash32(3 * i + 1) % side,
                                   hash32(3 * i + 2) % side);
            if (!(volume.at(voxel) > 0.0)) continue;
            const glm::uvec3 texel(voxel / step);
            found.push_back(static_cast<double>(got.texel(texel.x, texel.y, texel.z)[0]));
            wanted.push_back(open_by_rays(volume, voxel));
        }
        const double order = reference::rank_correlation(found, wanted);
        results.set_remark(
            fmt::format("rank correlation with {} rays {:.3f}", kJudgingRays, order));
        if (volume.side < 64 || order >= 0.9) return {}; // smaller bodies are a voxel thin
        return std::unexpected(fmt::format("the rank correlation with rays is {}", order));
    });
}

/// All that follows a change of the transfer function, up to a picture of 1280 x 720.
void edit_to_picture(CaseBuilder& c, passes::OcclusionCones count) {
    const Cavities volume = cavities(c);
    const std::vector<float> look{0.0f, 1.0f, 1.0f, 1.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    const Image opacity =
        c.graph().add(passes::OcclusionOpacity{.source = volume.image, .transfer = look}).result;
    passes::OcclusionConeTrace around{.opacity = opacity, .cones = count};
    around.stride = 2;
    around.skip = true;
    passes::VolumeCast cast{.source = volume.image};
    cast.open = c.add(around).result;
    cast.filter = passes::VolumeFilter::device;
    cast.transfer = look;
    cast.width = c.size() >= 1 << 21 ? 1280 : 64;
    cast.height = c.size() >= 1 << 21 ? 720 : 36;
    cast.step = 1.0f;
    cast.background = glm::vec4(0.0f);
    cast.camera = {.mode = passes::CameraMode::free,
                   .position = {1.6f, 1.1f, 2.7f},
                   .target = {0.0f, 0.0f, 0.0f},
                   .vertical_fov = 40.0f,
                   .near_plane = 0.1f,
                   .far_plane = 10.0f};
    const Image picture = c.graph().add(cast).result;
    c.check("picture", picture, [](const HostImage& got) -> Verdict {
        double light = 0.0;
        double alpha = 0.0;
        for (std::uint32_t y = 0; y < got.extent.height; ++y)
            for (std::uint32_t x = 0; x < got.extent.width; ++x) {
                light += static_cast<double>(got.texel(x, y)[0]);
                alpha += static_cast<double>(got.texel(x, y)[3]);
            }
        const double share = light / alpha;
        if (alpha > 0.0 && share > 0.0 && share < 1.0) return {};
        return std::unexpected(fmt::format("light is {} of what it is without occlusion", share));
    });
}

} // namespace

void add_occlusion_cones_cases(CaseList& cases) {
    constexpr std::uint64_t kMax = std::uint64_t{1} << 27; // 512 cubed
    const auto add = [&](std::string name, std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(passes::OcclusionConeTrace::kName),
                   .name = std::move(name),
                   .build = std::move(build),
                   .most = kMax,
                   .most_on_software = std::uint64_t{1} << 15});
    };
    using passes::OcclusionCones;
    add("6", [](CaseBuilder& c) { cones(c, OcclusionCones::faces, 1, false); });
    add("6 skipping", [](CaseBuilder& c) { cones(c, OcclusionCones::faces, 1, true); });
    add("6 at every second", [](CaseBuilder& c) { cones(c, OcclusionCones::faces, 2, false); });
    add("14", [](CaseBuilder& c) { cones(c, OcclusionCones::faces_corners, 1, false); });
    add("14 skipping at every second",
        [](CaseBuilder& c) { cones(c, OcclusionCones::faces_corners, 2, true); });
    add("26", [](CaseBuilder& c) { cones(c, OcclusionCones::all, 1, false); });
    add("edit to picture", [](CaseBuilder& c) { edit_to_picture(c, OcclusionCones::faces); });
    add("edit to picture with 14",
        [](CaseBuilder& c) { edit_to_picture(c, OcclusionCones::faces_corners); });
    cases.add({.pass = std::string(passes::OcclusionColors::kName),
               .name = "greys",
               .build =
                   [](CaseBuilder& c) {
                       const Cavities volume = cavities(c);
                       const Image result =
                           c.add(passes::OcclusionColors{.source = volume.image}).result;
                       c.check("colors", result, [=](const HostImage& got) -> Verdict {
                           const auto side = static_cast<std::uint32_t>(volume.side);
                           for (std::uint32_t i = 0; i < 64; ++i) {
                               const glm::uvec3 at(hash32(3 * i) % side, hash32(3 * i + 1) % side,
                                                   hash32(3 * i + 2) % side);
                               const double number = volume.at(glm::ivec3(at));
                               const auto found =
                                   static_cast<double>(got.texel(at.x, at.y, at.z)[0]);
                               if (!(std::abs(found - number * number) <= 1e-3))
                                   return std::unexpected(
                                       fmt::format("{} is not {}", found, number * number));
                           }
                           return {};
                       });
                   },
               .most = kMax,
               .most_on_software = std::uint64_t{1} << 15});
    cases.add(
        {.pass = std::string(passes::OcclusionRays::kName),
         .name = "1024 rays in cavities",
         .build =
             [](CaseBuilder& c) {
                 const Cavities volume = cavities(c);
                 passes::OcclusionRays pass{.opacity = volume.image, .rays = 1024};
                 c.check("open", c.add(pass).result, [=](const HostImage& got) -> Verdict {
                     const auto side = static_cast<std::uint32_t>(volume.side);
                     for (std::uint32_t i = 0; i < 12; ++i) {
                         const glm::uvec3 at(hash32(3 * i) % side, hash32(3 * i + 1) % side,
                                             hash32(3 * i + 2) % side);
                         const double wanted = open_by_rays(volume, glm::ivec3(at));
                         const auto found = static_cast<double>(got.texel(at.x, at.y, at.z)[0]);
                         // Directions here and in the kernel part by 1e-7 of a turn a ray.
                         if (!(std::abs(found - wanted) <= 5e-3))
                             return std::unexpected(fmt::format("{} is not {}", found, wanted));
                     }
                     return {};
                 });
             },
         .most = std::uint64_t{1} << 24,
         .most_on_software = std::uint64_t{1} << 12});
}

} // namespace tuff::bench
