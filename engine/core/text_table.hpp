#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Text for terminals: aligned columns, colours, sizes for people.
namespace tuff {

/// ANSI colours, or the bare text where they are off.
class TextStyle {
  public:
    enum class Colour : std::uint8_t { off, on };
    explicit TextStyle(Colour colour = Colour::off) : on_(colour == Colour::on) {}

    std::string heading(std::string_view text) const { return wrap("1", text); }
    std::string name(std::string_view text) const { return wrap("36", text); }
    std::string good(std::string_view text) const { return wrap("32", text); }
    std::string warning(std::string_view text) const { return wrap("33", text); }
    std::string bad(std::string_view text) const { return wrap("31", text); }
    std::string quiet(std::string_view text) const { return wrap("2", text); }
    bool on() const { return on_; }

  private:
    std::string wrap(std::string_view code, std::string_view text) const;

    bool on_;
};

/// Columns a terminal needs for `text`: UTF-8 code points, ANSI escapes not counted.
std::size_t text_width(std::string_view text);

enum class Align : std::uint8_t { left, right };

/// Rows of cells printed with aligned columns, two spaces apart. A row may have fewer cells than
/// the widest; lines carry no trailing spaces.
class TextTable {
  public:
    /// Columns beyond `alignment` are aligned left.
    explicit TextTable(std::vector<Align> alignment = {}) : alignment_(std::move(alignment)) {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    bool empty() const { return rows_.empty(); }
    /// Each line starts with `indent` and ends with a newline.
    std::string text(std::string_view indent = {}) const;

  private:
    std::vector<Align> alignment_;
    std::vector<std::vector<std::string>> rows_;
};

/// "512 B", "1.50 KiB", "7.03 MiB": three significant digits, powers of 1024.
std::string human_bytes(std::uint64_t bytes);

/// Three significant digits with a unit that fits: "1.25 us".
std::string time_text(double milliseconds);

/// "1 node", "3 nodes".
std::string counted(std::uint64_t count, std::string_view singular);

/// `text` broken at spaces into lines of at most `width` columns, each after the first preceded by
/// a newline and `indent`. Newlines in `text` stay; words longer than a line are not broken.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent);

} // namespace tuff
