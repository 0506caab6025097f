#include "scene/volume/stored_volume.hpp"

#include "core/element_numbers.hpp"
#include "scene/image/stored_texels.hpp"

#include <Imath/half.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace tuff {
namespace {

constexpr std::uint32_t kMaxVolumeChannels = 4;

template <typename T>
T load_as(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// The format that keeps numbers as they are, by channels stored: 1, 2, 4; or undefined.
Format keeping_format(ElementType type, std::uint32_t channels) {
    const std::size_t place = channels == 1 ? 0 : channels == 2 ? 1 : 2;
    constexpr auto kNone = Format::undefined;
    switch (type) {
    case ElementType::u8:
        return std::array{Format::r8_unorm, Format::rg8_unorm, Format::rgba8_unorm}[place];
    case ElementType::u16: return std::array{Format::r16_unorm, kNone, Format::rgba16_unorm}[place];
    case ElementType::f16:
        return std::array{Format::r16_sfloat, Format::rg16_sfloat, Format::rgba16_sfloat}[place];
    case ElementType::f32:
        return std::array{Format::r32_sfloat, Format::rg32_sfloat, Format::rgba32_sfloat}[place];
    default: return kNone;
    }
}

/// True where the float is the number.
bool is_exact(ElementType type, const std::byte* at, double number, float value) {
    if (type == ElementType::u64)
        return value < 18446744073709551616.0f &&
               static_cast<std::uint64_t>(value) == load_as<std::uint64_t>(at);
    if (type == ElementType::i64)
        return value < 9223372036854775808.0f &&
               static_cast<std::int64_t>(value) == load_as<std::int64_t>(at);
    return std::isnan(number) || static_cast<double>(value) == number;
}

/// The numbers as floats of `scale` times their value, and how many are others.
struct Floats {
    std::vector<std::byte> bytes;
    std::uint64_t changed = 0;
};

Floats as_floats(const StoredVolume& stored, double divisor) {
    const std::size_t each = element_bytes(stored.type);
    const bool is_computed = divisor != 1.0 || stored.slope != 1.0 || stored.intercept != 0.0;
    Floats floats{.bytes = std::vector<std::byte>(stored.numbers.size() / each * sizeof(float))};
    for (std::size_t i = 0; i * each < stored.numbers.size(); ++i) {
        const std::byte* at = stored.numbers.data() + i * each;
        const double number = stored_number(stored.type, at);
        const double wanted = number / divisor * stored.slope + stored.intercept;
        const float value = static_cast<float>(wanted);
        if (!is_computed && !is_exact(stored.type, at, number, value)) ++floats.changed;
        std::memcpy(floats.bytes.data() + i * sizeof value, &value, sizeof value);
    }
    return floats;
}

/// The texels as Tuff wrote them, where it did.
std::optional<HostImage> written_by_tuff(StoredVolume& stored) {
    const auto format = parse_format(stored.format);
    if (!format) return std::nullopt;
    const FormatInfo& facts = info(*format);
    const auto element = stored_element(facts);
    if (facts.depth || facts.stencil || !element || facts.channels != stored.channels ||
        stored.slope != 1.0 || stored.intercept != 0.0)
        return std::nullopt;
    if (*element == stored.type)
        return HostImage{*format, stored.extent, std::move(stored.numbers)};
    if (*element != ElementType::f16 || stored.type != ElementType::f32) return std::nullopt;
    HostImage image = make_image(*format, stored.extent);
    for (std::size_t i = 0; i < stored.numbers.size() / sizeof(float); ++i) {
        const std::uint16_t half =
            imath_float_to_half(load_as<float>(stored.numbers.data() + i * sizeof(float)));
        std::memcpy(image.texels.data() + i * sizeof half, &half, sizeof half);
    }
    return image;
}

template <typename T>
void append_clamped(double number, std::vector<std::byte>& bytes) {
    // The greatest double that T holds: a float's own bound, or of integers one that a cast takes.
    constexpr double kHighest = std::is_floating_point_v<T> || sizeof(T) < 8
                                    ? static_cast<double>(std::numeric_limits<T>::max())
                                    : static_cast<double>(std::numeric_limits<T>::max() / 2) * 1.99;
    constexpr double kLowest = static_cast<double>(std::numeric_limits<T>::lowest());
    const bool is_integer = std::is_integral_v<T>;
    const double kept = std::isnan(number) && is_integer ? 0.0 : number;
    const T value = static_cast<T>(is_integer ? std::clamp(kept, kLowest, kHighest) : kept);
    const auto* at = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), at, at + sizeof value);
}

double length_of(const std::array<double, 3>& v) {
    return std::hypot(v[0], v[1], v[2]);
}

} // namespace

std::unexpected<Diagnostics> corrupt_volume(std::string_view name, std::string_view what) {
    return fail("volume/corrupt", fmt::format("'{}' is damaged: {}", name, what),
                "write it again, or copy it again from where it came");
}

std::unexpected<Diagnostics> unsupported_volume(std::string_view name, std::string_view what,
                                                std::string_view hint) {
    return fail("volume/unsupported", fmt::format("'{}' {}", name, what), std::string(hint));
}

Result<void> check_volume_size(std::string_view name, const std::array<std::uint64_t, 3>& size,
                               std::uint64_t channels, ElementType type) {
    if (std::ranges::find(size, 0u) != size.end())
        return corrupt_volume(name,
                              fmt::format("it has {}x{}x{} texels", size[0], size[1], size[2]));
    if (channels < 1 || channels > kMaxVolumeChannels)
        return unsupported_volume(name, fmt::format("has {} numbers a texel", channels),
                                  "volumes of one to four are read");
    const bool sides = std::ranges::all_of(size, [](auto n) { return n <= kMaxImageSide; });
    const std::uint64_t room = std::max<std::uint64_t>(element_bytes(type), sizeof(float));
    const std::uint64_t stored = channels == 3 ? 4 : channels;
    if (sides && size[0] * size[1] * size[2] * stored * room <= kMaxImageBytes) return {};
    return fail("volume/too-large",
                fmt::format("'{}' claims {}x{}x{} texels of {} numbers, more than {} a side or {} "
                            "MiB in all",
                            name, size[0], size[1], size[2], channels, kMaxImageSide,
                            kMaxImageBytes >> 20),
                "resample it to fewer texels, or take a part of it");
}

std::uint64_t stored_bytes(const Extent& extent, std::uint32_t channels, ElementType type) {
    return std::uint64_t{extent.width} * extent.height * extent.depth * channels *
           element_bytes(type);
}

Result<std::uint64_t> chosen_frame(std::string_view name, const VolumeLoadOptions& options,
                                   std::uint64_t frames) {
    if (options.frame.value_or(0) < frames && (options.frame || frames == 1))
        return std::uint64_t{options.frame.value_or(0)};
    if (frames == 0) return corrupt_volume(name, "it is an empty series");
    const std::string hint = fmt::format("\"frame\": 0 to {} chooses one", frames - 1);
    if (!options.frame)
        return fail("volume/no-such-frame",
                    fmt::format("'{}' is a series of {} volumes", name, frames), hint);
    return fail("volume/no-such-frame",
                fmt::format("'{}' has {} volumes and no frame {}", name, frames, *options.frame),
                hint);
}

Result<void> check_geometry(std::string_view name, const VolumeGeometry& geometry) {
    const auto bad = [&](std::string_view what, const std::array<double, 3>& numbers,
                         std::string_view hint) {
        return fail("volume/bad-geometry",
                    fmt::format("the {} of '{}' is ({}, {}, {})", what, name, numbers[0],
                                numbers[1], numbers[2]),
                    std::string(hint));
    };
    const auto is_finite = [](double n) { return std::isfinite(n); };
    if (!std::ranges::all_of(geometry.spacing, [&](double n) { return is_finite(n) && n > 0; }))
        return bad("spacing", geometry.spacing,
                   "spacings are numbers above 0; \"spacing\" beside the file gives others");
    if (!std::ranges::all_of(geometry.origin, is_finite))
        return bad("origin", geometry.origin, "\"origin\" beside the file gives another");
    for (const auto& axis : geometry.axes)
        if (!std::ranges::all_of(axis, is_finite) || length_of(axis) == 0.0)
            return bad("axis", axis, "three directions that are not zero make a volume");
    return {};
}

Result<VolumeGeometry> geometry_of(std::string_view name,
                                   const std::array<std::array<double, 3>, 3>& steps,
                                   const std::array<double, 3>& origin) {
    VolumeGeometry geometry{.origin = origin};
    for (std::size_t i = 0; i < 3; ++i) {
        geometry.spacing[i] = length_of(steps[i]);
        for (std::size_t c = 0; c < 3; ++c)
            geometry.axes[i][c] = steps[i][c] / geometry.spacing[i];
    }
    if (auto sound = check_geometry(name, geometry); !sound) return propagate(std::move(sound));
    return geometry;
}

std::array<std::array<double, 3>, 3> steps_of(const VolumeGeometry& geometry) {
    auto steps = geometry.axes;
    for (std::size_t i = 0; i < 3; ++i)
        for (double& component : steps[i])
            component *= geometry.spacing[i];
    return steps;
}

void swap_bytes(std::span<std::byte> numbers, std::size_t bytes_each) {
    for (std::size_t at = 0; bytes_each > 1 && at + bytes_each <= numbers.size(); at += bytes_each)
        std::ranges::reverse(numbers.subspan(at, bytes_each));
}

std::vector<std::byte> interleaved(std::span<const std::byte> planes, std::uint32_t channels,
                                   std::size_t bytes_each) {
    std::vector<std::byte> texels(planes.size());
    const std::size_t count = planes.size() / channels / bytes_each;
    for (std::size_t c = 0; c < channels; ++c)
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(&texels[(i * channels + c) * bytes_each],
                        &planes[(c * count + i) * bytes_each], bytes_each);
    return texels;
}

std::vector<std::byte> in_planes(std::span<const std::byte> texels, std::uint32_t channels,
                                 std::size_t bytes_each) {
    std::vector<std::byte> planes(texels.size());
    const std::size_t count = texels.size() / channels / bytes_each;
    for (std::size_t c = 0; c < channels; ++c)
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(&planes[(c * count + i) * bytes_each],
                        &texels[(i * channels + c) * bytes_each], bytes_each);
    return planes;
}

std::vector<std::byte> floats_of_halves(std::span<const std::byte> halves) {
    std::vector<std::byte> floats(halves.size() * 2);
    for (std::size_t i = 0; i < halves.size() / 2; ++i) {
        const float value = imath_half_to_float(load_as<std::uint16_t>(&halves[i * 2]));
        std::memcpy(&floats[i * sizeof value], &value, sizeof value);
    }
    return floats;
}

double stored_number(ElementType type, const std::byte* at) {
    return with_number(type, at, [](auto number) { return static_cast<double>(number); });
}

void append_number_as(ElementType type, double number, std::vector<std::byte>& bytes) {
    switch (type) {
    case ElementType::u8: return append_clamped<std::uint8_t>(number, bytes);
    case ElementType::u16: return append_clamped<std::uint16_t>(number, bytes);
    case ElementType::u32: return append_clamped<std::uint32_t>(number, bytes);
    case ElementType::u64: return append_clamped<std::uint64_t>(number, bytes);
    case ElementType::i8: return append_clamped<std::int8_t>(number, bytes);
    case ElementType::i16: return append_clamped<std::int16_t>(number, bytes);
    case ElementType::i32: return append_clamped<std::int32_t>(number, bytes);
    case ElementType::i64: return append_clamped<std::int64_t>(number, bytes);
    case ElementType::f64: return append_clamped<double>(number, bytes);
    default: return append_clamped<float>(number, bytes);
    }
}

Result<Volume> volume_of(StoredVolume stored, std::string_view name,
                         const VolumeLoadOptions& options) {
    if (options.spacing) stored.geometry.spacing = *options.spacing;
    if (options.origin) stored.geometry.origin = *options.origin;
    if (auto sound = check_geometry(name, stored.geometry); !sound)
        return propagate(std::move(sound));
    Volume volume{.geometry = stored.geometry};
    if (options.normalize)
        if (auto image = written_by_tuff(stored)) {
            volume.image = std::move(*image);
            return volume;
        }
    const bool is_fraction =
        options.normalize && (stored.type == ElementType::u8 || stored.type == ElementType::u16);
    const bool is_float = stored.type == ElementType::f16 || stored.type == ElementType::f32;
    const bool is_scaled = stored.slope != 1.0 || stored.intercept != 0.0;
    Format format = keeping_format(stored.type, stored.channels);
    if (is_scaled || format == Format::undefined || !(is_fraction || is_float)) {
        const double most = stored.type == ElementType::u8 ? 255.0 : 65535.0;
        Floats floats = as_floats(stored, is_fraction && !is_scaled ? most : 1.0);
        if (floats.changed > 0)
            volume.warnings.push_back(
                {.code = "volume/precision",
                 .severity = Severity::warning,
                 .message =
                     fmt::format("'{}' holds {} numbers, of which {} change when stored as f32",
                                 name, element_name(stored.type), floats.changed),
                 .where = {},
                 .hint = "volumes on the device have at most 32 bits a number"});
        stored.numbers = std::move(floats.bytes);
        stored.type = ElementType::f32;
        format = keeping_format(stored.type, stored.channels);
    }
    if (stored.channels == 3) stored.numbers = with_alpha(stored.numbers, stored.type);
    volume.image = {format, stored.extent, std::move(stored.numbers)};
    return volume;
}

} // namespace tuff
