#include "config/kernel/kernel_comments.hpp"

#include "core/parse_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tuff {
namespace {

constexpr std::string_view kMark = "//!";
constexpr std::string_view kSpace = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string_view first_word(std::string_view text) {
    return text.substr(0, text.find_first_of(kSpace));
}

/// What speaks to the compiler and not of a declaration.
bool is_directive(std::string_view comment) {
    constexpr std::array<std::string_view, 3> kDirectives = {"variants", "vertex", "calls"};
    return std::ranges::find(kDirectives, first_word(comment)) != kDirectives.end();
}

bool is_identifier_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// A port or a parameter that a comment may speak of.
struct Subject {
    std::string* doc = nullptr;
    ParameterInfo* parameter = nullptr;
};

Subject find_subject(PassDescriptor& pass, std::string_view name) {
    Subject subject;
    for (ParameterInfo& info : pass.parameters)
        // Members of nested structs are declared by their own name alone.
        if (info.name == name || info.name.ends_with("." + std::string(name)))
            return {&info.doc, &info};
    for (auto* ports : {&pass.inputs, &pass.outputs})
        for (PortInfo& port : *ports)
            if (port.name == name) subject.doc = &port.doc;
    return subject;
}

/// The last of the words in a declaration that names something known: types come before names.
Subject declared_in(PassDescriptor& pass, std::string_view code) {
    Subject found;
    for (std::size_t begin = 0; begin < code.size();) {
        std::size_t end = begin;
        while (end < code.size() && is_identifier_part(code[end]))
            ++end;
        const Subject subject = find_subject(pass, code.substr(begin, end - begin));
        if (end > begin && subject.doc) found = subject;
        begin = std::max(end, begin + 1);
    }
    return found;
}

/// What is wrong with the comment, or nothing.
std::string apply_comment(std::string_view comment, const Subject& subject) {
    while (!(comment = trimmed(comment)).empty()) {
        const std::string_view key = first_word(comment);
        if (key == "doc") {
            *subject.doc = trimmed(comment.substr(key.size()));
            return {};
        }
        const std::size_t comma = std::min(comment.find(','), comment.size());
        const std::string_view value =
            trimmed(comment.substr(0, comma).substr(std::min(key.size(), comma)));
        comment.remove_prefix(std::min(comma + 1, comment.size()));
        if (key != "range" && key != "unit" && key != "default")
            return fmt::format("\"{}\" is not known; write range, unit, default or doc", key);
        if (!subject.parameter) return fmt::format("a port has no {}", key);
        ParameterInfo& info = *subject.parameter;
        if (key == "unit") {
            info.unit = value;
        } else if (key == "range") {
            const std::size_t dots = value.find("..");
            const auto low = parse_number<double>(trimmed(value.substr(0, dots)));
            const auto high = dots == std::string_view::npos
                                  ? std::nullopt
                                  : parse_number<double>(trimmed(value.substr(dots + 2)));
            if (!low || !high || *low > *high)
                return fmt::format("\"{}\" is not a range; write it as \"range 0..4\"", value);
            info.low = std::max(info.low, *low);
            info.high = std::min(info.high, *high);
        } else if (const auto number = parse_number<double>(trimmed(value))) {
            if (info.kind == ParameterKind::real)
                info.default_value = *number;
            else if (info.kind == ParameterKind::integer)
                info.default_value = static_cast<std::int64_t>(*number);
            else if (info.kind == ParameterKind::vector)
                info.default_value = std::vector<double>(info.components, *number);
        } else {
            return fmt::format("\"{}\" is not a number", value);
        }
    }
    return {};
}

} // namespace

void apply_kernel_comments(const NodeDecl& decl, const KernelSource& source, PassDescriptor& pass,
                           Problems& problems) {
    std::string_view rest = source.text;
    std::vector<std::string> waiting; // for the declaration that they stand before
    for (int line = 1; !rest.empty(); ++line) {
        const std::string_view text = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(text.size() + 1, rest.size()));
        const std::size_t mark = text.find(kMark);
        const std::string_view code = trimmed(text.substr(0, mark));
        if (mark != std::string_view::npos) {
            const std::string_view comment = trimmed(text.substr(mark + kMark.size()));
            if (!is_directive(comment)) waiting.emplace_back(comment);
        }
        if (code.empty() || waiting.empty()) continue;
        const Subject subject = declared_in(pass, code);
        std::string wrong;
        if (!subject.doc) wrong = "it stands beside neither a port nor a parameter of the kernel";
        for (const std::string& comment : waiting)
            if (wrong.empty()) wrong = apply_comment(comment, subject);
        waiting.clear();
        if (!wrong.empty())
            problems.take({{.code = "config/kernel-comment",
                            .message = fmt::format("a comment of the kernel of node \"{}\": {}",
                                                   decl.name.text, wrong),
                            .where = kernel_place(decl, source, line),
                            .hint = "as in: float strength; //! range 0..4, unit texels, doc how "
                                    "strong"}},
                          decl.target.span);
    }
}

} // namespace tuff
