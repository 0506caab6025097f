#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/shader_variant.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// Values of macros, by macro.
using MacroValues = std::map<std::string, std::string, std::less<>>;

/// A variant's full name, taken apart: "sort[KEY_WORDS=2]".
struct VariantName {
    std::string kernel; ///< "sort"
    MacroValues values = {};
};

/// Takes `name` apart; what is no list of macros and values belongs to the kernel's name.
VariantName parse_variant_name(std::string_view name);

/// "[KEY_WORDS=2,VALUE_WORDS=0]", or nothing where there are no values.
std::string variant_text(const MacroValues& values);

/// What a stage is compiled with: the macros, and for OUTPUT=depths, a value that is no number,
/// also OUTPUT_depths=1, so that `#if OUTPUT_depths` asks for it.
MacroValues macro_definitions(const MacroValues& values);

/// The macros that one stage of a kernel declares, with their values.
struct VariantTable {
    struct Option {
        std::string macro;
        std::vector<std::string> values;
    };
    std::vector<Option> options;                   ///< as declared
    std::vector<std::vector<std::string>> missing; ///< combinations behind `except`

    /// All combinations that exist; a single empty one where nothing is declared.
    std::vector<ShaderVariant> variants() const;

    /// Of `values` those of the macros declared here. Error: `shader/unknown-variant` where one of
    /// these is missing, has another value than those declared, or their combination does not
    /// exist.
    Result<MacroValues> choose(const MacroValues& values, std::string_view kernel) const;
};

/// Reads the `//! variants` line of a stage, where there is one. Error: `shader/bad-variants`, with
/// the line.
Result<VariantTable> parse_variants(const std::filesystem::path& file, std::string_view text);

} // namespace tuff
