#pragma once

#include "interface/draw_list.hpp"
#include "model/memory_map.hpp"
#include "model/settings.hpp"
#include "model/transfer.hpp"
#include "model/texels.hpp"
#include "panels/widget_map.hpp"
#include "scene/scene_report.hpp"
#include "scene/scene_request.hpp"

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tuff::viewer {

/// How the picture lies in its panel.
struct PicturePlace {
    float scale = 0.0f;       ///< pixels a texel; 0: as large as fits
    float x = 0.0f, y = 0.0f; ///< texel in the middle, from the picture's middle
};

/// What a person has asked for in this frame.
struct Actions {
    std::vector<Transport> transport;
    std::optional<std::filesystem::path> open;
    bool save_picture = false;
    bool save_jpeg = false;
    bool save_window = false;
    bool toggle_recording = false;
    bool quit = false;
};

/// Facts about the shown values; made when first asked for after each execution.
struct ShownFacts {
    const Shown* of = nullptr;
    std::uint32_t slice = 0;
    Elements elements = Elements::f32;
    ValueSummary summary;
};

/// All that the panels share. They read the report and change the request.
struct InterfaceState {
    std::shared_ptr<const SceneReport> report;
    SceneRequest request;
    bool request_changed = false;
    Settings settings;
    Actions actions;

    PictureDisplay display;
    float exposure = 0.0f; ///< stops
    PicturePlace place;
    std::uint32_t slice = 0;
    Elements elements = Elements::f32;
    ShownFacts facts;
    std::optional<std::array<std::uint32_t, 2>> cursor; ///< texel under it

    std::array<char, 128> view_filter{}, parameter_filter{};
    std::array<char, 512> open_path{};
    bool open_requested = false;
    /// The volume page: the point of the transfer function that is chosen, whether it is being
    /// dragged, and the filter of each slot by its node.
    std::size_t transfer_point = 0;
    bool drags_point = false;
    std::map<std::string, VolumeFilterChoice> volume_filters;

    std::string message; ///< what was done last: "wrote shot.png"
    std::string tab;     ///< that is open below the picture
    bool recording = false;
    std::size_t recorded = 0;

    std::shared_ptr<const Structure> mapped; ///< what `memory_map` is of
    MemoryMap memory_map;

    double interface_rate = 0.0; ///< frames a second of the interface itself
    WidgetMap widgets;

    /// Chooses what to look at; mip, layer and slice begin anew.
    void look_at(const ViewKey& key);
    void edited() { request_changed = true; }
    const Shown* shown() const { return report ? report->shown.get() : nullptr; }
    /// The facts about what is shown now.
    const ValueSummary& summary();
};

} // namespace tuff::viewer
