#include "apps/tuff/report/golden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

namespace tuff::cli {
namespace {

namespace fs = std::filesystem;

bool has_eight_bits(Format format) {
    switch (format) {
    case Format::r8_unorm:
    case Format::rg8_unorm:
    case Format::rgba8_unorm:
    case Format::rgba8_srgb:
    case Format::bgra8_unorm:
    case Format::bgra8_srgb: return true;
    default: return false;
    }
}

/// Neither a volume nor of whole numbers: those are compared byte by byte.
bool is_picture(const FetchedOutput& result) {
    if (!result.is_image || result.image.extent.depth > 1) return false;
    const NumericKind kind = info(result.image.format).kind;
    return kind != NumericKind::uint && kind != NumericKind::sint;
}

const std::vector<std::byte>& bytes_of(const FetchedOutput& result) {
    return result.is_image ? result.image.texels : result.bytes;
}

/// Colours of any brightness as ones that can be told apart: distances are those of [0, 1].
HostImage within_one(HostImage image) {
    if (has_eight_bits(image.format)) return image;
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x) {
            auto texel = image.texel(x, y);
            for (float& value : texel)
                value = std::isnan(value) ? value : std::abs(value) / (1.0f + std::abs(value));
            image.set_texel(texel, x, y);
        }
    return image;
}

/// As the file holds it: 8 bits are sRGB-encoded.
Outcome<HostImage> read_back(const fs::path& file) {
    auto image = load_image(file, {.ldr = Format::rgba8_srgb});
    if (!image) return run_failure(std::move(image.error()));
    return std::move(*image);
}

Outcome<void> save_picture(const fs::path& file, const HostImage& image) {
    if (auto saved = save_image(file, image); !saved) return run_failure(std::move(saved.error()));
    return {};
}

Outcome<void> compare_pictures(GoldenCase& found, const FetchedOutput& result,
                               const GoldenLimits& limits, const fs::path& report_dir) {
    const std::string stem = found.golden.stem().string();
    // Both have gone through a file, so that neither has a finer format.
    const fs::path got = report_dir / (stem + "-got" + found.golden.extension().string());
    if (auto saved = save_output(result, got); !saved) return saved;
    auto theirs = read_back(found.golden);
    auto ours = read_back(got);
    if (!theirs) return pass_on(std::move(theirs));
    if (!ours) return pass_on(std::move(ours));

    const auto difference = compare_images(within_one(*ours), within_one(*theirs));
    if (!difference) {
        found.verdict = GoldenVerdict::differs;
        found.finding = difference.error().front().message;
    } else {
        const bool same = difference->mean_delta_e <= limits.mean &&
                          difference->worst.mean_delta_e <= limits.tile &&
                          std::isfinite(difference->max_absolute);
        found.verdict = same ? GoldenVerdict::same : GoldenVerdict::differs;
        found.finding = fmt::format(
            "mean colour distance {:.2f} (allowed {}), {:.2f} (allowed {}) in the tile at {}, {}",
            difference->mean_delta_e, limits.mean, difference->worst.mean_delta_e, limits.tile,
            difference->worst.left, difference->worst.top);
        if (!std::isfinite(difference->max_absolute))
            found.finding += "; one has NaN or infinity where the other is finite";
    }
    if (found.verdict == GoldenVerdict::same) {
        std::error_code ignored;
        fs::remove(got, ignored);
        return {};
    }
    found.shown_got = report_dir / (stem + "-got.png");
    found.shown_golden = report_dir / (stem + "-golden.png");
    if (auto saved = save_picture(found.shown_got, *ours); !saved) return saved;
    if (auto saved = save_picture(found.shown_golden, *theirs); !saved) return saved;
    if (!difference) return {};
    found.shown_difference = report_dir / (stem + "-difference.png");
    return save_picture(found.shown_difference, difference->picture);
}

Outcome<std::vector<std::byte>> read_bytes(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    if (!stream)
        return run_failure(
            fail("cli/unreadable", fmt::format("cannot read '{}'", file.string())).error());
    const auto* const first = reinterpret_cast<const std::byte*>(text.data());
    return std::vector<std::byte>(first, first + text.size());
}

Outcome<void> compare_bytes(GoldenCase& found, const std::vector<std::byte>& ours) {
    const auto theirs = read_bytes(found.golden);
    if (!theirs) return std::unexpected(theirs.error());
    if (theirs->size() != ours.size()) {
        found.verdict = GoldenVerdict::differs;
        found.finding = fmt::format("{} bytes, but {} are stored", ours.size(), theirs->size());
        return {};
    }
    const auto first = std::ranges::mismatch(ours, *theirs).in1;
    if (first == ours.end()) {
        found.finding = fmt::format("{} bytes", ours.size());
        return {};
    }
    found.verdict = GoldenVerdict::differs;
    found.finding =
        fmt::format("byte {} of {} is the first that differs", first - ours.begin(), ours.size());
    return {};
}

} // namespace

std::string_view name_of(GoldenVerdict verdict) {
    static constexpr std::string_view kNames[] = {"same", "differs", "missing", "stored"};
    return kNames[static_cast<std::size_t>(verdict)];
}

std::string golden_file_name(std::string_view config, std::string_view output,
                             const FetchedOutput& result) {
    std::string name = fmt::format("{}-{}", config, output);
    std::ranges::replace(name, '/', '.'); // outputs of used configs
    if (!is_picture(result)) return name + ".bin";
    return name + (has_eight_bits(result.image.format) ? ".png" : ".exr");
}

Outcome<void> store_golden(const FetchedOutput& result, const fs::path& golden) {
    if (is_picture(result)) return save_picture(golden, result.image);
    const std::vector<std::byte>& bytes = bytes_of(result);
    return write_text_file(golden, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Outcome<GoldenCase> compare_with_golden(std::string name, const FetchedOutput& result,
                                        const fs::path& golden, const GoldenLimits& limits,
                                        const fs::path& report_dir) {
    GoldenCase found{.name = std::move(name), .golden = golden};
    std::error_code error;
    if (!fs::exists(golden, error)) {
        found.verdict = GoldenVerdict::missing;
        found.finding = fmt::format("'{}' does not exist", golden.string());
        if (!is_picture(result)) return found;
        found.shown_got = report_dir / (golden.stem().string() + "-got.png");
        if (auto saved = save_picture(found.shown_got, result.image); !saved)
            return pass_on(std::move(saved));
        return found;
    }
    auto compared = is_picture(result) ? compare_pictures(found, result, limits, report_dir)
                                       : compare_bytes(found, bytes_of(result));
    if (!compared) return pass_on(std::move(compared));
    return found;
}

} // namespace tuff::cli
