#include "passes/primitives/expression.hpp"

#include "passes/primitives/kernel_templates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

namespace tuff::passes {
namespace {

constexpr std::string_view kPlace = "<expression>"; // how messages of the compiler name it

std::string_view text_of(std::string_view file) {
    const auto templates = kernel_templates();
    const auto found = std::ranges::find(templates, file, &KernelTemplate::name);
    return found == templates.end() ? std::string_view{} : found->text;
}

/// "tile.glsl" of a line that includes it, or nothing.
std::string_view included_file(std::string_view line) {
    constexpr std::string_view kInclude = "#include \"";
    if (!line.starts_with(kInclude)) return {};
    line.remove_prefix(kInclude.size());
    return line.substr(0, line.find('"'));
}

/// The text of a file with what it includes, each file once, and `expression` for the file that
/// stands for it.
void append_file(std::string& out, std::string_view file, std::string_view expression,
                 std::set<std::string_view>& seen) {
    std::string_view rest = text_of(file);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end);
        const std::string_view included = included_file(line);
        if (included.empty()) {
            out += line;
        } else if (seen.insert(included).second) {
            if (included == "expression.glsl")
                out += expression;
            else
                append_file(out, included, expression, seen);
        }
        if (line.starts_with("#version"))
            out += "#extension GL_GOOGLE_cpp_style_line_directive : require\n";
    }
}

std::string_view type_name(Element type) {
    switch (type) {
    case Element::u32: return "uint";
    case Element::i32: return "int";
    case Element::f32: return "float";
    }
    return "uint";
}

/// `bits` as a value of `type`.
std::string from_bits(Element type, std::string_view bits) {
    switch (type) {
    case Element::u32: break;
    case Element::i32: return fmt::format("int({})", bits);
    case Element::f32: return fmt::format("uintBitsToFloat({})", bits);
    }
    return std::string(bits);
}

/// The definition that takes the place of expression.glsl.
std::string definition(const Expression& expression) {
    std::string text = "#define EXPRESSION\n";
    text += fmt::format(
        "{} expression({}{}{}vec4 p) {{\n", expression.result ? "uint" : "bool",
        expression.variables == Variables::none ? "" : "uint x_bits, ",
        expression.result && expression.variables != Variables::none ? "uint y_bits, " : "",
        expression.variables == Variables::element ? "uint i, uint n, " : "");
    const std::string_view x_type = type_name(expression.x);
    if (expression.variables != Variables::none)
        text += fmt::format("{} x = {};\n", x_type,
                            expression.x_is_index ? fmt::format("{}(i)", x_type)
                                                  : from_bits(expression.x, "x_bits"));
    if (expression.y)
        text += fmt::format("{} y = {};\n", type_name(*expression.y),
                            from_bits(*expression.y, expression.y_is_zero ? "0u" : "y_bits"));
    const std::string_view value_type = expression.result ? type_name(*expression.result) : "bool";
    text += fmt::format("{0} value = {0}({1});\n", value_type,
                        placed({expression.parameter, expression.text, {}}));
    if (!expression.result)
        text += "return value;\n}\n";
    else if (*expression.result == Element::f32)
        text += "return floatBitsToUint(value);\n}\n";
    else
        text += "return uint(value);\n}\n";
    return text;
}

std::string variables_hint(const Expression& expression) {
    constexpr std::string_view kParameters = "p (vec4, the parameter \"p\")";
    if (expression.variables == Variables::none)
        return fmt::format("a GLSL expression of {}", kParameters);
    if (expression.variables == Variables::pair)
        return fmt::format("a GLSL expression of x and y ({}, what is combined) and {}",
                           type_name(expression.x), kParameters);
    return fmt::format(
        "a GLSL expression of x ({}, the element){}, i (uint, its index), n (uint, "
        "how many there are) and {}",
        type_name(expression.x),
        expression.y ? fmt::format(", y ({}, the element of \"other\")", type_name(*expression.y))
                     : std::string(),
        kParameters);
}

/// `length` bytes from `column` on, which counts from 0.
void report_bad(Graph& graph, const ExpressionText& expression, std::size_t column,
                std::string_view problem, std::size_t length = 1) {
    graph.report({.code = "primitives/bad-expression",
                  .severity = Severity::error,
                  .message = fmt::format("\"{}\", column {} of \"{}\": {}", expression.parameter,
                                         column + 1, expression.text, problem),
                  .where = {.file = {},
                            .column = static_cast<int>(column) + 1,
                            .length = static_cast<int>(length),
                            .line_text = std::string(expression.text)},
                  .hint = expression.variables});
}

/// What would end the expression, or begin something that is none. The compiler would see it too,
/// but report it in the kernel's own text.
bool is_single(Graph& graph, const ExpressionText& expression) {
    const std::string_view text = expression.text;
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        report_bad(graph, expression, 0, "there is nothing");
        return false;
    }
    if (const std::size_t at = text.find_first_of(";{}#\\\""); at != std::string_view::npos) {
        report_bad(graph, expression, at,
                   fmt::format("an expression cannot contain '{}'", text[at]));
        return false;
    }
    for (const std::string_view comment : {"//", "/*"})
        if (const std::size_t at = text.find(comment); at != std::string_view::npos) {
            report_bad(graph, expression, at, "an expression cannot contain comments");
            return false;
        }
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '(' || text[at] == '[') open.push_back(at);
        if (text[at] != ')' && text[at] != ']') continue;
        if (open.empty() || (text[open.back()] == '(') != (text[at] == ')')) {
            report_bad(graph, expression, at, fmt::format("'{}' has no opening bracket", text[at]));
            return false;
        }
        open.pop_back();
    }
    if (open.empty()) return true;
    report_bad(graph, expression, open.back(),
               fmt::format("'{}' is not closed", text[open.back()]));
    return false;
}

/// What of the expression the compiler's message is about: the word it quotes first where that
/// occurs, else all.
std::string_view subject_of(std::string_view text, std::string_view message) {
    const std::size_t begin = message.find('\'');
    if (begin == std::string_view::npos) return text;
    const std::size_t end = message.find('\'', begin + 1);
    if (end == std::string_view::npos) return text;
    const std::string_view word = message.substr(begin + 1, end - begin - 1);
    const std::size_t at = word.empty() ? std::string_view::npos : text.find(word);
    return at == std::string_view::npos ? text : text.substr(at, word.size());
}

/// One report for all that the compiler says; what follows the first message mostly follows from
/// it.
void report_failure(Graph& graph, const ExpressionText& expression, const Diagnostics& failures) {
    const Diagnostic& first = failures.front();
    if (first.code != "shader/compile") {
        graph.report(first);
        return;
    }
    const std::string_view subject = subject_of(expression.text, first.message);
    report_bad(graph, expression, static_cast<std::size_t>(subject.data() - expression.text.data()),
               first.message, subject.size());
}

/// FNV-1a.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

} // namespace

std::string placed(const ExpressionText& expression) {
    return fmt::format("\n#line 1 \"{}\"\n{}\n#line 1 \"kernel\"\n", kPlace, expression.text);
}

std::optional<std::string> define_with(Graph& graph, const ExpressionText& expression,
                                       std::string_view name, std::string_view glsl) {
    if (!is_single(graph, expression)) return {};
    if (!graph.shaders()) {
        graph.error("shader/no-compiler", "this graph has no kernels");
        return {};
    }
    std::string full = fmt::format("{}#{:016x}", name, hash_of(glsl));
    const auto made = graph.shaders()->define_compute(full, glsl);
    if (made) return full;
    report_failure(graph, expression, made.error());
    return {};
}

std::optional<std::string> kernel_with(Graph& graph, std::string_view shader,
                                       const Expression& expression) {
    std::string text;
    std::set<std::string_view> seen;
    const std::string file = fmt::format("{}.comp", shader.substr(shader.rfind('/') + 1));
    append_file(text, file, definition(expression), seen);
    return define_with(graph, {expression.parameter, expression.text, variables_hint(expression)},
                       shader, text);
}

} // namespace tuff::passes
