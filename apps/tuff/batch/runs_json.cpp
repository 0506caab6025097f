#include "apps/tuff/batch/runs_json.hpp"

#include <tuff/device.hpp>

namespace tuff::cli {

Json::Value device_json(const DeviceCaps& caps) {
    Json::Value json;
    json["name"] = caps.name;
    json["type"] = std::string(to_string(caps.type));
    json["driver"] = caps.driver;
    return json;
}

Json::Value run_json(const PlannedRun& run, bool finished) {
    Json::Value json;
    json["name"] = run.name;
    json["first_frame"] = Json::Int64(run.frames.first);
    json["frames"] = Json::Int64(run.frames.count());
    json["skipped"] = finished;
    json["files"] = Json::Value(Json::arrayValue);
    return json;
}

} // namespace tuff::cli
