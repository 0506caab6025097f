#include "panels/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>

namespace tuff::viewer {
namespace {

std::string kept_text(const CompareState& compare) {
    return fmt::format("A: {}, frame {}", label_of(compare.kept->view), compare.kept->frame);
}

void difference_text(const CompareState& compare) {
    const HostImage& both = *compare.both;
    const double texels = static_cast<double>(both.extent.width) * both.extent.height;
    ImGui::TextDisabled("%s",
                        fmt::format("max {:.3g}, mean {:.3g}, {:.3g} % of texels",
                                    compare.summary.most, compare.summary.mean,
                                    100.0 * static_cast<double>(compare.summary.texels) / texels)
                            .c_str());
}

} // namespace

void draw_compare(InterfaceState& state) {
    CompareState& compare = state.compare;
    if (ImGui::Button(compare.kept ? "Keep this as A" : "Keep as A, to compare")) {
        compare.kept = state.report->shown;
        compare.edits = state.request.edits;
        if (compare.how == Comparison::off) compare.how = Comparison::split;
    }
    state.widgets.note("keep as A");
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("keeps this picture and its parameters; then show another output,\n"
                          "or change parameters, to see both beside each other");
    if (!compare.kept) return;
    ImGui::SameLine();
    if (ImGui::Button("Forget A")) {
        compare = {};
        state.widgets.note("forget A");
        return;
    }
    state.widgets.note("forget A");
    ImGui::TextDisabled("%s", kept_text(compare).c_str());
    int how = static_cast<int>(compare.how);
    for (int i = 0; i < 3; ++i) {
        if (i > 0) {
            ImGui::SameLine();
            const float width =
                ImGui::CalcTextSize(kComparisonNames[i]).x + ImGui::GetFrameHeightWithSpacing();
            if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
        }
        if (ImGui::RadioButton(kComparisonNames[i], how == i))
            compare.how = static_cast<Comparison>(i);
        state.widgets.note(fmt::format("compare {}", kComparisonNames[i]));
    }
    if (compare.how == Comparison::difference && compare.both) difference_text(compare);
    ImGui::BeginDisabled(compare.edits == state.request.edits);
    if (ImGui::Button("Swap parameters with A")) {
        // The picture that is shown becomes A, so that pressing it again swaps back.
        const Edits now = state.request.edits;
        state.request.edits = compare.edits;
        compare.edits = now;
        compare.kept = state.report->shown;
        state.edited();
    }
    state.widgets.note("swap with A");
    ImGui::EndDisabled();
}

} // namespace tuff::viewer
