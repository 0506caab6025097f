#include "apps/tuff/report/json_answer.hpp"

#include <json/writer.h>
#include <tuff_config.hpp>

#include <algorithm>
#include <iterator>

namespace tuff::cli {
namespace {

/// Grows when a member changes its meaning or goes away, not when one is added.
constexpr int kAnswerVersion = 1;

std::string_view severity_name(Severity severity) {
    switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: break;
    }
    return "error";
}

} // namespace

Option* add_json_flag(Command& command, bool& json) {
    return command.add_flag("--json", json,
                            "Print one JSON object, with all errors, instead of text");
}

Json::Value diagnostic_json(const Diagnostic& diagnostic) {
    Json::Value json;
    json["severity"] = std::string(severity_name(diagnostic.severity));
    json["code"] = diagnostic.code;
    json["message"] = diagnostic.message;
    if (!diagnostic.hint.empty()) json["hint"] = diagnostic.hint;
    if (!diagnostic.where.known()) return json;
    Json::Value& place = json["place"];
    place["file"] = diagnostic.where.file;
    if (diagnostic.where.line <= 0) return json;
    place["line"] = diagnostic.where.line;
    place["column"] = diagnostic.where.column;
    place["length"] = diagnostic.where.length;
    if (!diagnostic.where.line_text.empty()) place["text"] = diagnostic.where.line_text;
    return json;
}

Outcome<void> answer(bool json, std::string_view command, Terminal& terminal,
                     const std::function<Outcome<void>(Json::Value& result)>& work) {
    Json::Value result(Json::objectValue);
    if (!json) return work(result);
    Diagnostics reported;
    terminal.keep_for(&reported);
    Outcome<void> done = work(result);
    terminal.keep_for(nullptr);
    if (!done) std::ranges::move(done.error().diagnostics, std::back_inserter(reported));

    Json::Value root;
    root["schema"] = kAnswerVersion;
    root["tuff"] = std::string(build_config::kVersion);
    root["command"] = std::string(command);
    root["ok"] = done.has_value();
    root["exit_code"] = done ? kExitOk : done.error().exit_code;
    root["diagnostics"] = Json::Value(Json::arrayValue);
    for (const Diagnostic& diagnostic : reported)
        root["diagnostics"].append(diagnostic_json(diagnostic));
    root["result"] = std::move(result);
    Json::StreamWriterBuilder writer;
    writer["indentation"] = "  ";
    writer["emitUTF8"] = true;
    terminal.show(Json::writeString(writer, root) + '\n');
    if (done) return {};
    return std::unexpected(Failure{.diagnostics = {}, .exit_code = done.error().exit_code});
}

} // namespace tuff::cli
