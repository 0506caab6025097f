#include "apps/tuff/report/completion.hpp"

#include "apps/shared/flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tuff::cli {
namespace {

constexpr const char* kDevices[] = {"auto", "gpu", "swiftshader", "lavapipe"};

/// What may stand in one place of the command line.
struct Offer {
    std::vector<std::string> words;
    bool files = false;
    bool folders = false;
    std::string_view asked; ///< what `tuff completion` tells of the config on the line
};

Offer offer_of(const Option& option, const CompletionWords& known) {
    const std::string type = option.type();
    if (type == kConfigType) return {.words = known.graphs, .files = true};
    if (type == kPassType) return {.words = known.passes};
    if (type == kDeviceType) return {.words = {std::begin(kDevices), std::end(kDevices)}};
    if (type == "NAME=VALUE" || type == "NAME=VALUES") return {.asked = "settings"};
    if (type == "NODE.PORT") return {.asked = "wires"};
    if (type == kFolderType) return {.folders = true};
    if (type.ends_with(kFileType)) return {.files = true};
    Offer offer;
    if (type.find('|') == std::string::npos) return offer;
    for (std::size_t at = 0; at <= type.size();) {
        const std::size_t bar = std::min(type.find('|', at), type.size());
        offer.words.push_back(type.substr(at, bar - at));
        at = bar + 1;
    }
    return offer;
}

std::vector<const Command*> commands_of(const Command& app) {
    return app.subcommands();
}

std::string single_quoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'')
            result += "'\\''";
        else
            result += c;
    }
    return result + "'";
}

/// In bash, `COMPREPLY` of one place.
std::string bash_reply(const Offer& offer) {
    const std::string words = fmt::format("{}", fmt::join(offer.words, " "));
    std::string generate = fmt::format("-W {}", single_quoted(words));
    // An '=' splits words in bash, so that values are not completed as names.
    if (!offer.asked.empty())
        generate = fmt::format("-W \"{} $(_tuff_of_config {})\"", words, offer.asked);
    if (offer.files) generate += " -f";
    if (offer.folders) generate += " -d";
    return fmt::format("COMPREPLY=($(compgen {} -- \"$cur\")){}", generate,
                       offer.asked == "settings" ? "; compopt -o nospace" : "");
}

std::string bash_command(const Command& command, const CompletionWords& known) {
    std::string cases;
    std::vector<std::string> options;
    Offer positional;
    for (const Option* option : command.options()) {
        const std::vector<std::string> names = option->long_names();
        options.insert(options.end(), names.begin(), names.end());
        const Offer offer = offer_of(*option, known);
        if (names.empty()) {
            positional.words.insert(positional.words.end(), offer.words.begin(), offer.words.end());
            positional.files = positional.files || offer.files;
            if (!offer.asked.empty()) positional.asked = offer.asked;
        } else if (option->takes_value()) {
            cases += fmt::format("                {}) {}; return ;;\n", fmt::join(names, "|"),
                                 bash_reply(offer));
        }
    }
    std::string text = fmt::format("        {})\n", command.name());
    if (!cases.empty())
        text += fmt::format("            case $prev in\n{}            esac\n", cases);
    text += fmt::format("            if [[ $cur == -* ]]; then {}; else {}; fi ;;\n",
                        bash_reply({.words = options}), bash_reply(positional));
    return text;
}

/// Zsh's _arguments takes "[" and ":" as its own.
std::string zsh_text(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

std::string zsh_action(const Offer& offer) {
    if (offer.files && !offer.words.empty())
        return fmt::format("{{_alternative \"names:name:({})\" \"files:file:_files\"}}",
                           fmt::join(offer.words, " "));
    if (!offer.asked.empty())
        return fmt::format("{{compadd -S \"\" -- ${{(f)\"$(_tuff_of_config {})\"}}}}", offer.asked);
    if (offer.files) return "_files";
    if (offer.folders) return "_files -/";
    return fmt::format("({})", fmt::join(offer.words, " "));
}

std::string zsh_command(const Command& command, const CompletionWords& known) {
    std::string text = fmt::format("        {})\n            _arguments", command.name());
    for (const Option* option : command.options()) {
        const std::string action = zsh_action(offer_of(*option, known));
        const std::string type = zsh_text(option->type());
        for (const std::string& name : option->long_names()) {
            std::string spec = fmt::format("*{}[{}]", name, zsh_text(option->description()));
            if (option->takes_value()) spec += fmt::format(":{}:{}", type, action);
            text += fmt::format(" \\\n                {}", single_quoted(spec));
        }
        if (option->is_positional())
            text += fmt::format(" \\\n                {}",
                                single_quoted(fmt::format("*:{}:{}", type, action)));
    }
    return text + " ;;\n";
}

std::string fish_option(const Command& command, const Option& option,
                        const CompletionWords& known) {
    const Offer offer = offer_of(option, known);
    const std::string words =
        !offer.asked.empty()
            ? fmt::format(" -a '(tuff completion {} (commandline -opc)[3] 2>/dev/null)'",
                          offer.asked)
        : offer.words.empty()
            ? std::string()
            : fmt::format(" -a {}", single_quoted(fmt::format("{}", fmt::join(offer.words, " "))));
    const std::string when =
        fmt::format("complete -c tuff -n '__fish_seen_subcommand_from {}'", command.name());
    if (option.is_positional()) return when + (offer.files ? " -F" : " -f") + words + '\n';
    std::string text;
    for (const std::string& name : option.long_names()) {
        text += fmt::format("{} -l {} -d {}", when, name.substr(2),
                            single_quoted(option.description()));
        if (option.takes_value()) text += offer.files || offer.folders ? " -r -F" : " -x";
        text += words + '\n';
    }
    return text;
}

} // namespace

std::string bash_completion(const Command& app, const CompletionWords& words) {
    std::vector<std::string> names;
    std::string cases;
    for (const Command* command : commands_of(app)) {
        names.push_back(command->name());
        cases += bash_command(*command, words);
    }
    return fmt::format(
        "# bash completion of tuff: eval \"$(tuff completion bash)\"\n"
        "_tuff_of_config() {{\n"
        "    local i\n"
        "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
        "        [[ ${{COMP_WORDS[i]}} == -* || ${{COMP_WORDS[i-1]}} == -* ]] && continue\n"
        "        \"${{COMP_WORDS[0]}}\" completion \"$1\" \"${{COMP_WORDS[i]}}\" 2>/dev/null\n"
        "        return\n"
        "    done\n"
        "}}\n"
        "_tuff() {{\n"
        "    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}\n"
        "    if ((COMP_CWORD == 1)); then\n"
        "        {}\n"
        "        return\n"
        "    fi\n"
        "    case ${{COMP_WORDS[1]}} in\n{}"
        "    esac\n"
        "}}\n"
        "complete -o filenames -F _tuff tuff\n",
        bash_reply({.words = names}), cases);
}

std::string zsh_completion(const Command& app, const CompletionWords& words) {
    std::string descriptions, cases;
    for (const Command* command : commands_of(app)) {
        descriptions += fmt::format(
            "        {}\n",
            single_quoted(fmt::format("{}:{}", command->name(), command->description())));
        cases += zsh_command(*command, words);
    }
    return fmt::format("#compdef tuff\n"
                       "# zsh completion of tuff: eval \"$(tuff completion zsh)\"\n"
                       "_tuff_of_config() {{\n"
                       "    local i\n"
                       "    for ((i = 2; i < CURRENT; i++)); do\n"
                       "        [[ $words[i] == -* || $words[i-1] == -* ]] && continue\n"
                       "        tuff completion $1 $words[i] 2>/dev/null\n"
                       "        return\n"
                       "    done\n"
                       "}}\n"
                       "_tuff() {{\n"
                       "    local -a commands=(\n{}    )\n"
                       "    if ((CURRENT == 2)); then\n"
                       "        _describe command commands\n"
                       "        return\n"
                       "    fi\n"
                       "    local command=$words[2]\n"
                       "    shift words\n"
                       "    ((CURRENT--))\n"
                       "    case $command in\n{}"
                       "    esac\n"
                       "}}\n"
                       "compdef _tuff tuff\n",
                       descriptions, cases);
}

std::string fish_completion(const Command& app, const CompletionWords& words) {
    std::string text = "# fish completion of tuff: tuff completion fish | source\n"
                       "complete -c tuff -f\n";
    for (const Command* command : commands_of(app))
        text += fmt::format("complete -c tuff -n __fish_use_subcommand -a {} -d {}\n",
                            command->name(), single_quoted(command->description()));
    for (const Command* command : commands_of(app))
        for (const Option* option : command->options())
            text += fish_option(*command, *option, words);
    return text;
}

} // namespace tuff::cli
