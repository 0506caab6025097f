#include "tests/oracle/oracle.hpp"

#include "tests/oracle/findings.hpp"
#include "tests/oracle/kept_checks.hpp"
#include "tests/oracle/queue_checks.hpp"
#include "tests/oracle/static_checks.hpp"
#include "tests/oracle/timeline.hpp"
#include "tests/oracle/versions.hpp"

namespace tuff::oracle {

namespace {

void judge(const Plan& plan, const Settings& settings, Findings& findings) {
    const VersionBook versions(plan.graph);
    check_queues(plan, findings);
    check_culling(plan, settings, versions, findings);
    check_placement(plan, settings, findings);
    check_usages(plan, findings);
    if (!findings.full()) Timeline(plan, settings, versions, findings).play();
}

} // namespace

Violations check(const GraphDesc& graph, const Plan& plan, const Settings& settings) {
    Findings findings(settings.most);
    check_form(graph, plan, findings);
    if (findings.empty()) check_submissions(plan, findings);
    if (findings.empty()) check_kept(plan, settings, findings);
    if (!findings.empty()) return std::move(findings).take();
    if (plan.setup)
        judge(executions_of(plan), settings, findings);
    else
        judge(plan, settings, findings);
    return std::move(findings).take();
}

std::string to_string(const Violations& violations) {
    std::string text;
    for (const Violation& violation : violations)
        text += violation.text + '\n';
    return text;
}

} // namespace tuff::oracle
