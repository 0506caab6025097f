#include "apps/tuff/report/image_statistics.hpp"

#include "core/element_numbers.hpp"
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

std::vector<ChannelStatistics> buffer_statistics(const std::vector<std::byte>& bytes,
                                                 const BufferElements& elements) {
    std::vector<ChannelStatistics> channels;
    for (const ElementMember& member : elements.members()) {
        ChannelStatistics channel{.name = member.name.empty() ? std::string(elements.name())
                                                              : member.name};
        for (std::size_t start = 0; start + elements.bytes() <= bytes.size();
             start += elements.bytes())
            for (std::uint32_t i = 0; i < member.count; ++i)
                with_number(member.type,
                            bytes.data() + start + member.offset + i * element_bytes(member.type),
                            [&](auto value) { add(channel, static_cast<double>(value)); });
        finish(channel);
        channels.push_back(std::move(channel));
    }
    return channels;
}

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
