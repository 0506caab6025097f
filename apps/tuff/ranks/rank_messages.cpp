#include "apps/tuff/ranks/rank_messages.hpp"

#include <fmt/format.h>
#include <json/reader.h>
#include <json/writer.h>

#include <cstring>
#include <memory>
#include <set>

namespace tuff::cli {
namespace {

Json::Value json_of(const Diagnostics& diagnostics) {
    Json::Value list(Json::arrayValue);
    for (const Diagnostic& diagnostic : diagnostics) {
        Json::Value& json = list.append({});
        json["code"] = diagnostic.code;
        json["severity"] = static_cast<int>(diagnostic.severity);
        json["message"] = diagnostic.message;
        json["hint"] = diagnostic.hint;
        json["file"] = diagnostic.where.file;
        json["line"] = diagnostic.where.line;
        json["column"] = diagnostic.where.column;
        json["length"] = diagnostic.where.length;
        json["text"] = diagnostic.where.line_text;
    }
    return list;
}

Diagnostics diagnostics_of(const Json::Value& list) {
    Diagnostics diagnostics;
    for (const Json::Value& json : list)
        diagnostics.push_back({.code = json["code"].asString(),
                               .severity = static_cast<Severity>(json["severity"].asInt()),
                               .message = json["message"].asString(),
                               .where = {.file = json["file"].asString(),
                                         .line = json["line"].asInt(),
                                         .column = json["column"].asInt(),
                                         .length = json["length"].asInt(),
                                         .line_text = json["text"].asString()},
                               .hint = json["hint"].asString()});
    return diagnostics;
}

struct Compared {
    std::string Statement::*field;
    const char* what;
    const char* hint;
};
constexpr Compared kCompared[] = {
    {&Statement::version, "version of Tuff", "install one version on all hosts"},
    {&Statement::config, "config, kernel, module or asset",
     "let all hosts read the same files, as a shared folder has them; --mpi off, where the "
     "processes are to run apart"},
    {&Statement::options, "command line",
     "start all ranks by one command; --mpi off, where the processes are to run apart"},
    {&Statement::precision, "precision", "choose devices of one kind by --device"},
};

} // namespace

Bytes bytes_of(const Json::Value& json) {
    Json::StreamWriterBuilder builder;
    builder["indentation"] = "";
    builder["precision"] = 17;
    const std::string text = Json::writeString(builder, json);
    Bytes bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

Json::Value json_of(const Bytes& bytes) {
    const char* const text = reinterpret_cast<const char*>(bytes.data());
    Json::Value json;
    std::string ignored; // ranks of one version understand each other
    const std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
    (void)reader->parse(text, text + bytes.size(), &json, &ignored);
    return json;
}

Bytes to_bytes(const Statement& statement) {
    Json::Value json;
    json["version"] = statement.version;
    json["config"] = statement.config;
    json["options"] = statement.options;
    json["precision"] = statement.precision;
    json["device"] = statement.device;
    json["problems"] = json_of(statement.problems);
    json["exit_code"] = statement.exit_code;
    return bytes_of(json);
}

Statement statement_of(const Bytes& bytes) {
    const Json::Value json = json_of(bytes);
    return {.version = json["version"].asString(),
            .config = json["config"].asString(),
            .options = json["options"].asString(),
            .precision = json["precision"].asString(),
            .device = json["device"].asString(),
            .problems = diagnostics_of(json["problems"]),
            .exit_code = json["exit_code"].asInt()};
}

Bytes to_bytes(const Verdict& verdict) {
    Json::Value json;
    json["go"] = verdict.go;
    json["exit_code"] = verdict.exit_code;
    return bytes_of(json);
}

Verdict verdict_of(const Bytes& bytes) {
    const Json::Value json = json_of(bytes);
    return {.go = json["go"].asBool(), .exit_code = json["exit_code"].asInt()};
}

Bytes to_bytes(const Report& report) {
    Json::Value json;
    json["kind"] = static_cast<int>(report.kind);
    json["run"] = Json::UInt64{report.run};
    json["entry"] = report.entry;
    json["warnings"] = json_of(report.warnings);
    json["problems"] = json_of(report.problems);
    json["exit_code"] = report.exit_code;
    return bytes_of(json);
}

Report report_of(const Bytes& bytes) {
    const Json::Value json = json_of(bytes);
    return {.kind = static_cast<Report::Kind>(json["kind"].asInt()),
            .run = json["run"].asUInt64(),
            .entry = json["entry"],
            .warnings = diagnostics_of(json["warnings"]),
            .problems = diagnostics_of(json["problems"]),
            .exit_code = json["exit_code"].asInt()};
}

Bytes to_bytes(const Order& order) {
    Json::Value json;
    json["stop"] = order.stop;
    json["exit_code"] = order.exit_code;
    json["run"] = Json::UInt64{order.run};
    json["number"] = Json::UInt64{order.number};
    json["first"] = Json::Int64{order.frames.first};
    json["end"] = Json::Int64{order.frames.end};
    json["is_part"] = order.is_part;
    return bytes_of(json);
}

Order order_of(const Bytes& bytes) {
    const Json::Value json = json_of(bytes);
    return {.stop = json["stop"].asBool(),
            .exit_code = json["exit_code"].asInt(),
            .run = json["run"].asUInt64(),
            .number = json["number"].asUInt64(),
            .frames = {json["first"].asInt64(), json["end"].asInt64()},
            .is_part = json["is_part"].asBool()};
}

Diagnostics with_rank(Diagnostics diagnostics, const std::string& name) {
    for (Diagnostic& diagnostic : diagnostics)
        diagnostic.message += fmt::format(" ({})", name);
    return diagnostics;
}

Diagnostics compare(const std::vector<Statement>& statements,
                    const std::vector<std::string>& names) {
    Diagnostics found;
    std::set<std::string> told; // all ranks of a cluster may lack the same
    for (std::size_t i = 1; i < statements.size(); ++i) {
        for (const Diagnostic& problem : statements[i].problems)
            if (told.insert(to_string(problem)).second)
                found.push_back(with_rank({problem}, names[i]).front());
        if (!statements[i].problems.empty()) continue;
        for (const Compared& compared : kCompared) {
            const std::string& own = statements[i].*compared.field;
            const std::string& first = statements[0].*compared.field;
            if (own == first) continue;
            const bool shown =
                compared.field == &Statement::version || compared.field == &Statement::precision;
            found.push_back({.code = "mpi/disagreement",
                             .severity = Severity::error,
                             .message = fmt::format(
                                 "{} has another {} than {}{}", names[i], compared.what, names[0],
                                 shown ? fmt::format(": {}, not {}", own, first) : std::string()),
                             .where = {},
                             .hint = compared.hint});
        }
        if (statements[i].device != statements[0].device &&
            told.insert(statements[i].device).second)
            found.push_back(
                {.code = "mpi/other-device",
                 .severity = Severity::warning,
                 .message = fmt::format("{} runs on {}, and {} on {}", names[i],
                                        statements[i].device, names[0], statements[0].device),
                 .where = {},
                 .hint = "results may differ in their last bits with the rank that "
                         "makes them"});
    }
    return found;
}

} // namespace tuff::cli
