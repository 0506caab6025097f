#pragma once

#include "tests/unit/graph/hand_built_plan.hpp"

#include <json/json.h>

#include <string>
#include <string_view>
#include <vector>

namespace tuff::test {

/// Fails the test where `text` is no JSON.
Json::Value parsed_json(std::string_view text);

/// The data inside a page of `tuff explain --html`.
Json::Value plan_of_page(const std::string& page);

/// A chain of passes whose names and resources try to break out of HTML, JSON and scripts.
struct HostilePlan : HandBuiltPlan {
    HostilePlan();
    std::vector<std::string> names; ///< of the resources, and of the passes that write them
};
std::string explain_hostile(const HostilePlan& hostile);

} // namespace tuff::test
