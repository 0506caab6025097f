#include "apps/tuff/report/pass_page.hpp"

#include "apps/tuff/report/camera_link.hpp"

#include <fmt/format.h>

namespace tuff::cli {
namespace {

constexpr std::size_t kWidth = 88;

std::string indented(std::string_view text) {
    std::string result = "    ";
    for (const char c : text) {
        result += c;
        if (c == '\n') result += "    ";
    }
    result.erase(result.find_last_not_of(" \n") + 1);
    return result + "\n";
}

void ports(std::string& text, const TextStyle& style, const std::vector<PortInfo>& inputs,
           const std::vector<PortInfo>& outputs) {
    TextTable table;
    for (const PortInfo& port : inputs)
        table.add({style.name(port.name), port.type_text(), port_note(port), port.doc});
    if (!table.empty()) text += fmt::format("\n{}\n{}", style.heading("in"), table.text("  "));
    TextTable results;
    for (const PortInfo& port : outputs)
        results.add({style.name(port.name), port.type_text(), port.doc});
    if (!results.empty()) text += fmt::format("\n{}\n{}", style.heading("out"), results.text("  "));
}

void parameters(std::string& text, const TextStyle& style, const ListedParameters& listed) {
    if (listed.own.empty() && !listed.camera) return;
    text += fmt::format("\n{}\n", style.heading("params"));
    TextTable table;
    for (const ParameterInfo& parameter : listed.own) {
        std::string range = range_text(parameter);
        if (!parameter.unit.empty()) range += (range.empty() ? "" : " ") + parameter.unit;
        std::string doc = parameter.doc;
        if (parameter.structural) doc += " (structural: a change recompiles the graph)";
        table.add({style.name(parameter.name), kind_text(parameter),
                   value_text(parameter.default_value), range, doc});
    }
    if (listed.camera)
        table.add({style.name("camera.*"), "", "", "",
                   fmt::format("the camera: 'tuff passes {}' lists its parameters", kCameraPass)});
    text += table.text("  ");
}

} // namespace

std::string port_note(const PortInfo& port) {
    if (port.list) return "any number";
    return port.required ? "required" : "optional";
}

std::string pass_page(const PassDescriptor& pass, const PassRegistry& registry,
                      const TextStyle& style) {
    std::string text = fmt::format("{}\n", style.heading(pass.name));
    if (!pass.summary.empty()) text += fmt::format("  {}\n", wrapped(pass.summary, kWidth, "  "));
    ports(text, style, pass.inputs, pass.outputs);
    if (!pass.details.empty()) text += fmt::format("\n  {}\n", wrapped(pass.details, kWidth, "  "));
    parameters(text, style, listed_parameters(pass, registry));
    TextTable facts;
    if (!pass.source.empty()) facts.add({"source", wrapped(pass.source, kWidth, "              ")});
    if (!pass.complexity.empty()) facts.add({"complexity", pass.complexity});
    if (!facts.empty()) text += '\n' + facts.text("  ");
    text += fmt::format("\n{}\n{}", style.heading("in a config"), indented(config_snippet(pass)));
    return text;
}

} // namespace tuff::cli
