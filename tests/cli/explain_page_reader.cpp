#include "explain_page_reader.hpp"

#include "apps/tuff/page/explain_page.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace tuff::test {

Json::Value parsed_json(std::string_view text) {
    Json::Value value;
    std::string problem;
    const std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
    EXPECT_TRUE(reader->parse(text.data(), text.data() + text.size(), &value, &problem)) << problem;
    return value;
}

Json::Value plan_of_page(const std::string& page) {
    constexpr std::string_view kStart = "id=\"plan\">";
    const std::size_t start = page.find(kStart);
    const std::size_t end = page.find("</script>", start);
    if (start == std::string::npos || end == std::string::npos) {
        ADD_FAILURE() << "no data in the page";
        return {};
    }
    const std::size_t first = start + kStart.size();
    return parsed_json(std::string_view(page).substr(first, end - first));
}

HostilePlan::HostilePlan()
    : names({"</script><script>throw 1</script>", "\"quoted\" 'single' & &amp; <img src=x>",
             "\xc3\xa9 \xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x98\x80", "{{script}} {{plan}}",
             "\\u003c \\ \n line", "<!-- <script>", "]]> </style> </svg> </title>"}) {
    VersionId before;
    for (const std::string& name : names) {
        const ResourceId target = image(name);
        const NodeId pass = node(name, ComputeNode{});
        if (before) reads(before, Access::sampled);
        before = writes(target, Access::storage_write);
        level({pass});
    }
    output(names.front(), before);
}

std::string explain_hostile(const HostilePlan& hostile) {
    return cli::explain_page(hostile.plan, {.title = hostile.names.front(), .device = "none"});
}

} // namespace tuff::test
