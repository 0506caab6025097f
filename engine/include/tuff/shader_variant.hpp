#pragma once

#include <concepts>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace tuff {

/// The value of a macro of a kernel: a whole number or an identifier.
class VariantValue {
  public:
    /// `true` is 1.
    template <std::integral T>
    VariantValue(T number) : text_(std::to_string(number)) {}
    /// An identifier, such as "uint".
    VariantValue(std::string_view identifier) : text_(identifier) {}
    /// An identifier, such as "uint".
    VariantValue(const char* identifier) : text_(identifier) {}

    const std::string& text() const { return text_; } ///< in GLSL

  private:
    std::string text_;
};

/// A variant of a kernel: a value for each macro that the kernel declares in a line
/// such as
///
///     //! variants KEY_WORDS=1,2 VALUE_WORDS=0,1,2 except 2,2
///
/// of its stages. An identifier, such as OUTPUT=depths, also defines OUTPUT_depths as 1,
/// for `#if OUTPUT_depths`. The combinations after `except` list values in the order of the
/// macros; they do not exist. Each stage of a raster or ray kernel is compiled for the macros that
/// it declares itself.
class ShaderVariant {
  public:
    /// A macro and its value.
    struct Choice {
        std::string_view macro; ///< "KEY_WORDS"
        VariantValue value;     ///< one of its declared values
    };
    /// For a kernel without variants.
    ShaderVariant() = default;
    /// Chooses a value for each macro.
    ShaderVariant(std::initializer_list<Choice> choices) {
        for (const Choice& choice : choices)
            set(choice.macro, choice.value);
    }

    /// Chooses `value` for `macro`; replaces an earlier choice.
    void set(std::string_view macro, const VariantValue& value) {
        values_.insert_or_assign(std::string(macro), value.text());
    }
    /// The values by macro.
    const std::map<std::string, std::string, std::less<>>& values() const { return values_; }

    /// The full name of this variant of `kernel`: "sort[KEY_WORDS=2,VALUE_WORDS=0]", the macros in
    /// alphabetical order; `kernel` if nothing is chosen. Use it wherever the name of a kernel
    /// is expected.
    std::string name_of(std::string_view kernel) const {
        std::string name(kernel);
        for (char separator = '['; const auto& [macro, value] : values_) {
            name += separator + macro + '=' + value;
            separator = ',';
        }
        if (!values_.empty()) name += ']';
        return name;
    }

  private:
    std::map<std::string, std::string, std::less<>> values_;
};

} // namespace tuff
