#include "apps/tuff/report/golden.hpp"
#include "core/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::cli {
namespace {

/// Results of a config are one class of test cases.
std::string case_open(std::string_view name) {
    const std::size_t space = std::min(name.rfind(' '), name.size());
    const std::string_view output = space < name.size() ? name.substr(space + 1) : name;
    return fmt::format("  <testcase classname=\"{}\" name=\"{}\"", xml_text(name.substr(0, space)),
                       xml_text(output));
}

bool is_wrong(const GoldenCase& one) {
    return one.verdict == GoldenVerdict::differs || one.verdict == GoldenVerdict::missing;
}

} // namespace

std::string golden_junit(std::span<const GoldenCase> cases, std::span<const std::string> skipped) {
    std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuite name=\"tuff golden\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
        "skipped=\"{}\">\n",
        cases.size() + skipped.size(), std::ranges::count_if(cases, is_wrong), skipped.size());
    for (const GoldenCase& one : cases) {
        text += case_open(one.name);
        if (is_wrong(one))
            text += fmt::format("><failure type=\"{}\" message=\"{}\"/></testcase>\n",
                                name_of(one.verdict), xml_text(one.finding));
        else
            text += "/>\n";
    }
    for (const std::string& config : skipped)
        text +=
            case_open(config) + "><skipped message=\"the config has open inputs\"/></testcase>\n";
    return text + "</testsuite>\n";
}

} // namespace tuff::cli
