#include "apps/tuff/report/spelling.hpp"

#include <fmt/format.h>

#include <vector>

namespace tuff::cli {

std::string spelling(const Option& option) {
    const std::string type = option.type();
    if (option.is_positional()) return option.takes_several() ? type + "..." : type;
    std::string text;
    for (const std::vector<std::string>& names : {option.short_names(), option.long_names()})
        for (const std::string& name : names)
            text += (text.empty() ? "" : ", ") + name;
    return option.takes_value() ? text + " " + type : text;
}

std::string usage(const Command& command) {
    std::string text = command.full_name();
    bool has_options = false;
    for (const Option* option : command.options()) {
        if (!option->is_positional())
            has_options = has_options || !option->is_help();
        else
            text += option->is_required() ? " " + spelling(*option)
                                          : fmt::format(" [{}]", spelling(*option));
    }
    return has_options ? text + " [OPTIONS]" : text;
}

} // namespace tuff::cli
