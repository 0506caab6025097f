#include "apps/bench/checks.hpp"
#include "passes/volume/comparators.hpp"
#include "passes/volume/fragments.hpp"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

/// Media in a picture of 1920x1080: as many balls as the case has elements, or meshes.
namespace tuff::bench {
namespace {

using passes::MediaSpheres;
using passes::SphereSearch;
using passes::VolumeBillboards;
using passes::VolumeFragments;

constexpr std::uint64_t kManyBalls = 4096; // from here on pictures are large
constexpr std::uint32_t kCheckedVolumeRays = 64;
constexpr float kFov = 45.0f;
constexpr glm::vec3 kEye(0.0f, 0.0f, 3.2f);
constexpr glm::vec4 kBehind(0.3f, 0.4f, 0.5f, std::numeric_limits<float>::infinity());

passes::CameraParameters camera() {
    return {.mode = passes::CameraMode::free,
            .position = kEye,
            .target = glm::vec3(0.0f),
            .vertical_fov = kFov,
            .near_plane = 0.01f,
            .far_plane = 100.0f};
}

glm::dvec3 ray(Extent extent, std::uint32_t x, std::uint32_t y) {
    const double half = std::tan(0.5 * glm::radians(static_cast<double>(kFov)));
    const double aspect = static_cast<double>(extent.width) / extent.height;
    return glm::normalize(glm::dvec3((2.0 * (x + 0.5) / extent.width - 1.0) * half * aspect,
                                     (1.0 - 2.0 * (y + 0.5) / extent.height) * half, -1.0));
}

Image opaque(CaseBuilder& c, Extent extent) {
    return c
        .image<glm::vec4>("opaque", Format::rgba32_sfloat, extent,
                          [](std::uint64_t) { return kBehind; })
        .image;
}

/// A cloud in a box of side 2: a ray through it is in about three balls at a time.
struct Cloud {
    Input<glm::vec4> balls;
    Input<glm::vec4> optics;
    MediaSpheres spheres() const {
        return {.balls = balls.buffer,
                .optics = optics.buffer,
                .count = static_cast<std::uint32_t>(balls.values().size())};
    }
};

Cloud cloud(CaseBuilder& c) {
    const double radius = 0.75 / std::cbrt(static_cast<double>(c.size()));
    return {.balls = c.input<glm::vec4>(
                "balls", c.size(),
                [&](std::uint64_t i) {
                    const auto along = [&](std::uint64_t k) {
                        return 2.0f * hash_unit(4 * i + k) - 1.0f;
                    };
                    const double share = 0.7 + 0.6 * static_cast<double>(hash_unit(4 * i + 3));
                    return glm::vec4(along(0), along(1), along(2), radius * share);
                }),
            .optics = c.input<glm::vec4>("optics", 3 * c.size(), [](std::uint64_t i) {
                const float share = 0.5f + 0.5f * hash_unit(i + 99);
                return glm::vec4(share, 0.8f * share, 0.6f * share, 0.0f);
            })};
}

Extent picture_for(const CaseBuilder& c) {
    return c.size() >= kManyBalls ? Extent{1920, 1080, 1} : Extent{96, 54, 1};
}

/// The first colour of a ray through all balls, in double precision.
double expected_red(const Cloud& cloud, glm::dvec3 direction) {
    struct End {
        double at;
        double extinction;
        double source;
    };
    std::vector<End> ends;
    const auto optics = cloud.optics.values();
    for (std::size_t i = 0; i < cloud.balls.values().size(); ++i) {
        const glm::dvec4 ball = cloud.balls.values()[i];
        const glm::dvec3 center = glm::dvec3(ball) - glm::dvec3(kEye);
        const double middle = glm::dot(center, direction);
        const glm::dvec3 beside = middle * direction - center;
        const double squared = ball.w * ball.w - glm::dot(beside, beside);
        if (!(squared > 0.0)) continue;
        const double half = std::sqrt(squared);
        const double extinction = static_cast<double>(optics[3 * i].r);
        const double source =
            static_cast<double>(optics[3 * i + 1].r) + static_cast<double>(optics[3 * i + 2].r);
        ends.push_back({std::max(middle - half, 0.0), extinction, source});
        ends.push_back({std::max(middle + half, 0.0), -extinction, -source});
    }
    std::ranges::sort(ends, {}, &End::at);
    double light = 0.0;
    double through = 1.0;
    double extinction = 0.0;
    double source = 0.0;
    double reached = 0.0;
    for (const End& end : ends) {
        const double depth = extinction * (end.at - reached);
        if (depth > 1e-12) {
            light += through * source / extinction * -std::expm1(-depth);
            through *= std::exp(-depth);
        }
        reached = end.at;
        extinction += end.extinction;
        source += end.source;
    }
    return light + through * static_cast<double>(kBehind.r);
}

void balls(CaseBuilder& c, SphereSearch search) {
    const Cloud source = cloud(c);
    const Extent extent = picture_for(c);
    const VolumeFragments added =
        c.add(VolumeFragments{.opaque = opaque(c, extent),
                              .spheres = source.spheres(),
                              .camera = camera(),
                              .search = search,
                              .tile_capacity = 1u << 25,
                              .least_transmittance = 0.0f,
                              .format = passes::OutputFormat::rgba32_sfloat});
    c.check("picture", added.result, [=](const HostImage& got) -> Verdict {
        for (std::uint32_t k = 0; k < kCheckedVolumeRays; ++k) {
            const std::uint32_t x = hash32(2 * k) % extent.width;
            const std::uint32_t y = hash32(2 * k + 1) % extent.height;
            const double wanted = expected_red(source, ray(extent, x, y));
            const auto red = static_cast<double>(got.texel(x, y)[0]);
            if (!near(red, wanted, {.absolute = 2e-5, .relative = 1e-5}))
                return std::unexpected(
                    fmt::format("texel {}, {} is {} instead of {}", x, y, red, wanted));
        }
        return {};
    });
}

void billboards(CaseBuilder& c) {
    const Cloud source = cloud(c);
    const Extent extent = picture_for(c);
    const VolumeBillboards added = c.add(VolumeBillboards{.opaque = opaque(c, extent),
                                                          .spheres = source.spheres(),
                                                          .camera = camera(),
                                                          .tile_capacity = 1u << 25});
    c.check("picture", added.result, [=](const HostImage& got) -> Verdict {
        // They are not exact; a picture of the balls it must be.
        for (std::uint32_t k = 0; k < kCheckedVolumeRays; ++k) {
            const std::uint32_t x = hash32(2 * k) % extent.width;
            const std::uint32_t y = hash32(2 * k + 1) % extent.height;
            const double wanted = expected_red(source, ray(extent, x, y));
            if (!near(static_cast<double>(got.texel(x, y)[0]), wanted, {.absolute = 0.1}))
                return std::unexpected(fmt::format("texel {}, {} is {} instead of about {}", x, y,
                                                   got.texel(x, y)[0], wanted));
        }
        return {};
    });
}

/// Four balls one in the other, of some 16,000 triangles each: eight faces in most pixels.
constexpr std::uint32_t kShells = 4;
constexpr float kShellRadius[kShells] = {1.15f, 1.0f, 0.85f, 0.7f};
constexpr float kShellExtinction = 0.4f;

void shells(CaseBuilder& c, passes::FaceRasterizer rasterizer) {
    const std::uint32_t rings = c.size() < (1u << 16) ? 24 : 90;
    const std::uint32_t around = 2 * rings;
    std::vector<float> unit;
    for (std::uint32_t ring = 0; ring <= rings; ++ring)
        for (std::uint32_t step = 0; step < around; ++step) {
            const bool pole = ring == 0 || ring == rings;
            const double polar = std::numbers::pi * ring / rings;
            const double turn = pole ? 0.0 : 2.0 * std::numbers::pi * step / around;
            unit.push_back(static_cast<float>(std::sin(polar) * std::cos(turn)));
            unit.push_back(static_cast<float>(std::cos(polar)));
            unit.push_back(static_cast<float>(std::sin(polar) * std::sin(turn)));
        }
    std::vector<std::uint32_t> corners;
    for (std::uint32_t ring = 0; ring < rings; ++ring)
        for (std::uint32_t step = 0; step < around; ++step) {
            const std::uint32_t a = ring * around + step;
            const std::uint32_t b = ring * around + (step + 1) % around;
            if (ring > 0) corners.insert(corners.end(), {a, b, b + around});
            if (ring + 1 < rings) corners.insert(corners.end(), {a, b + around, a + around});
        }
    const auto indices = c.input<std::uint32_t>("indices", corners.size(),
                                                [&](std::uint64_t i) { return corners[i]; });
    VolumeFragments pass{.opaque = opaque(c, c.extent()),
                         .camera = camera(),
                         .fragments_per_pixel = 10,
                         .rasterizer = rasterizer,
                         .format = passes::OutputFormat::rgba32_sfloat};
    for (std::uint32_t k = 0; k < kShells; ++k) {
        const auto positions =
            c.input<float>(fmt::format("positions[{}]", k), unit.size(),
                           [&](std::uint64_t i) { return kShellRadius[k] * unit[i]; });
        pass.meshes.push_back(
            {.mesh = {.positions = positions.buffer,
                      .indices = indices.buffer,
                      .draws = {},
                      .vertex_count = static_cast<std::uint32_t>(unit.size() / 3),
                      .triangle_count = static_cast<std::uint32_t>(corners.size() / 3)},
             .extinction = glm::vec3(kShellExtinction)});
    }
    const VolumeFragments added = c.add(std::move(pass));
    const Extent extent = c.extent();
    c.check("picture", added.result, [=](const HostImage& got) -> Verdict {
        for (std::uint32_t k = 0; k < kCheckedVolumeRays; ++k) {
            const std::uint32_t x = hash32(2 * k) % extent.width;
            const std::uint32_t y = hash32(2 * k + 1) % extent.height;
            const glm::dvec3 direction = ray(extent, x, y);
            const double along = -glm::dot(glm::dvec3(kEye), direction);
            const double beside = glm::dot(glm::dvec3(kEye), glm::dvec3(kEye)) - along * along;
            double depth = 0.0;
            bool contour = false;
            for (const float radius : kShellRadius) {
                const double squared = static_cast<double>(radius) * static_cast<double>(radius);
                contour = contour || std::abs(squared - beside) < 0.06;
                if (squared > beside)
                    depth +=
                        2.0 * std::sqrt(squared - beside) * static_cast<double>(kShellExtinction);
            }
            const double wanted = static_cast<double>(kBehind.r) * std::exp(-depth);
            // Triangles are a little inside the balls.
            if (!contour && !near(static_cast<double>(got.texel(x, y)[0]), wanted,
                                  {.absolute = rings < 90 ? 1e-2 : 2e-3}))
                return std::unexpected(fmt::format("texel {}, {} is {} instead of {}", x, y,
                                                   got.texel(x, y)[0], wanted));
        }
        return {};
    });
}

} // namespace

void add_volume_cases(CaseList& cases) {
    const std::string pass(VolumeFragments::kName);
    cases.add({.pass = pass,
               .name = "balls by tiles",
               .build = [](CaseBuilder& c) { balls(c, SphereSearch::tiles); },
               .least = 16,
               .most = std::uint64_t{1} << 20,
               .most_on_software = std::uint64_t{1} << 10});
    cases.add({.pass = pass,
               .name = "all balls",
               .build = [](CaseBuilder& c) { balls(c, SphereSearch::all); },
               .least = 16,
               .most = std::uint64_t{1} << 14,
               .most_on_software = std::uint64_t{1} << 8});
    for (const auto& [name, rasterizer] :
         {std::pair{"faces of meshes", passes::FaceRasterizer::device},
          {"faces of meshes by compute kernels", passes::FaceRasterizer::compute}})
        cases.add({.pass = pass,
                   .name = name,
                   .build = [rasterizer](CaseBuilder& c) { shells(c, rasterizer); },
                   .least = 1024,
                   .most = std::uint64_t{1} << 23,
                   .most_on_software = std::uint64_t{1} << 14});
    cases.add({.pass = std::string(VolumeBillboards::kName),
               .name = "soft particles",
               .build = billboards,
               .least = 16,
               .most = std::uint64_t{1} << 20,
               .most_on_software = std::uint64_t{1} << 10});
}

} // namespace tuff::bench
