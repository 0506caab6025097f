#include "apps/bench/bench_commands.hpp"
#include "apps/bench/bench_table.hpp"
#include "apps/bench/calibration.hpp"
#include "apps/bench/comparison.hpp"
#include "apps/bench/report.hpp"
#include "apps/bench/sizes.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/interrupt.hpp"
#include "config/check/flat_config.hpp"
#include "passes/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace tuff::cli {
namespace {

constexpr double kGpuWarmUpSeconds = 1.0;

/// The cases that one of the patterns finds; all without patterns.
Outcome<std::vector<bench::Case>> chosen_cases(const std::vector<std::string>& patterns) {
    const bench::CaseList known = bench::all_cases();
    std::vector<bench::Case> chosen;
    for (const bench::Case& one : known.all()) {
        const auto found = [&](const std::string& pattern) {
            return bench::matches(one.full_name(), pattern);
        };
        if (patterns.empty() || std::ranges::any_of(patterns, found)) chosen.push_back(one);
    }
    if (!chosen.empty()) return chosen;
    std::vector<std::string> passes;
    for (const bench::Case& one : known.all())
        passes.push_back(one.pass);
    const std::string_view near = nearest_name(patterns.front(), passes);
    return usage_failure(fail("cli/no-case",
                              fmt::format("no benchmark case matches '{}'", patterns.front()),
                              near.empty() ? "'tuff bench --list' lists them"
                                           : fmt::format("did you mean '{}'?", near))
                             .error());
}

void list_cases(const std::vector<bench::Case>& cases, Terminal& terminal) {
    TextTable table({Align::left, Align::left, Align::right, Align::right});
    table.add({"pass", "case", "from", "to"});
    for (const bench::Case& one : cases)
        table.add({one.pass, one.name, bench::size_text(one.least), bench::size_text(one.most)});
    terminal.print(table.text());
}

bool has_code(const Diagnostics& problems, std::string_view code) {
    return std::ranges::any_of(problems, [&](const Diagnostic& d) { return d.code == code; });
}

/// A GPU that had nothing to do, as while the result before was checked, takes the better part of a
/// second to raise its clocks.
double warm_up_seconds(const BenchOptions& options, const Device& device) {
    return device.caps().type == DeviceType::cpu ? options.seconds
                                                 : std::max(options.seconds, kGpuWarmUpSeconds);
}

/// What `--against` and `--fail` say.
struct Yardstick {
    bench::Baseline baseline;
    double share = 0.0;
    bool fails = false;
};

Outcome<std::optional<Yardstick>> yardstick(const BenchOptions& options) {
    if (options.against.empty() && !options.fail.empty())
        return usage_failure(fail("bench/no-baseline", "--fail has nothing to compare with",
                                  "add --against FILE, which an earlier run wrote with --json")
                                 .error());
    if (options.against.empty()) return std::optional<Yardstick>();
    Yardstick made;
    if (!options.fail.empty()) {
        const auto share = bench::parse_share(options.fail);
        if (!share) return usage_failure(share.error());
        made.share = *share;
        made.fails = true;
    }
    auto text = read_text_file(options.against);
    if (!text) return usage_failure(std::move(text.error()));
    auto baseline = bench::Baseline::parse(options.against, std::move(*text));
    if (!baseline) return usage_failure(std::move(baseline.error()));
    made.baseline = std::move(*baseline);
    return std::optional(std::move(made));
}

/// Measures the chosen cases one after the other. What is there is in the files after each.
class BenchRun {
  public:
    BenchRun(const BenchOptions& options, std::vector<bench::Case> cases,
             std::optional<Yardstick> yardstick, Device& device, Terminal& terminal)
        : options_(options), cases_(std::move(cases)), yardstick_(std::move(yardstick)),
          device_(device), terminal_(terminal),
          shaders_(passes::make_shaders()), measure_{.seconds = options.seconds,
                                                     .warm_up = warm_up_seconds(options, device),
                                                     .timings =
                                                         options.nodes || !options.json.empty()
                                                             ? Timings::nodes
                                                             : Timings::executions},
          table_(cases_, terminal) {
        shaders_.add_embedded(bench::calibration_shaders());
    }

    Outcome<void> run(std::vector<std::uint64_t> sizes) {
        if (sizes.empty()) sizes = bench::default_sizes(device_.caps());
        std::size_t total = 0;
        for (const bench::Case& one : cases_)
            total += bench::sizes_for(one, sizes, device_.caps()).size();
        table_.progress("measuring what the device can do");
        auto limits = bench::calibrate(device_, shaders_,
                                       {.seconds = std::max(options_.seconds, 0.1),
                                        .warm_up = std::max(measure_.warm_up, 0.1)});
        table_.clear_progress();
        if (!limits) return run_failure(std::move(limits.error()));
        limits_ = std::move(*limits);
        table_.begin(device_.caps(), limits_);

        const InterruptGuard guard;
        std::size_t done = 0;
        for (const bench::Case& one : cases_)
            for (const std::uint64_t size : bench::sizes_for(one, sizes, device_.caps())) {
                if (guard.interrupted()) return interrupted(done, total);
                table_.progress(fmt::format("[{}/{}] {} at {}", ++done, total, one.full_name(),
                                            bench::size_text(size)));
                if (auto ok = measure(one, size); !ok) return ok;
            }
        return finish();
    }

  private:
    /// What is wrong with one case is told at once, and the others go on; without a device nothing
    /// does.
    Outcome<void> measure(const bench::Case& one, std::uint64_t size) {
        auto measured = bench::measure(device_, shaders_, one, size, measure_);
        table_.clear_progress();
        if (!measured) {
            if (has_code(measured.error(), "gpu/device-lost"))
                return run_failure(std::move(measured.error()));
            report_failure(one, size, std::move(measured.error()));
            return {};
        }
        table_.add(*measured, limits_);
        if (options_.nodes) table_.add_nodes(*measured);
        terminal_.flush();
        if (measured->checked == bench::Checked::wrong)
            report_failure(one, size,
                           {{.code = "bench/wrong-result",
                             .message = measured->remark,
                             .hint = "the time of a wrong result means nothing"}});
        measurements_.push_back(std::move(*measured));
        return write_files();
    }

    void report_failure(const bench::Case& one, std::uint64_t size, Diagnostics problems) {
        for (Diagnostic& problem : problems)
            problem.message = fmt::format("{} at {}: {}", one.full_name(), bench::size_text(size),
                                          problem.message);
        terminal_.report(problems);
        ++failures_;
    }

    Outcome<void> write_files() const {
        if (!options_.csv.empty())
            if (auto ok = write_text_file(options_.csv, bench::csv(measurements_, limits_)); !ok)
                return ok;
        if (options_.json.empty()) return {};
        return write_text_file(options_.json, bench::json(measurements_, limits_, device_.caps()));
    }

    Outcome<void> interrupted(std::size_t done, std::size_t total) {
        table_.clear_progress();
        return run_failure(fail("cli/interrupted",
                                fmt::format("interrupted after {} of {} measurements", done, total),
                                "files written so far are whole")
                               .error());
    }

    Outcome<void> finish() {
        table_.clear_progress();
        if (auto ok = check_validation(device_); !ok) return ok;
        if (auto ok = write_files(); !ok) return ok; // nothing may have been measured
        const std::uint64_t slower = yardstick_ ? compare(*yardstick_) : 0;
        if (failures_ == 0 && slower == 0) return {};
        if (failures_ == 0)
            return run_failure(
                fail("bench/slower",
                     fmt::format("{} slower than in '{}' by more than {}",
                                 slower == 1 ? "1 case is" : fmt::format("{} cases are", slower),
                                 options_.against, options_.fail),
                     "measure once more, with a longer --seconds")
                    .error());
        return run_failure(fail("bench/failed", fmt::format("{} failed or gave a wrong result",
                                                            counted(failures_, "measurement")))
                               .error());
    }

    /// Prints what has changed. Returns how many cases are too slow.
    std::uint64_t compare(const Yardstick& yardstick) {
        const bench::Baseline& baseline = yardstick.baseline;
        const DeviceCaps& caps = device_.caps();
        if (baseline.device() != caps.name || baseline.driver() != caps.driver)
            terminal_.report({{.code = "bench/other-device",
                               .severity = Severity::warning,
                               .message = fmt::format(
                                   "'{}' was measured on {} with driver {}, this run on {} with {}",
                                   options_.against, baseline.device(), baseline.driver(),
                                   caps.name, caps.driver),
                               .hint = "the change is that of the device as well"}});
        const auto comparisons = bench::compare(measurements_, baseline);
        if (comparisons.empty())
            terminal_.report({{.code = "bench/nothing-to-compare",
                               .severity = Severity::warning,
                               .message = fmt::format(
                                   "'{}' has none of the cases at the sizes of this run",
                                   options_.against),
                               .hint = "choose the same cases and --sizes"}});
        else
            terminal_.print('\n' + bench::comparison_table(comparisons, yardstick.share));
        if (!yardstick.fails) return 0;
        return static_cast<std::uint64_t>(
            std::ranges::count_if(comparisons, [&](const bench::Comparison& one) {
                return one.slower_than(yardstick.share);
            }));
    }

    const BenchOptions& options_;
    std::vector<bench::Case> cases_;
    std::optional<Yardstick> yardstick_;
    Device& device_;
    Terminal& terminal_;
    ShaderLibrary shaders_;
    bench::MeasureOptions measure_;
    BenchTable table_;
    bench::Limits limits_;
    std::vector<bench::Measurement> measurements_;
    std::uint64_t failures_ = 0;
};

Outcome<void> bench(const BenchOptions& options, Terminal& terminal) {
    auto cases = chosen_cases(options.patterns);
    if (!cases) return pass_on(std::move(cases));
    auto sizes = bench::parse_sizes(options.sizes);
    if (!sizes) return usage_failure(std::move(sizes.error()));
    if (options.list) {
        list_cases(*cases, terminal);
        return {};
    }
    auto against = yardstick(options);
    if (!against) return pass_on(std::move(against));
    for (const std::string& file : {options.csv, options.json})
        if (!file.empty())
            if (auto writable = check_writable(file); !writable) return writable;
    auto device = open_device(options.device, terminal);
    if (!device) return pass_on(std::move(device));
    if (device->caps().timestamp_period_ns <= 0.0)
        return run_failure(
            fail("cli/no-timestamps",
                 fmt::format("'{}' has no timestamps to measure with", device->caps().name),
                 "choose another device: 'tuff devices' lists them")
                .error());
    return BenchRun(options, std::move(*cases), std::move(*against), *device, terminal).run(std::move(*sizes));
}

} // namespace

Outcome<void> run_bench(const BenchOptions& options, Terminal& terminal) {
    return bench(options, terminal);
}

} // namespace tuff::cli
