#include "apps/tuff/report/rank_timings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tuff::cli {
namespace {

/// The nodes of one name of all ranks that have it.
struct Row {
    std::string name;
    bool on_host = false;
    bool once = false;
    std::uint32_t times = 0; ///< the most of a rank
    std::size_t ranks = 0;
    double least = 0.0;
    double sum = 0.0;
    double greatest = 0.0;
    std::size_t slowest = 0; ///< rank
    double waited = 0.0;     ///< the most of a rank
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;

    void add(std::size_t rank, const NodeTotal& node) {
        if (ranks == 0 || node.milliseconds < least) least = node.milliseconds;
        if (ranks == 0 || node.milliseconds > greatest) {
            greatest = node.milliseconds;
            slowest = rank;
        }
        sum += node.milliseconds;
        times = std::max(times, node.times);
        waited = std::max(waited, node.waited);
        bytes_read += node.bytes_read;
        bytes_written += node.bytes_written;
        ++ranks;
    }
    double mean() const { return sum / static_cast<double>(ranks); }
};

std::vector<Row> rows_of(const std::vector<RankTimings>& ranks) {
    std::vector<Row> rows;
    std::map<std::pair<std::string_view, bool>, std::size_t> known;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (const NodeTotal& node : ranks[rank].nodes) {
            const auto [at, fresh] = known.try_emplace({node.name, node.once}, rows.size());
            if (fresh)
                rows.push_back(
                    {.name = node.name, .on_host = node.queue == Queue::host, .once = node.once});
            rows[at->second].add(rank, node);
        }
    std::ranges::stable_sort(rows, [](const Row& a, const Row& b) {
        if (a.once != b.once) return b.once;
        return a.mean() > b.mean();
    });
    return rows;
}

std::string milliseconds(double value) {
    return fmt::format("{:.3f} ms", value);
}

std::string about_host(const Row& row) {
    if (!row.on_host) return {};
    return fmt::format("host; waited {} at most for the device, sent {}, received {}",
                       milliseconds(row.waited), human_bytes(row.bytes_read),
                       human_bytes(row.bytes_written));
}

} // namespace

std::string without_iterations(const std::string& name) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        text += name[i];
        if (name[i] != '[') continue;
        const std::size_t end = name.find_first_not_of("0123456789", i + 1);
        if (end == std::string::npos || end == i + 1 || name[end] != ']') continue;
        text += '*';
        i = end - 1;
    }
    return text;
}

RankTimings totals_of(const ExecutionTimings& timings) {
    RankTimings result{.milliseconds = timings.milliseconds, .nodes = {}};
    std::map<std::pair<std::string, bool>, std::size_t> known;
    const auto add = [&](const NodeTiming& node, bool once) {
        const std::string name = without_iterations(node.name);
        const auto [at, fresh] = known.try_emplace({name, once}, result.nodes.size());
        if (fresh)
            result.nodes.push_back({.name = name, .queue = node.queue, .times = 0, .once = once});
        NodeTotal& total = result.nodes[at->second];
        ++total.times;
        total.milliseconds += node.milliseconds;
        total.waited += node.waited;
        total.bytes_read += node.bytes_read;
        total.bytes_written += node.bytes_written;
    };
    for (const NodeTiming& node : timings.nodes)
        add(node, false);
    for (const NodeTiming& node : timings.setup)
        add(node, true);
    return result;
}

Json::Value to_json(const RankTimings& timings) {
    Json::Value json;
    json["milliseconds"] = timings.milliseconds;
    json["nodes"] = Json::Value(Json::arrayValue);
    for (const NodeTotal& node : timings.nodes) {
        Json::Value& entry = json["nodes"].append({});
        entry["name"] = node.name;
        entry["host"] = node.queue == Queue::host;
        entry["times"] = node.times;
        entry["once"] = node.once;
        entry["milliseconds"] = node.milliseconds;
        if (node.queue != Queue::host) continue;
        entry["waited"] = node.waited;
        entry["bytes_read"] = Json::UInt64{node.bytes_read};
        entry["bytes_written"] = Json::UInt64{node.bytes_written};
    }
    return json;
}

RankTimings rank_timings_of(const Json::Value& json) {
    RankTimings timings{.milliseconds = json["milliseconds"].asDouble(), .nodes = {}};
    for (const Json::Value& entry : json["nodes"])
        timings.nodes.push_back({.name = entry["name"].asString(),
                                 .queue = entry["host"].asBool() ? Queue::host : Queue::graphics,
                                 .times = entry["times"].asUInt(),
                                 .once = entry["once"].asBool(),
                                 .milliseconds = entry["milliseconds"].asDouble(),
                                 .waited = entry["waited"].asDouble(),
                                 .bytes_read = entry["bytes_read"].asUInt64(),
                                 .bytes_written = entry["bytes_written"].asUInt64()});
    return timings;
}

std::string rank_timing_table(const std::vector<RankTimings>& ranks, const TextStyle& style) {
    Row whole{.name = "whole execution"};
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (ranks[rank].milliseconds <= 0.0) continue;
        whole.add(rank, {.name = whole.name, .times = 1, .milliseconds = ranks[rank].milliseconds});
    }
    if (whole.ranks == 0) return "the devices have no timestamps\n";
    TextTable table({Align::left, Align::right, Align::right, Align::right, Align::right});
    table.add({style.heading("node"), style.heading("times"), style.heading("least"),
               style.heading("mean"), style.heading("greatest"), style.heading("slowest")});
    const auto add = [&](const Row& row, std::string name, std::string times) {
        table.add({std::move(name), std::move(times), milliseconds(row.least),
                   milliseconds(row.mean()), milliseconds(row.greatest),
                   fmt::format("rank {}", row.slowest), about_host(row)});
    };
    std::vector<Row> rows = rows_of(ranks);
    const auto once = std::ranges::find(rows, true, &Row::once);
    for (auto row = rows.begin(); row != once; ++row)
        add(*row, style.name(row->name), fmt::format("{}", row->times));
    add(whole, whole.name, "");
    for (auto row = once; row != rows.end(); ++row)
        add(*row, style.name(row->name), "once");
    return table.text();
}

} // namespace tuff::cli
