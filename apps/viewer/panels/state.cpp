#include "panels/state.hpp"

#include <algorithm>

namespace tuff::viewer {

void InterfaceState::look_at(const ViewKey& key) {
    request.view = {.key = key};
    slice = 0;
    place = {};
    edited();
}

void InterfaceState::look_at_result_of(std::string_view node) {
    if (!report || !report->structure) return;
    // The last result is what a node is for: its kernels before only lead there.
    const View* found = nullptr;
    for (const View& view : report->structure->views) {
        if (view.writer == node) {
            found = &view;
            break;
        }
        if (view.writer.starts_with(node) && view.writer.size() > node.size() &&
            view.writer[node.size()] == '/')
            found = &view;
    }
    if (found) look_at(found->key);
}

void InterfaceState::say(std::string text) {
    message = std::move(text);
    message_time = std::chrono::steady_clock::now();
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

void InterfaceState::fold_lists() {
    if (!report) return;
    if (folded.timed != times.generation()) {
        folded.timed = times.generation();
        folded.time_tree = FoldTree(times.names());
    }
    if (!report->structure || folded.of == report->structure) return;
    folded.of = report->structure;
    std::vector<std::string> names;
    for (const View& view : folded.of->views)
        names.push_back(label_of(view));
    folded.view_tree = FoldTree(names);

    const Plan& plan = *folded.of->plan;
    memory_map = memory_map_of(plan);
    // As the nodes run.
    std::ranges::stable_sort(memory_map.boxes, {}, &MemoryBox::first_level);
    names.clear();
    for (const MemoryBox& box : memory_map.boxes)
        names.emplace_back(plan.graph.name_of(box.resource));
    folded.memory_tree = FoldTree(names);
}

} // namespace tuff::viewer
