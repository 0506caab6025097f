#include "apps/tuff/report/image_statistics.hpp"

#include "core/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tuff::cli {
namespace {

/// Adds `value`; `mean` holds the sum until `finish`.
void add(ChannelStatistics& channel, double value) {
    if (std::isnan(value)) {
        ++channel.nan;
    } else if (std::isinf(value)) {
        ++channel.infinite;
    } else {
        channel.low = channel.finite ? std::min(channel.low, value) : value;
        channel.high = channel.finite ? std::max(channel.high, value) : value;
        channel.mean += value;
        ++channel.finite;
    }
}

void finish(ChannelStatistics& channel) {
    if (channel.finite) channel.mean /= static_cast<double>(channel.finite);
}

} // namespace

std::vector<ChannelStatistics> image_statistics(const HostImage& image) {
    static constexpr const char* kNames[] = {"r", "g", "b", "a"};
    const FormatInfo& format = info(image.format);
    const std::uint32_t count = format.depth ? 1 : format.channels;
    std::vector<ChannelStatistics> channels(count);
    for (std::uint32_t c = 0; c < count; ++c)
        channels[c].name = format.depth ? "depth" : kNames[c];
    for (std::uint32_t z = 0; z < image.extent.depth; ++z)
        for (std::uint32_t y = 0; y < image.extent.height; ++y)
            for (std::uint32_t x = 0; x < image.extent.width; ++x) {
                const std::array<float, 4> texel = image.texel(x, y, z);
                for (std::uint32_t c = 0; c < count; ++c)
                    add(channels[c], static_cast<double>(texel[c]));
            }
    std::ranges::for_each(channels, finish);
    return channels;
}

template <typename T>
ChannelStatistics buffer_statistics(const std::vector<std::byte>& bytes, std::string name) {
    ChannelStatistics channel{.name = std::move(name)};
    for (std::size_t offset = 0; offset + sizeof(T) <= bytes.size(); offset += sizeof(T)) {
        T value;
        std::memcpy(&value, bytes.data() + offset, sizeof(T));
        add(channel, static_cast<double>(value));
    }
    finish(channel);
    return channel;
}

template ChannelStatistics buffer_statistics<float>(const std::vector<std::byte>&, std::string);
template ChannelStatistics buffer_statistics<std::uint32_t>(const std::vector<std::byte>&,
                                                            std::string);
template ChannelStatistics buffer_statistics<std::int32_t>(const std::vector<std::byte>&,
                                                           std::string);
template ChannelStatistics buffer_statistics<std::uint8_t>(const std::vector<std::byte>&,
                                                           std::string);

std::string statistics_table(const std::vector<ChannelStatistics>& channels) {
    TextTable table(
        {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right});
    table.add({"channel", "min", "max", "mean", "NaN", "Inf"});
    for (const ChannelStatistics& c : channels)
        table.add({c.name, c.finite ? fmt::format("{:.6g}", c.low) : "-",
                   c.finite ? fmt::format("{:.6g}", c.high) : "-",
                   c.finite ? fmt::format("{:.6g}", c.mean) : "-", std::to_string(c.nan),
                   std::to_string(c.infinite)});
    return table.text();
}

} // namespace tuff::cli
