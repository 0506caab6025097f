#include "apps/shared/commands.hpp"
#include "apps/tuff/report/json_answer.hpp"

#include <tuff/device.hpp>

#include <fmt/format.h>

#include <memory>

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

Json::Value features_json(const std::vector<DeviceFeature>& features) {
    Json::Value json(Json::arrayValue);
    for (const DeviceFeature& feature : features) {
        Json::Value& entry = json.append({});
        entry["name"] = feature.name;
        entry["reason"] = feature.reason;
        if (!feature.found.empty()) entry["found"] = feature.found;
    }
    return json;
}

Json::Value report_json(const DeviceReport& report) {
    Json::Value json;
    json["index"] = report.index;
    json["name"] = report.caps.name;
    json["type"] = std::string(to_string(report.caps.type));
    json["vulkan"] = version_string(report.caps.api_version);
    json["driver"] = report.caps.driver;
    json["tier"] = std::string(to_string(report.tier));
    json["missing"] = features_json(report.missing);
    json["optional_present"] = features_json(report.optional_present);
    json["optional_missing"] = features_json(report.optional_missing);
    return json;
}

Outcome<void> devices(Terminal& terminal, Json::Value& result) {
    result["devices"] = Json::Value(Json::arrayValue);
    auto reports = list_devices();
    if (!reports) return run_failure(std::move(reports.error()));
    for (const DeviceReport& report : *reports) {
        result["devices"].append(report_json(report));
        terminal.print(report_text(report, terminal.output_style()) + "\n");
    }
    return {};
}

} // namespace

void add_devices_command(Command& app, Action& action) {
    Command* command = app.add_subcommand(
        "devices", "List the Vulkan devices, the tier each meets and what it lacks");
    auto json = std::make_shared<bool>(false);
    add_json_flag(*command, *json);
    command->callback([json, &action] {
        action = [json](Terminal& terminal) {
            return answer(*json, "devices", terminal,
                          [&](Json::Value& result) { return devices(terminal, result); });
        };
    });
}

} // namespace tuff::cli
