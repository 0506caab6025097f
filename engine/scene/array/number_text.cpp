#include "scene/array/number_text.hpp"

#include "core/element_numbers.hpp"
#include "core/parse_number.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace tuff {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Takes the first field off a line that does not begin with blanks, and what separates it from the
/// next: blanks, or a comma or semicolon among them.
std::string_view take_field(std::string_view& line) {
    const std::string_view field = line.substr(0, line.find_first_of(" \t,;"));
    line.remove_prefix(field.size());
    const auto skip_blanks = [&] {
        line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    };
    skip_blanks();
    if (!line.empty() && (line[0] == ',' || line[0] == ';')) line.remove_prefix(1);
    skip_blanks();
    return field;
}

bool is_number(std::string_view text) {
    return parse_number<double>(text).has_value();
}

/// Whether no field of a line is a number.
bool has_names(std::string_view line) {
    while (!line.empty())
        if (is_number(take_field(line))) return false;
    return true;
}

/// False where the text is no number of that type.
bool store_text(ElementType type, std::string_view text, std::byte* at) {
    // Numbers of 64 bits would lose digits on their way through a double.
    if (const auto number = parse_number<std::int64_t>(text))
        return store_number(type, *number, at);
    if (const auto number = parse_number<std::uint64_t>(text))
        return store_number(type, *number, at);
    const auto number = parse_number<double>(text);
    return number && store_number(type, *number, at);
}

class NumberReader {
  public:
    NumberReader(std::string_view text, ElementType type, std::string_view name)
        : rest_(text), type_(type), name_(name) {
        if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3); // a byte order mark
    }

    Result<HostArray> run() {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            const std::string_view line = without_blanks(rest_.substr(0, end));
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++line_;
            if (line.empty() || line[0] == '#') continue;
            if (auto read = read_line(line); !read) return propagate(std::move(read));
        }
        if (columns_ > 1) return HostArray{type_, {rows_, columns_}, std::move(bytes_)};
        return HostArray{type_, {rows_}, std::move(bytes_)};
    }

  private:
    Result<void> read_line(std::string_view line) {
        std::uint64_t columns = 0;
        const std::size_t size = element_bytes(type_);
        if (std::exchange(is_first_, false) && has_names(line)) return {};
        while (!line.empty()) {
            const std::string_view field = take_field(line);
            ++columns;
            bytes_.resize(bytes_.size() + size);
            if (!store_text(type_, field, &bytes_[bytes_.size() - size]))
                return wrong(field, columns);
        }
        if (rows_ == 0) columns_ = columns;
        ++rows_;
        if (columns == columns_) return {};
        return fail("array/wrong-shape",
                    fmt::format("'{}', line {}: {} numbers, and {} in the lines before", name_,
                                line_, columns, columns_));
    }

    std::unexpected<Diagnostics> wrong(std::string_view field, std::uint64_t column) const {
        const std::string place = fmt::format("'{}', line {}, column {}", name_, line_, column);
        if (!is_number(field))
            return fail("array/not-a-number",
                        fmt::format("{}: \"{}\" is not a number", place, field.substr(0, 40)));
        return fail("array/wrong-type",
                    fmt::format("{}: {} is no {}", place, field, element_name(type_)));
    }

    std::string_view rest_;
    ElementType type_;
    std::string_view name_;
    std::uint64_t line_ = 0; ///< from 1
    bool is_first_ = true;
    std::uint64_t rows_ = 0;
    std::uint64_t columns_ = 0;
    std::vector<std::byte> bytes_;
};

} // namespace

Result<HostArray> parse_numbers(std::string_view text, ElementType type, std::string_view name) {
    return NumberReader(text, type, name).run();
}

} // namespace tuff
