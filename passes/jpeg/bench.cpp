#include "apps/bench/checks.hpp"
#include "apps/bench/turbojpeg.hpp"
#include "passes/jpeg/decode.hpp"
#include "passes/jpeg/decode_stream.hpp"
#include "passes/jpeg/encode.hpp"
#include "passes/jpeg/encode_blocks.hpp"
#include "passes/jpeg/stitch.hpp"

#include <tuff/image.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace tuff::bench {
namespace {

using passes::JpegSampling;
using passes::JpegTables;

/// Slopes of color with edges and a little grain, which take about as many bits as photographs.
ImageInput<std::uint32_t> jpeg_source(CaseBuilder& c) {
    const std::uint64_t width = c.extent().width;
    return c.image<std::uint32_t>("source", Format::rgba8_unorm, [width](std::uint64_t i) {
        const auto x = static_cast<double>(i % width);
        const auto y = static_cast<double>(i / width);
        const double edge = i % width / 53 % 2 == i / width / 37 % 2 ? 25.0 : -25.0;
        std::uint32_t texel = 255u << 24;
        for (std::uint32_t channel = 0; channel < 3; ++channel) {
            const double slope = 60.0 * std::sin(0.013 * x + channel) * std::cos(0.017 * y);
            const double grain = 6.0 * (hash_unit(3 * i + channel) - 0.5);
            texel |= static_cast<std::uint32_t>(std::lround(128.0 + slope + edge + grain))
                     << (8 * channel);
        }
        return texel;
    });
}

/// Decibels of three channels of RGBA.
double psnr_of(std::span<const std::byte> got, std::span<const std::byte> expected) {
    if (got.size() != expected.size()) return 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (i % 4 == 3) continue;
        const double difference = std::to_integer<int>(got[i]) - std::to_integer<int>(expected[i]);
        squares += difference * difference;
    }
    const double mean = squares / (0.75 * static_cast<double>(got.size()));
    return 10.0 * std::log10(255.0 * 255.0 / std::max(mean, 1e-9));
}

constexpr double kLongerThanTheirs = 1.01;
/// Luma's codes are not made for chroma.
constexpr double kLongerByOneTable = 1.04;

/// A file is right if it shows what the library's file of the same settings shows, and is at most
/// `longer` times as long; without the library, if the picture is near.
Verdict check_jpeg_file(CaseResults& results, std::span<const std::byte> file,
                        const ImageInput<std::uint32_t>& source, int quality, JpegSampling sampling,
                        double longer = kLongerThanTheirs) {
    auto decoded = decode_image(file, "file.jpg");
    if (!decoded) return std::unexpected(decoded.error().front().message);
    const std::span<const std::byte> pixels(*source.bytes);
    const double ours = psnr_of(decoded->texels, pixels);
    results.set_remark(fmt::format("{} bytes, {:.1f} dB", file.size(), ours));
    const auto turbo =
        by_turbojpeg(pixels, source.extent, quality, static_cast<HostSampling>(sampling));
    if (!turbo) {
        if (ours < 25.0) return std::unexpected(fmt::format("it has {:.1f} dB", ours));
        return {};
    }
    results.add_peer({turbo->name, turbo->encode_milliseconds});
    const auto theirs = decode_image(turbo->file, "file.jpg");
    const double their = theirs ? psnr_of(theirs->texels, pixels) : 0.0;
    if (ours < their - 0.1)
        return std::unexpected(
            fmt::format("it has {:.2f} dB, libjpeg-turbo's {:.2f} dB", ours, their));
    if (static_cast<double>(file.size()) > longer * static_cast<double>(turbo->file.size()) + 16.0)
        return std::unexpected(
            fmt::format("it has {} bytes, libjpeg-turbo's {}", file.size(), turbo->file.size()));
    return {};
}

struct EncodeSettings {
    int quality = 75;
    JpegSampling sampling = JpegSampling::s420;
    JpegTables tables = JpegTables::standard;
    int restart = 0;
};

void encode_file(CaseBuilder& c, const EncodeSettings& settings) {
    const auto source = jpeg_source(c);
    const auto pass = c.add(passes::JpegEncode{.source = source.image,
                                               .quality = settings.quality,
                                               .sampling = settings.sampling,
                                               .tables = settings.tables,
                                               .restart = settings.restart});
    c.output("file", pass.file);
    c.output("length", pass.length);
    c.check([source, settings](CaseResults& results) -> Verdict {
        std::vector<std::byte> file = results.read_bytes("file");
        const std::vector<std::uint32_t> length = results.read<std::uint32_t>("length");
        if (length.empty() || length[0] > file.size())
            return std::unexpected("there is no room for the file");
        file.resize(length[0]);
        return check_jpeg_file(results, file, source, settings.quality, settings.sampling);
    });
}

/// The time of the CPU's part stands beside.
void encode_slots(CaseBuilder& c, const EncodeSettings& settings) {
    const auto source = jpeg_source(c);
    const auto pass = c.add(passes::JpegEncodeBlocks{.source = source.image,
                                                     .quality = settings.quality,
                                                     .sampling = settings.sampling,
                                                     .tables = settings.tables});
    c.output("luma", pass.luma);
    c.output("blue", pass.blue);
    c.output("red", pass.red);
    c.check([source, settings](CaseResults& results) -> Verdict {
        const std::array slots{results.read<std::uint32_t>("luma"),
                               results.read<std::uint32_t>("blue"),
                               results.read<std::uint32_t>("red")};
        const std::array<std::span<const std::uint32_t>, 3> spans{slots[0], slots[1], slots[2]};
        const auto begin = std::chrono::steady_clock::now();
        const std::vector<std::byte> file = passes::jpeg::stitch({.size = source.extent,
                                                                  .quality = settings.quality,
                                                                  .sampling = settings.sampling,
                                                                  .tables = settings.tables},
                                                                 spans);
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - begin;
        results.add_peer({"putting together on 1 core", taken.count()});
        const bool one_table = settings.tables == passes::JpegTables::single;
        return check_jpeg_file(results, file, source, settings.quality, settings.sampling,
                               one_table ? kLongerByOneTable : kLongerThanTheirs);
    });
}

/// What the host does of the decoding, in milliseconds.
double host_milliseconds(std::span<const std::byte> file) {
    const auto begin = std::chrono::steady_clock::now();
    const auto header = passes::jpeg::read_header(file);
    if (header) (void)passes::jpeg::read_stream(file, *header);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
}

/// A file of libjpeg-turbo's, decoded to the same bytes.
void decode_file(CaseBuilder& c, const EncodeSettings& settings) {
    const auto source = jpeg_source(c);
    const auto turbo = by_turbojpeg(*source.bytes, source.extent, settings.quality,
                                    static_cast<HostSampling>(settings.sampling));
    if (!turbo) return c.skip("libjpeg-turbo is not there to make the file");
    const Buffer file =
        c.graph().constant_buffer("file", {.size = turbo->file.size()},
                                  std::make_shared<const std::vector<std::byte>>(turbo->file));
    const Image result = c.add(passes::JpegDecode{.file = file}).result;
    c.output("result", result);
    c.check([turbo](CaseResults& results) -> Verdict {
        results.add_peer({turbo->name, turbo->decode_milliseconds});
        results.set_remark(fmt::format("{} bytes, which the host reads in {:.2f} ms",
                                       turbo->file.size(), host_milliseconds(turbo->file)));
        const HostImage got = results.read_image("result");
        if (got.texels != turbo->decoded)
            return std::unexpected("the picture is not libjpeg-turbo's");
        return {};
    });
}

} // namespace

void add_jpeg_cases(CaseList& cases) {
    constexpr std::uint64_t kMax = std::uint64_t{1} << 26;
    const auto add = [&](std::string_view pass, std::string name, auto function,
                         EncodeSettings settings) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = [function, settings](CaseBuilder& c) { function(c, settings); },
                   .least = 64,
                   .most = kMax});
    };
    constexpr std::string_view kEncode = passes::JpegEncode::kName;
    for (const int quality : {50, 75, 100}) {
        add(kEncode, fmt::format("quality {} 4:2:0", quality), encode_file, {.quality = quality});
        add(kEncode, fmt::format("quality {} 4:2:2", quality), encode_file,
            {.quality = quality, .sampling = JpegSampling::s422});
        add(kEncode, fmt::format("quality {} 4:4:4", quality), encode_file,
            {.quality = quality, .sampling = JpegSampling::s444});
    }
    add(kEncode, "quality 75 4:2:0 optimised tables", encode_file,
        {.tables = JpegTables::optimised});
    add(kEncode, "quality 75 4:2:0 restart markers", encode_file, {.restart = 16});
    add(passes::JpegEncodeBlocks::kName, "quality 75 4:2:0 one table", encode_slots,
        {.tables = JpegTables::single});
    add(passes::JpegEncodeBlocks::kName, "quality 100 4:4:4", encode_slots,
        {.quality = 100, .sampling = JpegSampling::s444});
    constexpr std::string_view kDecode = passes::JpegDecode::kName;
    add(kDecode, "quality 75 4:2:0", decode_file, {});
    add(kDecode, "quality 75 4:2:2", decode_file, {.sampling = JpegSampling::s422});
    add(kDecode, "quality 100 4:4:4", decode_file,
        {.quality = 100, .sampling = JpegSampling::s444});
}

} // namespace tuff::bench
