// `tuff bench ranks`: how well work on fields goes on over several processes.

#include "apps/bench/bench_commands.hpp"
#include "apps/bench/calibration.hpp"
#include "apps/bench/rank_cases.hpp"
#include "apps/bench/sizes.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/rank_device.hpp"
#include "apps/shared/rank_grid.hpp"
#include "core/text_table.hpp"
#include "gpu/execute/kernel_nodes.hpp"
#include "passes/registry.hpp"

#include <tuff/communicator.hpp>
#include <tuff/device.hpp>
#include <tuff/executor.hpp>
#include <tuff/external_memory.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tuff::cli {
namespace {

using bench::RankCase;
using passes::Cells;
using Clock = std::chrono::steady_clock;

/// What a step of a graph takes, of the rank that takes longest.
struct StepCost {
    double milliseconds = 0.0;
    double messages = 0.0;   ///< milliseconds that its host nodes take, waiting for others included
    double sent_bytes = 0.0; ///< by a rank
};

/// Sides of a field of about so many cells, alike along its axes.
Cells field_of(std::uint64_t cells, std::uint32_t axes) {
    const double side = std::pow(static_cast<double>(cells), 1.0 / axes);
    constexpr double kUnit = 8.0; // lengths that transforms and coarse grids like
    const auto sides =
        static_cast<std::uint32_t>(std::max(std::round(side / kUnit) * kUnit, kUnit));
    return {sides, sides, axes == 3 ? sides : 1};
}

std::string text_of(const Cells& cells) {
    return cells[2] == 1 ? fmt::format("{} x {}", cells[0], cells[1])
                         : fmt::format("{} x {} x {}", cells[0], cells[1], cells[2]);
}

/// What the messages of a plan send in an execution.
double sent_bytes(const Plan& plan) {
    double bytes = 0.0;
    for (const NodeId node : plan.order) {
        if (!std::holds_alternative<HostNode>(payload_of(plan.graph, node))) continue;
        const NodeDesc& desc = plan.graph.nodes[node.index];
        for (std::uint32_t a = 0; a < desc.access_count; ++a)
            if (const AccessDesc& access = access_of(plan.graph, node, a);
                !access.written && !plan.graph.resource_of(access.read).orders_only)
                bytes += static_cast<double>(access.range.size);
    }
    return bytes;
}

class RankBench {
  public:
    RankBench(const BenchRanksOptions& options, Communicator* ranks, Device& device)
        : options_(options), ranks_(ranks), device_(device), shaders_(passes::make_shaders()) {
        shaders_.add_embedded(bench::calibration_shaders());
    }

    std::uint32_t size() const { return ranks_ ? static_cast<std::uint32_t>(ranks_->size()) : 1; }

    /// How the ranks divide a field.
    Ranks grid_for(const Cells& cells) const {
        const auto grid = best_grid(cells, size());
        return {.grid = grid.value_or(std::array<std::uint32_t, 3>{size(), 1, 1}),
                .rank = ranks_ ? static_cast<std::uint32_t>(ranks_->rank()) : 0,
                .communicator = ranks_};
    }

    Result<StepCost> measure(const RankCase& one, const Ranks& ranks, const Cells& cells) {
        auto made = make(one, ranks, cells, false);
        if (!made) return propagate(std::move(made));
        Executor& executor = made->executor;
        if (auto ok = run(executor, 2); !ok) return propagate(std::move(ok)); // a history needs two
        auto first = timed(executor, 1);
        if (!first) return propagate(std::move(first));
        const auto count = static_cast<std::uint32_t>(
            std::clamp(1e3 * options_.seconds / kSamples / std::max(*first, 1e-3), 1.0, 1e4));
        std::vector<double> samples;
        for (std::size_t i = 0; i < kSamples; ++i) {
            auto sample = timed(executor, count);
            if (!sample) return propagate(std::move(sample));
            samples.push_back(*sample);
        }
        std::ranges::sort(samples);
        StepCost cost{.milliseconds = samples[kSamples / 2] / one.steps,
                      .sent_bytes = made->sent_bytes / one.steps};
        for (const NodeTiming& node : executor.timings().nodes)
            if (node.queue == Queue::host) cost.messages += node.milliseconds / one.steps;
        std::array<double, 1> messages{cost.messages};
        if (auto ok = greatest(messages); !ok) return propagate(std::move(ok));
        cost.messages = messages[0];
        return cost;
    }

    /// Whether the ranks together get the bits that one gets alone; nothing where that is not
    /// asked.
    Result<std::optional<bool>> same_bits(const RankCase& one, const Cells& cells) {
        std::vector<std::byte> results[2];
        for (const bool together : {false, true}) {
            const Ranks ranks = together ? grid_for(cells) : Ranks{};
            auto made = make(one, ranks, cells, true);
            if (!made) return propagate(std::move(made));
            if (!made->has_whole) return std::optional<bool>();
            if (auto ok = run(made->executor, 3); !ok) return propagate(std::move(ok));
            auto bytes = made->executor.read_buffer("whole");
            if (!bytes) return propagate(std::move(bytes));
            results[together] = std::move(*bytes);
        }
        return std::optional(results[0] == results[1] || (ranks_ && ranks_->rank() > 0));
    }

  private:
    static constexpr std::size_t kSamples = 5;

    struct Made {
        Executor executor;
        double sent_bytes = 0.0; ///< in an execution
        bool has_whole = false;  ///< the output "whole"
    };

    Result<Made> make(const RankCase& one, const Ranks& ranks, const Cells& cells, bool whole) {
        Graph graph(shaders_, device_.caps());
        graph.set_ranks(ranks);
        const Buffer result = one.build(graph, cells, whole);
        if (result) graph.output("whole", result);
        const auto memory = memory_model(device_);
        auto plan = compile(std::move(graph).finish(), device_.caps(), {.memory = memory.get()});
        if (!plan) return propagate(std::move(plan));
        const double sent = sent_bytes(*plan);
        auto executor =
            Executor::create(device_, shaders_, std::make_shared<const Plan>(std::move(*plan)));
        if (!executor) return propagate(std::move(executor));
        return Made{std::move(*executor), sent, bool(result)};
    }

    static Result<void> run(Executor& executor, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            if (auto ok = executor.execute(); !ok) return ok;
        return executor.wait();
    }

    Result<void> greatest(std::span<double> numbers) {
        return ranks_ ? ranks_->all_reduce(numbers, Reduction::max) : Result<void>();
    }

    /// Milliseconds of an execution, of the rank that takes longest.
    Result<double> timed(Executor& executor, std::uint32_t count) {
        if (ranks_)
            if (auto ok = ranks_->barrier(); !ok) return propagate(std::move(ok));
        const Clock::time_point start = Clock::now();
        if (auto ok = run(executor, count); !ok) return propagate(std::move(ok));
        std::array<double, 1> each{
            std::chrono::duration<double, std::milli>(Clock::now() - start).count() / count};
        if (auto ok = greatest(each); !ok) return propagate(std::move(ok));
        return each[0];
    }

    const BenchRanksOptions& options_;
    Communicator* ranks_;
    Device& device_;
    ShaderLibrary shaders_;
};

/// A row of the table.
struct Row {
    const RankCase& of;
    Cells cells{};
    std::array<std::uint32_t, 3> grid{};
    StepCost alone;
    StepCost larger;   ///< on a field as many times larger as there are ranks
    StepCost together; ///< on the field of one
    std::optional<bool> same_bits;
};

constexpr std::string_view kCsvHeader =
    "case,axes,cells,ranks,grid,alone_ms,weak_ms,weak_efficiency,strong_ms,speedup,sent_bytes,"
    "messages_ms,same_bits\n";

class RankTable {
  public:
    RankTable()
        : table_({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right,
                  Align::right, Align::right, Align::right, Align::left}) {
        table_.add({"case", "cells of a rank", "alone ms", "weak ms", "efficiency", "strong ms",
                    "speed-up", "sent", "messages ms", "same bits"});
    }
    void add(const Row& row, std::uint32_t ranks) {
        const double efficiency = row.alone.milliseconds / row.larger.milliseconds;
        const double speed_up = row.alone.milliseconds / row.together.milliseconds;
        const std::string same = !row.same_bits ? "not asked" : *row.same_bits ? "yes" : "no";
        table_.add({fmt::format("{}, a {}", row.of.name, row.of.step), text_of(row.cells),
                    fmt::format("{:.3f}", row.alone.milliseconds),
                    fmt::format("{:.3f}", row.larger.milliseconds),
                    fmt::format("{:.0f} %", 100.0 * efficiency),
                    fmt::format("{:.3f}", row.together.milliseconds),
                    fmt::format("{:.2f}", speed_up),
                    human_bytes(static_cast<std::uint64_t>(row.larger.sent_bytes)),
                    fmt::format("{:.3f}", row.larger.messages), same});
        csv_ += fmt::format(
            "{},{},{},{},{}x{}x{},{:.6g},{:.6g},{:.4f},{:.6g},{:.4f},{:.0f},{:.6g},{}\n",
            row.of.name, row.of.axes, text_of(row.cells), ranks, row.grid[0], row.grid[1],
            row.grid[2], row.alone.milliseconds, row.larger.milliseconds, efficiency,
            row.together.milliseconds, speed_up, row.larger.sent_bytes, row.larger.messages, same);
    }
    std::string text() const { return table_.text(); }
    const std::string& csv() const { return csv_; }

  private:
    TextTable table_;
    std::string csv_{kCsvHeader};
};

/// What is measured, checked before anything begins.
struct Chosen {
    std::vector<RankCase> cases;
    std::vector<std::uint64_t> cells; ///< of a rank; empty: by the kind of device
};

Outcome<Chosen> chosen(const BenchRanksOptions& options) {
    Chosen result;
    for (RankCase& one : bench::rank_cases()) {
        const auto found = [&](const std::string& pattern) {
            return bench::matches(one.name, pattern);
        };
        if (options.patterns.empty() || std::ranges::any_of(options.patterns, found))
            result.cases.push_back(std::move(one));
    }
    if (result.cases.empty()) {
        std::vector<std::string> names;
        for (const RankCase& one : bench::rank_cases())
            if (std::ranges::find(names, one.name) == names.end()) names.emplace_back(one.name);
        return usage_failure(fail("cli/no-case",
                                  fmt::format("no case matches '{}'", options.patterns.front()),
                                  fmt::format("the cases are {}", fmt::join(names, ", ")))
                                 .error());
    }
    auto cells = bench::parse_sizes(options.cells);
    if (!cells) return usage_failure(std::move(cells.error()));
    result.cells = std::move(*cells);
    if (!options.csv.empty())
        if (auto writable = check_writable(options.csv); !writable)
            return pass_on(std::move(writable));
    return result;
}

Result<Row> measured(RankBench& bench, const RankCase& one, std::uint64_t count,
                     std::optional<bool> same_bits) {
    Row row{.of = one, .cells = field_of(count, one.axes), .same_bits = same_bits};
    const Ranks ranks = bench.grid_for(row.cells);
    row.grid = ranks.grid;
    Cells larger = row.cells;
    for (std::size_t axis = 0; axis < 3; ++axis)
        larger[axis] *= row.grid[axis];
    const std::tuple<StepCost&, Ranks, Cells> all[] = {{row.alone, Ranks{}, row.cells},
                                                       {row.larger, ranks, larger},
                                                       {row.together, ranks, row.cells}};
    for (const auto& [cost, of, cells] : all) {
        auto step = bench.measure(one, of, cells);
        if (!step) return propagate(std::move(step));
        cost = *step;
    }
    return row;
}

/// On how many devices the ranks are; to rank 0.
Result<std::size_t> device_count(const Device& device, Communicator* ranks) {
    if (!ranks) return 1;
    const DeviceIdentity own = external_caps(device).identity;
    auto all = ranks->gather(std::as_bytes(std::span(own.device)), 0);
    if (!all) return propagate(std::move(all));
    std::set<std::pair<std::string, std::vector<std::byte>>> devices;
    for (std::size_t rank = 0; rank < all->size(); ++rank)
        devices.emplace(ranks->host(static_cast<std::int32_t>(rank)), (*all)[rank]);
    return devices.size();
}

Outcome<void> measure_all(const BenchRanksOptions& options, const Chosen& chosen,
                          Communicator* ranks, Terminal& terminal) {
    constexpr std::uint64_t kChecked = 1u << 14; // cells of the field whose bits are compared
    DeviceFlags flags = options.device;
    if (ranks) {
        const auto devices = list_devices();
        if (!devices) return run_failure(devices.error());
        flags.select = device_of_rank(flags.select, *devices, ranks->local_rank());
    }
    auto device = open_device(flags, terminal);
    if (!device) return pass_on(std::move(device));
    std::vector<std::uint64_t> counts = chosen.cells;
    if (counts.empty())
        counts.push_back(std::uint64_t{1} << (device->caps().type == DeviceType::cpu ? 14 : 24));
    RankBench bench(options, ranks, *device);
    RankTable table;
    bool all_same = true;
    for (const RankCase& one : chosen.cases) {
        const auto same = bench.same_bits(one, field_of(kChecked, one.axes));
        if (!same) return run_failure(same.error());
        all_same = all_same && same->value_or(true);
        for (const std::uint64_t count : counts) {
            if (count > one.most_cells) continue;
            auto row = measured(bench, one, count, *same);
            if (!row) return run_failure(std::move(row.error()));
            table.add(*row, bench.size());
        }
    }
    const auto devices = device_count(*device, ranks);
    if (!devices) return run_failure(devices.error());
    if (ranks && ranks->rank() > 0) return check_validation(*device);
    terminal.print(fmt::format("{} ranks on {} device{}, rank 0 on {}\n{}", bench.size(), *devices,
                               *devices == 1 ? "" : "s", device->caps().name, table.text()));
    if (!options.csv.empty())
        if (auto written = write_text_file(options.csv, table.csv()); !written)
            return pass_on(std::move(written));
    if (!all_same)
        return run_failure(fail("bench/wrong-result",
                                "ranks together have other bits than one alone",
                                "the time of a wrong result means nothing")
                               .error());
    return check_validation(*device);
}

} // namespace

Outcome<void> run_bench_ranks(const BenchRanksOptions& options, Terminal& terminal) {
    auto what = chosen(options);
    std::unique_ptr<Communicator> ranks;
    if (Communicator::launched()) {
        auto joined =
            Communicator::join({.timeout = std::chrono::seconds(60),
                                .lend_memory = options.lend == BenchRanksOptions::Lend::on});
        if (!joined) return run_failure(std::move(joined.error()));
        ranks = std::move(*joined);
    }
    if (!what) { // the same on all ranks: the first says it, if no other one ends the job before
        if (ranks && ranks->rank() > 0) return {};
        return pass_on(std::move(what));
    }
    if (!ranks || ranks->size() == 1) return measure_all(options, *what, nullptr, terminal);
    auto done = measure_all(options, *what, ranks.get(), terminal);
    if (done) return done;
    // Others wait for messages of this one.
    std::fputs(to_string(done.error().diagnostics).c_str(), stderr);
    std::fflush(stderr);
    ranks->abort(done.error().exit_code);
    std::unreachable();
}

} // namespace tuff::cli
