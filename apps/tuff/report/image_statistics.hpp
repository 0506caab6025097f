#pragma once

#include <tuff/image.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tuff::cli {

/// What the values of one channel are like. NaN and infinities count apart.
struct ChannelStatistics {
    std::string name;
    double low = 0.0;
    double high = 0.0;
    double mean = 0.0;
    std::uint64_t finite = 0;
    std::uint64_t nan = 0;
    std::uint64_t infinite = 0;
};

/// One entry for each channel that the format has; sRGB is decoded.
std::vector<ChannelStatistics> image_statistics(const HostImage& image);

/// The elements of a buffer: a channel for each member of records, all numbers of others as one.
std::vector<ChannelStatistics> buffer_statistics(const std::vector<std::byte>& bytes,
                                                 const BufferElements& elements);

std::string statistics_table(const std::vector<ChannelStatistics>& channels);

} // namespace tuff::cli
