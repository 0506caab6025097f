#include "apps/bench/bench_commands.hpp"
#include "apps/bench/synthetic_graphs.hpp"
#include "core/text_table.hpp"

#include <tuff/plan.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace tuff::cli {
namespace {

/// A way to compile that users choose between.
struct Mode {
    std::string_view name;
    CompileOptions options;
};
const std::array kModes = {
    Mode{"levels", {}}, Mode{"least-memory", {.memory_budget = 1}}, // a budget that nothing fits
};

struct Sample {
    double median = 0; ///< microseconds
    double low = 0;    ///< the fastest tenth is below
    double high = 0;   ///< the slowest tenth is above
};
struct Measured {
    Sample build_and_compile;
    PlanStatistics statistics;
};

Sample summary(std::vector<double> times) {
    std::ranges::sort(times);
    const auto at = [&](std::size_t tenths) { return times[(times.size() - 1) * tenths / 10]; };
    return {.median = at(5), .low = at(1), .high = at(9)};
}

/// Builds and compiles until enough time has passed for a median that means something; what the
/// first rounds cost is the machine's, not the compiler's. The plan before lives on until the next
/// is there, as in a program that replaces a running one.
Outcome<Measured> measure(const bench::Outline& outline, const CompileOptions& options) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::duration<double> kEnough{0.5};
    constexpr std::size_t kWarmUps = 3;
    constexpr std::size_t kFewest = 9;
    constexpr std::size_t kMax = 2000;
    std::vector<double> times;
    Measured measured;
    Plan running;
    const Clock::time_point start = Clock::now();
    for (std::size_t round = 0; round < kWarmUps + kMax; ++round) {
        const Clock::time_point before = Clock::now();
        Result<Plan> plan = compile(bench::build(outline), DeviceCaps{}, options);
        const Clock::time_point after = Clock::now();
        if (!plan) return run_failure(plan.error());
        running = *std::move(plan);
        measured.statistics = running.statistics;
        if (round >= kWarmUps)
            times.push_back(std::chrono::duration<double, std::micro>(after - before).count());
        if (times.size() >= kFewest && after - start > kEnough) break;
    }
    measured.build_and_compile = summary(std::move(times));
    return measured;
}

std::string csv_line(std::string_view graph, std::uint32_t passes, std::string_view mode,
                     const Measured& m) {
    const PlanStatistics& s = m.statistics;
    return fmt::format("{},{},{},{:.1f},{},{},{},{},{},{}\n", graph, passes, mode,
                       m.build_and_compile.median, s.levels, s.batches, s.image_barriers,
                       s.transient_bytes, s.naive_bytes, s.peak_bytes);
}

std::vector<std::string> table_row(std::string_view graph, std::uint32_t passes,
                                   std::string_view mode, const Measured& m) {
    const PlanStatistics& s = m.statistics;
    const Sample& t = m.build_and_compile;
    return {std::string(graph),
            fmt::format("{}", passes),
            std::string(mode),
            fmt::format("{:.1f}", t.median),
            fmt::format("{:.1f}-{:.1f}", t.low, t.high),
            fmt::format("{}", s.levels),
            fmt::format("{}", s.batches),
            fmt::format("{}", s.image_barriers),
            human_bytes(s.transient_bytes),
            human_bytes(s.naive_bytes),
            human_bytes(s.peak_bytes)};
}

Outcome<void> bench_compile(const BenchCompileOptions& options, Terminal& terminal) {
    constexpr auto kRight = Align::right;
    TextTable table({Align::left, kRight, Align::left, kRight, kRight, kRight, kRight, kRight,
                     kRight, kRight, kRight});
    table.add({"graph", "passes", "mode", "us", "10-90 %", "levels", "batches", "image barriers",
               "memory", "unshared", "peak"});
    if (options.csv)
        terminal.print("graph,passes,mode,microseconds,levels,batches,image_barriers,bytes,"
                       "naive_bytes,peak_bytes\n");
    for (const bench::Shape shape : {bench::Shape::chain, bench::Shape::dag, bench::Shape::wide})
        for (const std::uint32_t passes : options.passes) {
            const bench::Outline outline = bench::make_outline(shape, passes);
            for (const Mode& mode : kModes) {
                const auto measured = measure(outline, mode.options);
                if (!measured) return std::unexpected(measured.error());
                const std::string_view graph = bench::name_of(shape);
                if (options.csv)
                    terminal.print(csv_line(graph, passes, mode.name, *measured));
                else
                    table.add(table_row(graph, passes, mode.name, *measured));
            }
        }
    if (!options.csv) terminal.print(table.text());
    return {};
}

} // namespace

Outcome<void> run_bench_compile(const BenchCompileOptions& options, Terminal& terminal) {
    return bench_compile(options, terminal);
}

} // namespace tuff::cli
