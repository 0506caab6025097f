#include "apps/bench/checks.hpp"
#include "passes/terrain/cull.hpp"
#include "passes/terrain/draw.hpp"
#include "passes/terrain/map.hpp"
#include "passes/terrain/quadtree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

/// Quadtrees of about as many leaves as the case has elements.
namespace tuff::bench {
namespace {

using passes::BuildQuadTree;
using passes::QuadTree;
using passes::TreeDrop;
using passes::TreeKeys;
using passes::TreeMode;

constexpr std::uint32_t kBenchLevels = 14;

passes::CameraParameters tree_camera() {
    return {.mode = passes::CameraMode::free,
            .position = {0.11f, 0.004f, 0.23f},
            .target = {0.05f, 0.0f, 0.1f},
            .vertical_fov = 60.0f,
            .near_plane = 1e-4f,
            .far_plane = 10.0f};
}

/// k for about so many leaves: 3 pi (k / c)^2 a level.
float k_for(std::uint64_t leaves) {
    const double reach = std::sqrt(static_cast<double>(leaves) / (3.0 * 3.14159 * 10.0));
    return static_cast<float>(std::clamp(1.1547 * reach, 2.6, 900.0));
}

BuildQuadTree tree_pass(CaseBuilder& c, TreeMode mode, TreeDrop drop) {
    const passes::Surface surface =
        c.graph()
            .add(passes::MakeSurface{.kind = passes::SurfaceKind::fbm, .height = 0.02f})
            .surface;
    return {.surface = surface,
            .camera = tree_camera(),
            .k = k_for(c.size()),
            .max_level = kBenchLevels,
            .mode = mode,
            .drop = drop};
}

/// The leaves cover the square once: areas in cells of the last level.
Verdict covers_square(CaseResults& results) {
    const auto status = passes::TreeStatus::read(results.read<std::uint32_t>("status"));
    const auto keys = results.read<std::uint32_t>("keys");
    std::uint64_t area = 0;
    if (status.count > keys.size()) return std::unexpected("more leaves than room");
    for (std::uint32_t i = 0; i < status.count; ++i)
        area += std::uint64_t{1} << (2 * (kBenchLevels - passes::node_of_narrow(keys[i]).level));
    results.set_remark(fmt::format("{} leaves", status.count));
    if (area == std::uint64_t{1} << (2 * kBenchLevels)) return {};
    return std::unexpected(fmt::format("the leaves cover {} cells", area));
}

void whole_tree(CaseBuilder& c, TreeMode mode, std::uint32_t eyes) {
    BuildQuadTree pass = tree_pass(c, mode, TreeDrop::nothing);
    if (eyes > 0) {
        std::vector<glm::vec4> places;
        for (std::uint32_t i = 0; i < eyes; ++i)
            places.emplace_back(-0.4f + 0.8f * static_cast<float>(i) / static_cast<float>(eyes),
                                0.004f, 0.4f * std::sin(7.0f * static_cast<float>(i)), 0.0f);
        pass.k = k_for(c.size() / (eyes + 1));
        std::vector<std::byte> bytes(places.size() * sizeof(glm::vec4));
        std::memcpy(bytes.data(), places.data(), bytes.size());
        const BufferDesc desc{.size = bytes.size(), .stride = sizeof(glm::vec4)};
        pass.eyes = c.graph().constant_buffer(
            "further", desc, std::make_shared<const std::vector<std::byte>>(std::move(bytes)));
    }
    const QuadTree tree = c.add(pass, "timed").tree;
    c.time_only("timed/");
    c.output("status", tree.status);
    Graph& g = c.graph();
    c.output("keys", g.copy(tree.keys, g.buffer("read_keys", g.desc(tree.keys))));
    c.check([](CaseResults& results) { return covers_square(results); });
}

/// What is in view, with edges: while the tree is built, or by a pass behind it.
void seen_tree(CaseBuilder& c, bool apart) {
    BuildQuadTree pass = tree_pass(c, TreeMode::windows, TreeDrop::outside);
    QuadTree tree;
    if (apart) {
        pass.drop = TreeDrop::nothing;
        const QuadTree whole = c.graph().add(pass).tree;
        tree =
            c.add(passes::CullTree{.surface = pass.surface, .tree = whole, .camera = pass.camera},
                  "timed")
                .visible;
    } else {
        tree = c.add(pass, "timed").tree;
    }
    c.time_only("timed/");
    c.output("status", tree.status);
    c.output("keys", tree.keys);
    c.check([](CaseResults& results) -> Verdict {
        const std::uint32_t count = results.read<std::uint32_t>("status").at(0);
        const auto keys = results.read<std::uint32_t>("keys");
        results.set_remark(fmt::format("{} leaves", count));
        if (count == 0 || count > keys.size())
            return std::unexpected(fmt::format("{} leaves", count));
        for (std::uint32_t i = 0; i < count; ++i)
            if (passes::node_of_narrow(keys[i]).level > kBenchLevels)
                return std::unexpected(fmt::format("leaf {} is too deep", i));
        return {};
    });
}

} // namespace

void add_terrain_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 1u << 10,
                   .most = 1u << 20,
                   .most_on_software = 1u << 14});
    };
    const auto whole = [&](std::string name, TreeMode mode, std::uint32_t eyes) {
        add(BuildQuadTree::kName, std::move(name),
            [mode, eyes](CaseBuilder& c) { whole_tree(c, mode, eyes); });
    };
    whole("windows", TreeMode::windows, 0);
    whole("one group", TreeMode::one_group, 0);
    whole("levels", TreeMode::levels, 0);
    whole("windows of 16 eyes", TreeMode::windows, 15);
    whole("levels of 16 eyes", TreeMode::levels, 15);
    whole("incremental", TreeMode::incremental, 0);
    add(BuildQuadTree::kName, "windows and what is seen",
        [](CaseBuilder& c) { seen_tree(c, false); });
    add(passes::CullTree::kName, "what is seen", [](CaseBuilder& c) { seen_tree(c, true); });
}

} // namespace tuff::bench
