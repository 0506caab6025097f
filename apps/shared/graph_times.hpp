#pragma once

#include "apps/shared/outcome.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// How long the shipped graphs take on the devices they were measured on: docs/measurements.csv.
namespace tuff::cli {

struct GraphTime {
    std::string graph;
    std::string device; ///< as people say it; one row a graph and device
    std::string driver;
    std::string date; ///< "2026-11-22"
    std::uint32_t width = 0;
    std::uint32_t height = 0;      ///< texels of the graph's first picture
    double gpu_milliseconds = 0.0; ///< median over the frames, from the device's timestamps
    std::uint32_t frames = 0;      ///< that were measured
    bool same_row(const GraphTime& other) const {
        return graph == other.graph && device == other.device;
    }
};

/// The rows of a file; none where there is no such file. Error: cli/bad-times.
Outcome<std::vector<GraphTime>> read_graph_times(const std::filesystem::path& file);

/// The rows as a file, sorted by graph and device.
std::string graph_times_text(std::vector<GraphTime> times);

/// `known` with `fresh` in it, in place of the row of the same graph and device if there is one.
void put_graph_time(std::vector<GraphTime>& known, GraphTime fresh);

} // namespace tuff::cli
