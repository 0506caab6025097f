#include "state_file.hpp"

#include <json/value.h>
#include <json/writer.h>

#include <fstream>
#include <system_error>

namespace tuff::viewer {
namespace {

constexpr auto kPeriod = std::chrono::milliseconds(50);

Json::Value shown_json(const Shown& shown) {
    Json::Value json;
    json["resource"] = shown.view.key.resource;
    json["version"] = shown.view.key.version;
    json["shape"] = shape_text(shown.view);
    json["mip"] = shown.mip;
    json["layer"] = shown.layer;
    json["frame"] = Json::Int64{shown.frame};
    return json;
}

std::string_view name_of(SceneState state) {
    switch (state) {
    case SceneState::idle: return "idle";
    case SceneState::building: return "building";
    case SceneState::running: return "running";
    }
    return "";
}

Json::Value scene_json(const SceneReport& report) {
    Json::Value json;
    json["state"] = std::string(name_of(report.state));
    json["paused"] = report.paused;
    json["still"] = report.still;
    json["frame"] = Json::Int64{report.frame};
    json["executions"] = Json::UInt64{report.executions};
    json["compilations"] = report.compilations;
    json["reloads"] = report.reloads;
    json["problems"] = Json::Value(Json::arrayValue);
    for (const Diagnostic& problem : report.problems)
        json["problems"].append(problem.code);
    if (report.values)
        for (const auto& [name, value] : *report.values)
            json["values"][name] = json_text(value);
    if (report.panel) json["config"] = report.panel->config.string();
    if (report.shown) json["shown"] = shown_json(*report.shown);
    return json;
}

} // namespace

void StateFile::update(const InterfaceState& state, std::uint32_t width, std::uint32_t height) {
    const auto now = std::chrono::steady_clock::now();
    if (file_.empty() || now - last_ < kPeriod) return;
    last_ = now;
    Json::Value root;
    if (state.report) root["scene"] = scene_json(*state.report);
    root["window"].append(width);
    root["window"].append(height);
    root["edits"] = set_options(state.request.edits);
    root["message"] = state.message;
    root["tab"] = state.tab;
    root["recording"] = state.recording;
    root["notices"] = Json::Value(Json::arrayValue);
    for (const Diagnostic& notice : state.notices)
        root["notices"].append(notice.code);
    root["can_undo"] = state.history.can_undo();
    root["releases"] = Json::UInt64{state.releases};
    root["picture_alone"] = state.picture_alone;
    root["keys"] = state.shows_keys;
    root["compare"] = std::string(kComparisonNames[static_cast<int>(state.compare.how)]);
    root["compare_line"] = state.compare.line;
    root["graph_scale"] = state.graph.view.scale;
    root["open_problem"] = state.open_dialog.problem;
    root["times"] = Json::UInt64{state.times.count()};
    root["interface_frames"] = Json::UInt64{state.interface_frames};
    root["drawn_frames"] = Json::UInt64{state.drawn_frames};
    root["interface_rate"] = static_cast<int>(state.interface_rate);
    root["widgets"] = Json::Value(Json::objectValue);
    for (const auto& [name, place] : state.widgets.places()) {
        Json::Value& widget = root["widgets"][name];
        for (const int number : {place.x, place.y, place.width, place.height})
            widget.append(number);
    }
    std::string text = Json::writeString(Json::StreamWriterBuilder(), root);
    if (text == written_) return;
    written_ = std::move(text);
    std::filesystem::path part = file_;
    part += ".part";
    std::ofstream(part, std::ios::binary) << written_ << '\n';
    std::error_code error; // who reads the file notices that it stays behind
    std::filesystem::rename(part, file_, error);
}

} // namespace tuff::viewer
