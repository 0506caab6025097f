#include "scene/scene_report.hpp"

#include <tuple>

namespace tuff::viewer {
namespace {

auto numbers(const SceneReport& r) {
    return std::tie(r.state, r.paused, r.has_history, r.still, r.frame, r.seconds_per_frame,
                    r.executions, r.compilations, r.reloads, r.recording, r.recorded,
                    r.finished_film, r.saved, r.saved_file);
}

/// What the parts of a report are of; they are replaced, never changed.
auto parts(const SceneReport& r) {
    return std::tie(r.panel, r.values, r.structure, r.shown, r.histograms);
}

/// Times arrive later than the execution that they are of.
std::uint64_t timed(const SceneReport& r) {
    return r.timings ? r.timings->execution : 0;
}

} // namespace

bool is_same(const SceneReport& a, const SceneReport& b) {
    return numbers(a) == numbers(b) && parts(a) == parts(b) && timed(a) == timed(b) &&
           to_string(a.problems) == to_string(b.problems) &&
           to_string(a.warnings) == to_string(b.warnings);
}

} // namespace tuff::viewer
