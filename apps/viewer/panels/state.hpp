#pragma once

#include "interface/draw_list.hpp"
#include "model/compare.hpp"
#include "model/edit_history.hpp"
#include "model/file_list.hpp"
#include "model/fold_tree.hpp"
#include "model/graph_map.hpp"
#include "model/memory_map.hpp"
#include "model/settings.hpp"
#include "model/texels.hpp"
#include "model/time_log.hpp"
#include "model/transfer.hpp"
#include "panels/widget_map.hpp"
#include "scene/scene_report.hpp"
#include "scene/scene_request.hpp"

#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
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
    std::optional<std::int64_t> seek; ///< a frame
    std::optional<std::filesystem::path> open;
    bool save_config = false;
    bool undo = false, redo = false;
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

using OpenGroups = std::set<std::string, std::less<>>;

/// Which groups of the folded lists are open, and the lists themselves.
struct FoldedLists {
    OpenGroups views, times, graph, memory;
    std::shared_ptr<const Structure> of; ///< what the following are of
    FoldTree view_tree{{}};              ///< of its views
    FoldTree memory_tree{{}};            ///< of the boxes of its memory map
    std::uint64_t timed = ~0u;           ///< the generation of the time log that this is of:
    FoldTree time_tree{{}};
    std::string plotted; ///< the group or node whose times are plotted; empty: all
    bool longest_first = false;
};

/// The graph as it is drawn, and how it lies in its panel.
struct GraphPicture {
    std::shared_ptr<const Structure> of;
    OpenGroups open; ///< when the map was made
    GraphMap map;
    MapView view;
};

/// A picture that was kept, and how it is compared with the one that is shown.
struct CompareState {
    std::shared_ptr<const Shown> kept; ///< A; null: none
    Edits edits;                       ///< the parameters that it was made with
    Comparison how = Comparison::off;
    float line = 0.5f;
    bool drags_line = false;
    /// A and B as one picture; null while they are not compared.
    std::shared_ptr<const HostImage> both;
    DifferenceSummary summary; ///< of `both`, where it is their difference
    bool is_on() const { return kept && how != Comparison::off; }
};

/// The dialog that opens files.
struct OpenDialog {
    bool requested = false;
    std::array<char, 512> path{};
    std::filesystem::path folder; ///< that is listed
    std::vector<FolderEntry> entries;
    std::vector<std::string> shipped;
    std::string problem;     ///< with what was entered last
    int attempts = 0;        ///< to open what does not exist
    int focused_attempt = 0; ///< the last one whose field got the keyboard
};

/// All that the panels share. They read the report and change the request.
struct InterfaceState {
    std::shared_ptr<const SceneReport> report;
    SceneRequest request;
    bool request_changed = false;
    Settings settings;
    Actions actions;
    EditHistory history;

    PictureDisplay display;
    float exposure = 0.0f; ///< stops
    PicturePlace place;
    bool picture_alone = false; ///< without the panels about it
    std::uint32_t slice = 0;
    Elements elements = Elements::f32;
    ShownFacts facts;
    std::optional<std::array<std::uint32_t, 2>> cursor; ///< texel under it
    CompareState compare;

    std::array<char, 128> view_filter{}, parameter_filter{};
    OpenDialog open_dialog;
    bool shows_keys = false;
    Diagnostics notices;           ///< why the last save was refused; empty: it was not
    std::string closed_problems;   ///< the text of the banner that was closed
    float problem_text_height = 0; ///< of the banner's text, as it was drawn last
    std::int64_t last_frame = 240; ///< at the right end of the time line
    /// The volume page: the point of the transfer function that is chosen, whether it is being
    /// dragged, and the filter of each slot by its node.
    std::size_t transfer_point = 0;
    bool drags_point = false;
    std::map<std::string, VolumeFilterChoice> volume_filters;

    std::string message;                                ///< what was done last: "wrote shot.png"
    std::chrono::steady_clock::time_point message_time; ///< when it was said
    std::string tab;                                    ///< that is open below the picture
    std::string open_tab; ///< to be opened; empty: the one that is open
    bool recording = false;
    std::size_t recorded = 0;

    MemoryMap memory_map; ///< of the structure that `folded` is of
    FoldedLists folded;
    GraphPicture graph;
    TimeLog times;

    double interface_rate = 0.0;        ///< frames a second of the interface itself
    std::uint64_t interface_frames = 0; ///< that were laid out
    std::uint64_t drawn_frames = 0;     ///< those among them that differed from the one before
    std::uint64_t releases = 0;         ///< of the mouse's left button
    WidgetMap widgets;

    /// Chooses what to look at; mip, layer and slice are reset.
    void look_at(const ViewKey& key);
    /// Shows the first thing that a node, or a group of them, writes.
    void look_at_result_of(std::string_view node);
    void edited() { request_changed = true; }
    void say(std::string text);
    const Shown* shown() const { return report ? report->shown.get() : nullptr; }
    /// The facts about what is shown now.
    const ValueSummary& summary();
    /// Rebuilds the folding lists if the graph has changed.
    void fold_lists();
};

} // namespace tuff::viewer
