#include "apps/tuff/report/pass_reference.hpp"

#include "apps/tuff/report/camera_link.hpp"
#include "apps/tuff/report/markdown.hpp"
#include "apps/tuff/report/pass_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace tuff::cli {
namespace {

constexpr std::string_view kReferenceCommand = "./tuff passes --markdown docs/passes";

std::string domain_of(std::string_view pass) {
    return std::string(pass.substr(0, pass.find('/')));
}

/// The anchor that Markdown renderers give the heading of a pass: no slash, otherwise as it is.
std::string anchor_of(std::string_view pass) {
    std::string anchor(pass);
    std::erase(anchor, '/');
    return anchor;
}

/// A link to the section of a pass.
std::string link_to(std::string_view pass) {
    return fmt::format("[{}]({}.md#{})", pass, domain_of(pass), anchor_of(pass));
}

void add_ports(std::string& text, const PassDescriptor& pass) {
    if (pass.inputs.empty() && pass.outputs.empty()) return;
    text += "| port | type | | meaning |\n|---|---|---|---|\n";
    for (const PortInfo& port : pass.inputs)
        text += fmt::format("| `{}` | {} | in, {} | {} |\n", port.name, port.type_text(),
                            port_note(port), markdown_cell(port.doc));
    for (const PortInfo& port : pass.outputs)
        text += fmt::format("| `{}` | {} | out | {} |\n", port.name, port.type_text(),
                            markdown_cell(port.doc));
    text += '\n';
}

void add_parameters(std::string& text, const ListedParameters& listed) {
    if (listed.own.empty() && !listed.camera) return;
    text += "| parameter | kind | default | range | unit | meaning |\n|---|---|---|---|---|---|\n";
    for (const ParameterInfo& p : listed.own)
        text +=
            fmt::format("| `{}` | {}{} | `{}` | {} | {} | {} |\n", p.name, kind_text(p),
                        p.structural ? ", structural" : "", value_text(p.default_value),
                        markdown_cell(range_text(p)), markdown_cell(p.unit), markdown_cell(p.doc));
    if (listed.camera)
        text += fmt::format("| `camera.*` |  |  |  |  | the camera: {} lists its parameters |\n",
                            link_to(kCameraPass));
    text += '\n';
}

std::string section(const PassDescriptor& pass, const PassRegistry& registry) {
    std::string text = fmt::format("## {}\n\n", pass.name);
    if (!pass.summary.empty()) text += pass.summary + ".\n\n";
    add_ports(text, pass);
    if (!pass.details.empty()) text += pass.details + "\n\n";
    add_parameters(text, listed_parameters(pass, registry));
    if (!pass.source.empty()) text += fmt::format("Source: {}\n\n", pass.source);
    if (!pass.complexity.empty()) text += fmt::format("Complexity: {}\n\n", pass.complexity);
    return text + fmt::format("```json\n{}```\n", config_snippet(pass));
}

std::string index(const PassRegistry& registry) {
    std::string text = markdown_head("Passes", kReferenceCommand);
    text +=
        "All passes that come with Tuff. `tuff passes NAME` prints the same about one of them.\n"
        "A change of a structural parameter compiles the graph again; a change of any "
        "other\nparameter only copies its bytes.\n\n| pass | what it does |\n|---|---|\n";
    for (const PassDescriptor& pass : registry.all())
        text += fmt::format("| {} | {} |\n", link_to(pass.name), markdown_cell(pass.summary));
    return text;
}

} // namespace

std::vector<ReferencePage> pass_reference(const PassRegistry& registry) {
    std::map<std::string, std::string> domains;
    for (const PassDescriptor& pass : registry.all()) {
        const std::string domain = domain_of(pass.name);
        auto [page, fresh] = domains.try_emplace(domain);
        page->second +=
            fresh ? markdown_head(fmt::format("Passes: {}", domain), kReferenceCommand) : "\n";
        page->second += section(pass, registry);
    }
    std::vector<ReferencePage> pages{{"README.md", index(registry)}};
    for (auto& [domain, text] : domains)
        pages.push_back({domain + ".md", std::move(text)});
    return pages;
}

} // namespace tuff::cli
