#include "gpu/shader/shader_variants.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace tuff {
namespace {

constexpr std::string_view kMark = "//! variants";

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words = split(text, ' ');
    std::erase_if(words, [](const std::string& word) { return word.empty(); });
    return words;
}

/// A whole number or an identifier: what may stand in a name and be compared by `#if`.
bool is_word(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '-';
    });
}

bool is_identifier(std::string_view text) {
    return is_word(text) && !text.contains('-') &&
           std::isdigit(static_cast<unsigned char>(text.front())) == 0;
}

/// Reads what follows the mark, word by word; returns what is wrong.
std::string read_words(VariantTable& table, const std::vector<std::string>& words) {
    std::set<std::string> macros;
    bool missing = false;
    for (const std::string& word : words) {
        if (word == "except") {
            missing = true;
            continue;
        }
        if (missing) {
            std::vector<std::string> values = split(word, ',');
            if (values.size() != table.options.size())
                return fmt::format("'{}' has {} values, but there are {} macros", word,
                                   values.size(), table.options.size());
            for (std::size_t i = 0; i < values.size(); ++i)
                if (std::ranges::find(table.options[i].values, values[i]) ==
                    table.options[i].values.end())
                    return fmt::format("{} has no value '{}'", table.options[i].macro, values[i]);
            table.missing.push_back(std::move(values));
            continue;
        }
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos)
            return fmt::format("'{}' is not of the form MACRO=value,value", word);
        VariantTable::Option option{.macro = word.substr(0, equals),
                                    .values = split(word.substr(equals + 1), ',')};
        if (!is_identifier(option.macro)) return fmt::format("'{}' is not a name", option.macro);
        if (!macros.insert(option.macro).second)
            return fmt::format("{} is declared twice", option.macro);
        for (const std::string& value : option.values)
            if (!is_word(value) || std::ranges::count(option.values, value) > 1)
                return fmt::format("{}: '{}' is not a value, or is listed twice", option.macro,
                                   value);
        table.options.push_back(std::move(option));
    }
    if (table.options.empty()) return "no macro is declared";
    if (table.variants().empty()) return "every combination is excluded";
    return {};
}

std::string declaration(const VariantTable& table) {
    std::vector<std::string> all;
    for (const VariantTable::Option& option : table.options)
        all.push_back(fmt::format("{}={}", option.macro, fmt::join(option.values, ",")));
    std::string text = fmt::format("{}", fmt::join(all, " "));
    for (bool first = true; const auto& values : table.missing) {
        text += fmt::format("{} {}", first ? " except" : "", fmt::join(values, ","));
        first = false;
    }
    return text;
}

} // namespace

VariantName parse_variant_name(std::string_view name) {
    const std::size_t open = name.find('[');
    if (open == std::string_view::npos || !name.ends_with(']')) return {std::string(name)};
    VariantName result{std::string(name.substr(0, open))};
    for (const std::string& choice : split(name.substr(open + 1, name.size() - open - 2), ',')) {
        const std::size_t equals = choice.find('=');
        if (equals == std::string::npos) return {std::string(name)};
        result.values[choice.substr(0, equals)] = choice.substr(equals + 1);
    }
    return result;
}

std::string variant_text(const MacroValues& values) {
    ShaderVariant variant;
    for (const auto& [macro, value] : values)
        variant.set(macro, std::string_view(value));
    return variant.name_of({});
}

MacroValues macro_definitions(const MacroValues& values) {
    const std::string set(1, '1');
    MacroValues all = values;
    for (const auto& [macro, value] : values)
        if (is_identifier(value)) all.emplace(fmt::format("{}_{}", macro, value), set);
    return all;
}

std::vector<ShaderVariant> VariantTable::variants() const {
    std::vector<ShaderVariant> result;
    std::vector<std::size_t> digits(options.size(), 0);
    while (true) {
        std::vector<std::string> values;
        ShaderVariant variant;
        for (std::size_t i = 0; i < options.size(); ++i) {
            values.push_back(options[i].values[digits[i]]);
            variant.set(options[i].macro, std::string_view(values.back()));
        }
        if (std::ranges::find(missing, values) == missing.end()) result.push_back(variant);
        std::size_t at = options.size();
        while (at > 0 && ++digits[at - 1] == options[at - 1].values.size())
            digits[--at] = 0;
        if (at == 0) return result;
    }
}

Result<MacroValues> VariantTable::choose(const MacroValues& values, std::string_view kernel) const {
    const auto failed = [&](std::string message) {
        return fail("shader/unknown-variant", std::move(message),
                    fmt::format("kernel {} declares {}", kernel, declaration(*this)));
    };
    MacroValues chosen;
    std::vector<std::string> in_order;
    for (const Option& option : options) {
        const auto value = values.find(option.macro);
        if (value == values.end())
            return failed(
                fmt::format("kernel {} needs to know {}: choose a variant", kernel, option.macro));
        if (std::ranges::find(option.values, value->second) == option.values.end())
            return failed(fmt::format("kernel {} has no variant of {} = {}", kernel, option.macro,
                                      value->second));
        chosen.insert(*value);
        in_order.push_back(value->second);
    }
    if (std::ranges::find(missing, in_order) != missing.end())
        return failed(fmt::format("kernel {} does not have this combination: {}", kernel,
                                  fmt::join(in_order, ", ")));
    return chosen;
}

Result<VariantTable> parse_variants(const std::filesystem::path& file, std::string_view text) {
    VariantTable table;
    int number = 0;
    for (const std::string& line : split(text, '\n')) {
        ++number;
        if (!line.starts_with(kMark)) continue;
        std::string words = line.substr(kMark.size());
        if (words.ends_with('\r')) words.pop_back();
        std::string wrong = table.options.empty() ? read_words(table, words_of(words))
                                                  : "variants are declared in one line";
        if (!wrong.empty())
            return fail({.code = "shader/bad-variants",
                         .severity = Severity::error,
                         .message = std::move(wrong),
                         .where = {.file = file.string(),
                                   .line = number,
                                   .column = 1,
                                   .length = static_cast<int>(line.size()),
                                   .line_text = line},
                         .hint = "//! variants MACRO=value,value MACRO=value,value except "
                                 "value,value"});
    }
    return table;
}

} // namespace tuff
