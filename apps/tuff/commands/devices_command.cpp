#include "apps/shared/commands.hpp"

#include <tuff/device.hpp>

#include <fmt/format.h>

namespace tuff::cli {
namespace {

void append_features(std::string& text, const TextStyle& style, std::string_view title,
                     const std::vector<DeviceFeature>& features) {
    if (features.empty()) return;
    text += fmt::format("     {}\n", style.quiet(title));
    TextTable table;
    for (const DeviceFeature& feature : features) {
        std::string reason = feature.reason;
        if (!feature.found.empty()) reason += fmt::format(" ({})", feature.found);
        table.add({feature.name, reason});
    }
    text += table.text("       ");
}

std::string report_text(const DeviceReport& report, const TextStyle& style) {
    const DeviceCaps& caps = report.caps;
    const bool runs = report.tier != DeviceTier::none;
    std::string text = fmt::format("{:>3}  {}\n", report.index, style.heading(caps.name));
    text += fmt::format("     {}, Vulkan {}{}{}\n", to_string(caps.type),
                        version_string(caps.api_version), caps.driver.empty() ? "" : ", driver ",
                        caps.driver);
    text += fmt::format("     tier {}\n", runs ? style.good(to_string(report.tier))
                                               : style.bad("none: cannot be used"));
    append_features(text, style, "lacks, and every graph needs:", report.missing);
    append_features(text, style, "faster paths it has:", report.optional_present);
    append_features(text, style, "faster paths it lacks:", report.optional_missing);
    return text;
}

Outcome<void> devices(Terminal& terminal) {
    auto reports = list_devices();
    if (!reports) return run_failure(std::move(reports.error()));
    for (const DeviceReport& report : *reports)
        terminal.print(report_text(report, terminal.output_style()) + "\n");
    return {};
}

} // namespace

void add_devices_command(Command& app, Action& action) {
    Command* command = app.add_subcommand(
        "devices", "List the Vulkan devices, the tier each meets and what it lacks");
    command->callback([&action] { action = devices; });
}

} // namespace tuff::cli
