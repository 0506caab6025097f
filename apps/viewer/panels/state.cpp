#include "panels/state.hpp"

namespace tuff::viewer {

void InterfaceState::look_at(const ViewKey& key) {
    request.view = {.key = key};
    slice = 0;
    place = {};
    edited();
}

const ValueSummary& InterfaceState::summary() {
    const Shown* now = shown();
    if (now == facts.of && slice == facts.slice && elements == facts.elements) return facts.summary;
    facts = {.of = now, .slice = slice, .elements = elements};
    if (now && now->view.is_image() && !now->image.empty())
        facts.summary =
            summarize(slice_of(now->image, std::min(slice, now->image.extent.depth - 1)));
    else if (now)
        facts.summary = summarize(now->bytes, elements);
    return facts.summary;
}

} // namespace tuff::viewer
