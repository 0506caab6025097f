#include "core/text_table.hpp"
#include "graph/explain/describe.hpp"

#include <tuff/explain.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace tuff {
namespace {

class Explainer {
  public:
    Explainer(const Plan& plan, const ExplainOptions& options)
        : plan_(plan), graph_(plan.graph), options_(options),
          style_(options.colour == ExplainColour::on ? TextStyle::Colour::on
                                                     : TextStyle::Colour::off),
          submissions_(submission_levels(plan)) {}

    std::string text() {
        header();
        setup();
        for (std::uint32_t i = 0; i < plan_.levels.size(); ++i)
            level(i);
        epilogue();
        culled();
        memory();
        lasting();
        outputs();
        statistics();
        return std::move(text_);
    }

  private:
    void heading(std::string_view title) { text_ += fmt::format("\n{}\n", style_.heading(title)); }

    void header() {
        text_ += fmt::format("{}\n", style_.heading(options_.title));
        TextTable table;
        if (options_.device) {
            const std::string_view driver = options_.device->driver;
            table.add({"device",
                       fmt::format("{}{}{}{}", options_.device->name, driver.empty() ? "" : " (",
                                   driver, driver.empty() ? "" : ")")});
        }
        table.add({"options", options_text(plan_.options)});
        text_ += table.text("  ");
    }

    /// Constant work, and what it leaves.
    void setup() {
        if (!plan_.setup) return;
        heading("runs once");
        TextTable nodes;
        for (const NodeId node : plan_.setup->order)
            nodes.add({style_.name(graph_.name_of(node)), work_text(graph_, node)});
        text_ += nodes.text("  ");
        heading("kept from one execution to the next");
        TextTable kept({Align::left, Align::right, Align::left});
        for (const KeptResult& result : plan_.kept)
            kept.add({style_.name(graph_.name_of(result.resource)), human_bytes(result.bytes),
                      resource_text(graph_.resources[result.resource.index])});
        text_ += kept.text("  ");
        text_ += fmt::format("  {} of memory that is never shared, and {} while the work runs\n",
                             human_bytes(plan_.statistics.kept_bytes),
                             human_bytes(plan_.setup->statistics.transient_bytes));
    }

    void level(std::uint32_t index) {
        const Level& level = plan_.levels[index];
        heading(several_queues() ? fmt::format("level {}, {} queue", index, name_of(level.queue))
                                 : fmt::format("level {}", index));
        if (submissions_[level.submission].levels.front() == index) waits(level.submission);
        barriers(level);
        TextTable table;
        for (std::uint32_t i = 0; i < level.node_count; ++i) {
            const NodeId node = plan_.order[level.first_node + i];
            table.add({style_.name(graph_.name_of(node)), work_text(graph_, node)});
        }
        text_ += table.text("  ");
        for (std::uint32_t i = 0; i < level.release_count; ++i)
            image_barrier(plan_.image_barriers[level.first_release + i], "after   image");
    }

    bool several_queues() const { return plan_.submissions.size() > 1; }

    void waits(std::uint32_t submission) {
        for (const std::string& text : wait_texts(plan_, submission))
            text_ += fmt::format("  {} {}\n", style_.warning("waits for"), text);
    }

    void epilogue() {
        const bool alone = several_queues() && submissions_.back().levels.empty();
        if (!plan_.epilogue.has_barriers() && !alone) return;
        heading("at the end");
        if (alone) waits(static_cast<std::uint32_t>(submissions_.size() - 1));
        barriers(plan_.epilogue);
    }

    /// The batch of `level`, each barrier followed by its reasons.
    void barriers(const Level& level) {
        if (!level.has_barriers()) return;
        std::vector<bool> told(level.reason_count, false);
        for (std::uint32_t i = 0; i < level.image_barrier_count; ++i) {
            const ImageBarrier& barrier = plan_.image_barriers[level.first_image_barrier + i];
            image_barrier(barrier);
            reason(barrier.reason);
            const std::uint32_t own = barrier.reason - level.first_reason;
            if (own < level.reason_count) told[own] = true;
        }
        const MemoryBarrier& memory = level.memory;
        if (memory.source_stages == 0 && memory.destination_stages == 0) return;
        text_ += fmt::format("  {} {}\n", style_.warning("barrier  memory"),
                             scopes(memory.source_stages, memory.source_memory,
                                    memory.destination_stages, memory.destination_memory));
        for (std::uint32_t i = 0; i < level.reason_count; ++i)
            if (!told[i]) reason(level.first_reason + i);
    }

    void image_barrier(const ImageBarrier& barrier, std::string_view what = "barrier  image") {
        const ResourceDesc& resource = graph_.resources[barrier.resource.index];
        std::string range;
        if (resource.is_image()) range = range_text(barrier.range, resource.image());
        if (!range.empty()) range = fmt::format(" ({})", range);
        std::string layouts = "stays " + std::string(name_of(barrier.to));
        if (barrier.from != barrier.to)
            layouts = fmt::format("{} -> {}", name_of(barrier.from), name_of(barrier.to));
        if (barrier.from_queue != barrier.to_queue)
            layouts += fmt::format(", from the {} queue to the {} queue",
                                   name_of(barrier.from_queue), name_of(barrier.to_queue));
        text_ += fmt::format("  {} {}{}  {}\n", style_.warning(what),
                             graph_.name_of(barrier.resource), range, layouts);
        text_ += fmt::format("             {}\n",
                             scopes(barrier.source_stages, barrier.source_memory,
                                    barrier.destination_stages, barrier.destination_memory));
    }

    std::string scopes(StageMask source_stages, MemoryMask source_memory,
                       StageMask destination_stages, MemoryMask destination_memory) const {
        return style_.quiet(fmt::format("{} / {} -> {} / {}", stages_text(source_stages),
                                        memory_text(source_memory), stages_text(destination_stages),
                                        memory_text(destination_memory)));
    }

    void reason(std::uint32_t index) {
        if (index >= plan_.reasons.size()) return;
        const BarrierReason& reason = plan_.reasons[index];
        text_ +=
            fmt::format("           {}: {}\n", name_of(reason.hazard), describe(plan_, reason));
    }

    void culled() {
        TextTable table;
        for (std::uint32_t i = 0; i < plan_.culled.size(); ++i)
            if (plan_.culled[i] == CullReason::result_unused)
                table.add({style_.name(graph_.name_of(NodeId{i})), cull_text(graph_, NodeId{i})});
        if (table.empty()) return;
        heading("culled");
        text_ += table.text("  ");
    }

    void memory() {
        std::vector<ResourceId> placed;
        for (std::uint32_t i = 0; i < plan_.allocations.size(); ++i)
            if (plan_.allocations[i].block != ~0u) placed.push_back({i});
        if (placed.empty()) return;
        std::ranges::stable_sort(placed, {}, [this](ResourceId r) {
            const Allocation& a = plan_.allocations[r.index];
            return std::tuple(a.block, a.offset, a.first_level);
        });

        heading("transient memory");
        TextTable table({Align::left, Align::left, Align::right, Align::right, Align::left});
        table.add({"block", "resource", "size", "offset", "levels", "contents"});
        for (const ResourceId r : placed) {
            const Allocation& a = plan_.allocations[r.index];
            table.add({std::to_string(a.block), style_.name(graph_.name_of(r)), human_bytes(a.size),
                       std::to_string(a.offset), life(a), contents_of(r)});
        }
        text_ += table.text("  ");
        memory_summary();
    }

    std::string contents_of(ResourceId resource) const {
        const std::string object = object_text(plan_, resource);
        return resource_text(graph_.resources[resource.index]) +
               (object.empty() ? "" : ", " + object);
    }

    /// "2", "0-3"; what is handed out, or carried over, lives to the end.
    std::string life(const Allocation& allocation) const {
        if (allocation.last_level >= plan_.levels.size())
            return fmt::format("{}-end", allocation.first_level);
        if (allocation.first_level == allocation.last_level)
            return std::to_string(allocation.first_level);
        return fmt::format("{}-{}", allocation.first_level, allocation.last_level);
    }

    void memory_summary() {
        const PlanStatistics& s = plan_.statistics;
        std::string saved = "nothing saved";
        if (s.naive_bytes > s.transient_bytes)
            saved = fmt::format("{:.0f} % saved",
                                100.0 * static_cast<double>(s.naive_bytes - s.transient_bytes) /
                                    static_cast<double>(s.naive_bytes));
        text_ += fmt::format("  {} in {}; {} without aliasing ({}); {} live at once, the least "
                             "that any packing needs\n",
                             human_bytes(s.transient_bytes), counted(plan_.blocks.size(), "block"),
                             human_bytes(s.naive_bytes), saved, human_bytes(s.peak_bytes));
    }

    /// Resources that outlive an execution: a line of totals, or a table.
    void lasting() {
        TextTable all, totals;
        for (Lifetime lifetime : {Lifetime::constant, Lifetime::history, Lifetime::imported}) {
            std::uint32_t count = 0;
            for (std::uint32_t i = 0; i < graph_.resources.size(); ++i) {
                const ResourceDesc& resource = graph_.resources[i];
                const bool used = i >= plan_.usages.size() || plan_.usages[i] != 0;
                if (resource.lifetime != lifetime || !used) continue;
                ++count;
                all.add({std::string(name_of(lifetime)), style_.name(graph_.name_of(ResourceId{i})),
                         resource_text(resource)});
            }
            if (count > 0) totals.add({std::string(name_of(lifetime)), counted(count, "resource")});
        }
        if (totals.empty()) return;
        heading("lasting memory");
        text_ += options_.detail == ExplainDetail::full ? all.text("  ") : totals.text("  ");
    }

    void outputs() {
        if (graph_.outputs.empty()) return;
        heading("outputs");
        TextTable table;
        for (const OutputDesc& output : graph_.outputs) {
            const VersionDesc& version = graph_.versions[output.version.index];
            const std::string origin = version.writer
                                           ? fmt::format("from {}", graph_.name_of(version.writer))
                                           : "initial contents";
            table.add({style_.name(graph_.label(output)),
                       resource_text(graph_.resources[version.resource.index]), origin});
        }
        text_ += table.text("  ");
    }

    void statistics() {
        const PlanStatistics& s = plan_.statistics;
        const std::string once = s.constant == 0 ? "" : fmt::format(", {} run once", s.constant);
        text_ +=
            fmt::format("\n{} ({} culled{}), {}, {} of barriers: {}, {}", counted(s.nodes, "node"),
                        s.culled, once, counted(s.levels, "level"), counted(s.batches, "batch"),
                        counted(s.image_barriers, "image barrier"),
                        counted(s.memory_barriers, "memory barrier"));
        if (several_queues())
            text_ += fmt::format("; {}, {} between queues",
                                 counted(plan_.submissions.size(), "submission"),
                                 counted(plan_.waits.size(), "wait"));
        text_ += '\n';
    }

    const Plan& plan_;
    const GraphDesc& graph_;
    const ExplainOptions& options_;
    TextStyle style_;
    std::vector<SubmissionLevels> submissions_;
    std::string text_;
};

} // namespace

std::string explain(const Plan& plan, const ExplainOptions& options) {
    return Explainer(plan, options).text();
}

} // namespace tuff
