#include "apps/bench/bench_table.hpp"

#include "apps/bench/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::cli {

BenchTable::BenchTable(const std::vector<bench::Case>& cases, Terminal& terminal)
    : terminal_(&terminal) {
    for (const bench::Case& one : cases) {
        pass_width_ = std::max(pass_width_, one.pass.size());
        name_width_ = std::max(name_width_, one.name.size());
    }
}

void BenchTable::progress(std::string_view text) {
    if (!terminal_->interactive()) return;
    terminal_->note(fmt::format("\r\x1b[K{}", text));
    progress_shown_ = true;
}

void BenchTable::clear_progress() {
    if (progress_shown_) terminal_->note("\r\x1b[K");
    progress_shown_ = false;
}

void BenchTable::begin(const DeviceCaps& caps, const bench::Limits& limits) {
    clear_progress();
    const TextStyle style = terminal_->output_style();
    terminal_->print(fmt::format(
        "{}, {}\ncopies {:.4g} GB/s, fused multiply-adds {:.4g} GFLOP/s, least execution {}\n\n",
        caps.name, caps.driver, limits.bytes_per_second / 1e9, limits.operations_per_second / 1e9,
        time_text(limits.least_milliseconds)));
    terminal_->print(
        style.heading(fmt::format("{:<{}}  {:<{}}  {:>9}  {:>9}  {:>6}  {:>10}  {:>15}  {:>8}  {}",
                                  "pass", pass_width_, "case", name_width_, "size", "time", "+/-",
                                  "Gitem/s", "rate", "of limit", "checked")) +
        '\n');
}

void BenchTable::add(const bench::Measurement& m, const bench::Limits& limits) {
    const TextStyle style = terminal_->output_style();
    const std::string head =
        style.name(fmt::format("{:<{}}", m.pass, pass_width_)) +
        fmt::format("  {:<{}}  {:>9}", m.name, name_width_, bench::size_text(m.size));
    if (!m.measured()) {
        terminal_->print(head + style.quiet(fmt::format("  skipped: {}", m.remark)) + '\n');
        return;
    }
    const bench::Rate rate = bench::rate_of(m, limits);
    const double items = m.milliseconds.median > 0.0
                             ? static_cast<double>(m.size) / m.milliseconds.median * 1e-6
                             : 0.0;
    const std::string checked(to_string(m.checked));
    terminal_->print(
        head +
        fmt::format("  {:>9}  {:>6}  {:>10}  {:>15}  {:>8}  ", time_text(m.milliseconds.median),
                    fmt::format("{:.1f} %", 100.0 * m.milliseconds.spread()),
                    fmt::format("{:.4g}", items), fmt::format("{:.4g} {}", rate.value, rate.unit),
                    rate.share > 0.0 ? fmt::format("{:.1f} %", 100.0 * rate.share) : "") +
        (m.checked == bench::Checked::yes  ? style.good(checked)
         : m.checked == bench::Checked::no ? style.quiet(checked)
                                           : style.bad(checked)) +
        '\n');
    if (m.checked == bench::Checked::yes && !m.remark.empty())
        terminal_->print(style.quiet(fmt::format("{:<{}}  {}\n", "", pass_width_, m.remark)));
    for (const bench::Peer& peer : m.peers)
        terminal_->print(style.quiet(
            fmt::format("{:<{}}  the same by {}: {}, {:.4g} Gitem/s", "", pass_width_, peer.name,
                        time_text(peer.milliseconds),
                        static_cast<double>(m.size) / std::max(peer.milliseconds, 1e-9) * 1e-6) +
            '\n'));
}

void BenchTable::add_nodes(const bench::Measurement& m) {
    TextTable table({Align::left, Align::right});
    for (const NodeTiming& node : m.nodes)
        table.add({node.name, time_text(node.milliseconds)});
    terminal_->print(table.text("    "));
}

} // namespace tuff::cli
