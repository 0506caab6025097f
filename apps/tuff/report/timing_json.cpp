#include "apps/tuff/report/timing_json.hpp"

#include "graph/explain/describe.hpp"

#include <string>
#include <vector>

namespace tuff::cli {
namespace {

Json::Value nodes_json(const std::vector<NodeTiming>& nodes) {
    Json::Value json(Json::arrayValue);
    for (const NodeTiming& node : nodes) {
        Json::Value& entry = json.append({});
        entry["name"] = node.name;
        entry["milliseconds"] = node.milliseconds;
        entry["start"] = node.start;
        entry["queue"] = std::string(name_of(node.queue));
        if (node.queue != Queue::host) continue;
        entry["waited"] = node.waited;
        entry["bytes_read"] = Json::UInt64{node.bytes_read};
        entry["bytes_written"] = Json::UInt64{node.bytes_written};
    }
    return json;
}

} // namespace

Json::Value timing_json(const ExecutionTimings& timings) {
    Json::Value json;
    if (timings.milliseconds <= 0.0) return json; // the device has no timestamps
    json["execution"] = Json::UInt64(timings.execution);
    json["milliseconds"] = timings.milliseconds;
    json["nodes"] = nodes_json(timings.nodes);
    json["setup"] = nodes_json(timings.setup);
    return json;
}

} // namespace tuff::cli
