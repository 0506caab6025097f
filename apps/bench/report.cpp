#include "apps/bench/report.hpp"

#include <fmt/format.h>
#include <json/json.h>

#include <cmath>

namespace tuff::bench {
namespace {

constexpr double kGiga = 1e9;

Json::Value number(std::uint64_t value) {
    return Json::Value(static_cast<Json::UInt64>(value));
}

Json::Value row_of(const Measurement& m, const Limits& limits) {
    const Rate rate = rate_of(m, limits);
    Json::Value row;
    row["pass"] = m.pass;
    row["case"] = m.name;
    row["size"] = number(m.size);
    row["milliseconds"] = m.milliseconds.median;
    row["milliseconds_low"] = m.milliseconds.low;
    row["milliseconds_high"] = m.milliseconds.high;
    row["samples"] = number(m.milliseconds.samples);
    row["bytes"] = m.cost.bytes;
    row["operations"] = m.cost.operations;
    row["rate"] = rate.value;
    row["unit"] = std::string(rate.unit);
    row["share_of_limit"] = rate.share;
    row["checked"] = std::string(to_string(m.checked));
    if (!m.remark.empty()) row["remark"] = m.remark;
    for (const Peer& peer : m.peers) {
        Json::Value json;
        json["name"] = peer.name;
        json["milliseconds"] = peer.milliseconds;
        row["peers"].append(std::move(json));
    }
    for (const NodeTiming& node : m.nodes) {
        Json::Value json;
        json["name"] = node.name;
        json["milliseconds"] = node.milliseconds;
        row["nodes"].append(std::move(json));
    }
    return row;
}

} // namespace

Rate rate_of(const Measurement& m, const Limits& limits) {
    const double seconds = m.milliseconds.median * 1e-3;
    if (seconds <= 0.0) return {.unit = "Gitem/s"};
    const double bytes = m.cost.bytes / seconds;
    const double operations = m.cost.operations / seconds;
    const double of_memory = limits.bytes_per_second > 0.0 ? bytes / limits.bytes_per_second : 0.0;
    const double of_arithmetic =
        limits.operations_per_second > 0.0 ? operations / limits.operations_per_second : 0.0;
    if (of_memory <= 0.0 && of_arithmetic <= 0.0)
        return {.value = static_cast<double>(m.size) / seconds / kGiga, .unit = "Gitem/s"};
    if (of_arithmetic > of_memory)
        return {.value = operations / kGiga, .unit = "GFLOP/s", .share = of_arithmetic};
    return {.value = bytes / kGiga, .unit = "GB/s", .share = of_memory};
}

std::string csv_line(const Measurement& m, const Limits& limits) {
    const Rate rate = rate_of(m, limits);
    return fmt::format("{},{},{},{:.6g},{:.6g},{},{:.4f},{}\n", m.pass, m.name, m.size,
                       m.milliseconds.median, rate.value, rate.unit, rate.share,
                       to_string(m.checked));
}

std::string csv(const std::vector<Measurement>& measurements, const Limits& limits) {
    std::string text(kCsvHeader);
    for (const Measurement& m : limits.measurements)
        text += csv_line(m, limits);
    for (const Measurement& m : measurements)
        if (m.measured()) text += csv_line(m, limits);
    return text;
}

std::string json(const std::vector<Measurement>& measurements, const Limits& limits,
                 const DeviceCaps& caps) {
    Json::Value root;
    root["device"] = caps.name;
    root["driver"] = caps.driver;
    root["limits"]["gigabytes_per_second"] = limits.bytes_per_second / kGiga;
    root["limits"]["gigaflops"] = limits.operations_per_second / kGiga;
    root["limits"]["least_milliseconds"] = limits.least_milliseconds;
    root["rows"] = Json::arrayValue;
    root["skipped"] = Json::arrayValue;
    for (const Measurement& m : limits.measurements)
        root["rows"].append(row_of(m, limits));
    for (const Measurement& m : measurements) {
        if (m.measured()) {
            root["rows"].append(row_of(m, limits));
            continue;
        }
        Json::Value skipped;
        skipped["pass"] = m.pass;
        skipped["case"] = m.name;
        skipped["size"] = number(m.size);
        skipped["reason"] = m.remark;
        root["skipped"].append(std::move(skipped));
    }
    Json::StreamWriterBuilder writer;
    writer["indentation"] = "  ";
    writer["precision"] = 8;
    return Json::writeString(writer, root) + '\n';
}

} // namespace tuff::bench
