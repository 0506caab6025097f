#include "apps/bench/checks.hpp"
#include "passes/volume/cast.hpp"
#include "passes/volume/projection.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

/// Slices, projections and casts of volumes of as many texels as the case has elements, in pictures
/// of 1920x1080.
namespace tuff::bench {
namespace {

constexpr std::uint64_t kLargeVolume = std::uint64_t{1} << 24; // from here on pictures are large
constexpr std::uint32_t kCheckedPixels = 48;
constexpr glm::vec3 kViewer(1.6f, 1.1f, 2.7f);
constexpr float kViewAngle = 40.0f;

/// Shells about the middle, bytes: empty outside and in between, as bodies are.
struct Shells {
    std::uint32_t side = 1;
    std::shared_ptr<const std::vector<std::byte>> bytes;
    Image image;

    double at(glm::ivec3 texel) const {
        const glm::ivec3 inside =
            glm::clamp(texel, glm::ivec3(0), glm::ivec3(static_cast<int>(side) - 1));
        const std::size_t index =
            (static_cast<std::size_t>(inside.z) * side + static_cast<std::size_t>(inside.y)) *
                side +
            static_cast<std::size_t>(inside.x);
        return std::to_integer<int>((*bytes)[index]) / 255.0;
    }
    double between(glm::dvec3 place) const {
        const glm::dvec3 inside =
            glm::clamp(place, glm::dvec3(0.0), glm::dvec3(static_cast<double>(side) - 1.0));
        const glm::ivec3 low(inside);
        const glm::dvec3 share = inside - glm::dvec3(low);
        double sum = 0.0;
        for (int i = 0; i < 8; ++i) {
            const glm::ivec3 corner(i & 1, i >> 1 & 1, i >> 2);
            const glm::dvec3 part = glm::mix(1.0 - share, share, glm::dvec3(corner));
            sum += part.x * part.y * part.z * at(low + corner);
        }
        return sum;
    }
};

Shells shells(CaseBuilder& c) {
    Shells made;
    made.side = std::max(static_cast<std::uint32_t>(std::lround(std::cbrt(c.size()))), 1u);
    const std::uint32_t side = made.side;
    auto bytes = std::make_shared<std::vector<std::byte>>(std::size_t{side} * side * side);
    std::size_t index = 0;
    for (std::uint32_t z = 0; z < side; ++z)
        for (std::uint32_t y = 0; y < side; ++y)
            for (std::uint32_t x = 0; x < side; ++x) {
                const glm::vec3 at =
                    (glm::vec3(x, y, z) + 0.5f) * (2.0f / static_cast<float>(side)) - 1.0f;
                const float radius = std::sqrt(at.x * at.x + at.y * at.y + 1.3f * at.z * at.z);
                const float shell = std::max(1.0f - 12.0f * std::abs(radius - 0.85f),
                                             0.6f - 6.0f * std::abs(radius - 0.5f));
                (*bytes)[index++] =
                    std::byte(static_cast<unsigned char>(std::max(shell, 0.0f) * 255.0f));
            }
    made.bytes = bytes;
    made.image = c.graph().constant_image(
        "volume",
        {.format = Format::r8_unorm, .extent = {side, side, side}, .shape = ImageShape::d3},
        made.bytes);
    return made;
}

Extent view_for(const CaseBuilder& c) {
    return c.size() >= kLargeVolume ? Extent{1920, 1080, 1} : Extent{96, 54, 1};
}

template <typename Pass>
Pass viewed(const CaseBuilder& c, const Shells& volume) {
    Pass pass{.source = volume.image};
    pass.filter = passes::VolumeFilter::device;
    pass.width = view_for(c).width;
    pass.height = view_for(c).height;
    pass.step = 0.5f;
    pass.camera = {.mode = passes::CameraMode::free,
                   .position = kViewer,
                   .target = glm::vec3(0.0f),
                   .vertical_fov = kViewAngle,
                   .near_plane = 0.1f,
                   .far_plane = 10.0f};
    return pass;
}

/// Calls `visit(place)` for the middles of steps of half a texel along the ray of a pixel.
void walk(const Shells& volume, Extent extent, std::uint32_t x, std::uint32_t y,
          const std::function<void(glm::dvec3)>& visit) {
    const glm::dvec3 eye(kViewer);
    const glm::dvec3 forward = glm::normalize(-eye);
    const glm::dvec3 right = glm::normalize(glm::cross(forward, glm::dvec3(0.0, 1.0, 0.0)));
    const glm::dvec3 down = -glm::cross(right, forward);
    const double half = std::tan(0.5 * glm::radians(static_cast<double>(kViewAngle)));
    const double aspect = static_cast<double>(extent.width) / extent.height;
    const glm::dvec3 ray =
        glm::normalize(forward + half * (aspect * ((x + 0.5) / extent.width * 2.0 - 1.0) * right +
                                         ((y + 0.5) / extent.height * 2.0 - 1.0) * down));
    double begin = 0.0;
    double end = 1e30;
    for (int i = 0; i < 3; ++i) {
        const double a = (-1.0 - eye[i]) / ray[i];
        const double b = (1.0 - eye[i]) / ray[i];
        begin = std::max(begin, std::min(a, b));
        end = std::min(end, std::max(a, b));
    }
    const double stride = 1.0 / volume.side; // half a texel of a box of side 2
    for (double t = begin; t < end; t += stride) {
        const glm::dvec3 place = eye + (t + 0.5 * std::min(stride, end - t)) * ray;
        visit((place + 1.0) * 0.5 * static_cast<double>(volume.side) - 0.5);
    }
}

/// Compares some pixels; samplers may have weights of 8 bits, and so numbers are off by 1/128.
void check_pixels(CaseBuilder& c, const char* name, Image image, Extent extent,
                  std::function<double(std::uint32_t, std::uint32_t)> expected) {
    c.check(name, image, [=](const HostImage& got) -> Verdict {
        for (std::uint32_t i = 0; i < kCheckedPixels; ++i) {
            const std::uint32_t x = hash32(2 * i) % extent.width;
            const std::uint32_t y = hash32(2 * i + 1) % extent.height;
            const auto found = static_cast<double>(got.texel(x, y)[0]);
            const double wanted = expected(x, y);
            if (!(std::abs(found - wanted) <= 0.012))
                return std::unexpected(
                    fmt::format("pixel {}, {} is {}, not {}", x, y, found, wanted));
        }
        return {};
    });
}

void slice(CaseBuilder& c) {
    const Shells volume = shells(c);
    const auto index = static_cast<std::int32_t>(volume.side / 3);
    const auto pass = c.add(
        passes::VolumeSlice{.source = volume.image, .axis = passes::VolumeAxis::x, .index = index});
    c.check("values", pass.values, [=](const HostImage& got) -> Verdict {
        for (std::uint32_t z = 0; z < volume.side; ++z)
            for (std::uint32_t y = 0; y < volume.side; ++y)
                if (std::abs(static_cast<double>(got.texel(y, z)[0]) -
                             volume.at(glm::ivec3(index, y, z))) > 1e-6)
                    return std::unexpected(fmt::format("texel {}, {} is another", y, z));
        return {};
    });
}

void projection(CaseBuilder& c, bool skip) {
    const Shells volume = shells(c);
    auto pass = viewed<passes::VolumeProjection>(c, volume);
    pass.skip = skip;
    const Image values = c.add(pass).values;
    const Extent extent = view_for(c);
    // Samples of the pass lie elsewhere; shells change by 0.06 from one texel to the next of 256.
    c.check("values", values, [=](const HostImage& got) -> Verdict {
        const double bound = 0.01 + 12.0 / volume.side;
        for (std::uint32_t i = 0; i < kCheckedPixels; ++i) {
            const std::uint32_t x = hash32(2 * i) % extent.width;
            const std::uint32_t y = hash32(2 * i + 1) % extent.height;
            double most = 0.0;
            walk(volume, extent, x, y,
                 [&](glm::dvec3 place) { most = std::max(most, volume.between(place)); });
            const auto found = static_cast<double>(got.texel(x, y)[0]);
            if (!(std::abs(found - most) <= bound))
                return std::unexpected(
                    fmt::format("pixel {}, {} is {}, not {}", x, y, found, most));
        }
        return {};
    });
}

/// What a case of casting asks for.
struct CastCase {
    bool skip = true;
    bool shaded = false;
    float opaque = 0.0f;
    passes::TransferLookup lookup = passes::TransferLookup::number;
    passes::VolumeFilter filter = passes::VolumeFilter::device;
};

void cast(CaseBuilder& c, const CastCase& asked) {
    const Shells volume = shells(c);
    auto pass = viewed<passes::VolumeCast>(c, volume);
    pass.skip = asked.skip;
    pass.shaded = asked.shaded;
    pass.opaque = asked.opaque;
    pass.lookup = asked.lookup;
    pass.filter = asked.filter;
    // Flat light, so that shading costs what it costs and changes nothing.
    pass.light = {.ambient = 1.0f, .diffuse = 0.0f, .specular = 0.0f};
    pass.transfer = {0.1f, 1.0f, 0.5f, 0.2f, 0.0f, 1.0f, 1.0f, 0.5f, 0.2f, 0.08f};
    const Image result = c.add(pass).result;
    const Extent extent = view_for(c);
    check_pixels(c, "result", result, extent, [=](std::uint32_t x, std::uint32_t y) {
        double through = 1.0;
        walk(volume, extent, x, y, [&](glm::dvec3 place) {
            const double share = std::clamp((volume.between(place) - 0.1) / 0.9, 0.0, 1.0);
            through *= std::sqrt(1.0 - 0.08 * share); // a step is half a texel
        });
        return 1.0 - through;
    });
}

} // namespace

void add_volume_views_cases(CaseList& cases) {
    constexpr std::uint64_t kMax = std::uint64_t{1} << 27; // 512 cubed
    constexpr std::uint64_t kMaxOnSoftware = std::uint64_t{1} << 18;
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .most = kMax,
                   .most_on_software = kMaxOnSoftware});
    };
    add(passes::VolumeSlice::kName, "across x", slice);
    add(passes::VolumeProjection::kName, "maximum", [](CaseBuilder& c) { projection(c, true); });
    add(passes::VolumeProjection::kName, "maximum without skipping",
        [](CaseBuilder& c) { projection(c, false); });
    const std::array<std::pair<const char*, CastCase>, 6> casts = {
        {{"plain", {.skip = false}},
         {"skipping", {}},
         {"skipping to opaque", {.opaque = 0.004f}},
         {"skipping shaded", {.shaded = true}},
         {"skipping pairs", {.lookup = passes::TransferLookup::pair}},
         {"skipping by eight texels", {.filter = passes::VolumeFilter::linear}}}};
    for (const auto& [name, asked] : casts)
        add(passes::VolumeCast::kName, name, [asked](CaseBuilder& c) { cast(c, asked); });
}

} // namespace tuff::bench
