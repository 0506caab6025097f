#include "hand_built_plan.hpp"

#include <tuff/explain.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace tuff {
namespace {

using test::HandBuiltPlan;
using testing::HasSubstr;
using testing::Not;

/// draw -> hdr -> tonemap -> ldr -> output; debug -> unused (culled).
struct Pipeline : HandBuiltPlan {
    ResourceId hdr = image("hdr");
    ResourceId ldr = image("ldr");
    ResourceId unused = image("debug/heat");
    NodeId draw = node("draw", RasterNode{.draws = std::vector<Draw>(82), .area = {640, 360, 1}});
    VersionId drawn = writes(hdr, Access::color_write);
    NodeId tonemap = node("post/tonemap", ComputeNode{.groups = {80, 45, 1}});
    VersionId toned = (reads(drawn, Access::sampled), writes(ldr, Access::storage_write));
    NodeId debug = node("debug/view");
    VersionId heat = writes(unused, Access::storage_write);

    BarrierReason raw{
        .hazard = Hazard::read_after_write, .resource = hdr, .before = draw, .after = tonemap};

    Pipeline() {
        output("picture", toned);
        plan.culled[debug.index] = CullReason::result_unused;
        level({draw});
        level({tonemap});
        image_barrier({.source_stages = stage::kColorOutput,
                       .source_memory = memory::kColorWrite,
                       .destination_stages = stage::kCompute,
                       .destination_memory = memory::kSampledRead,
                       .from = Layout::color_attachment,
                       .to = Layout::shader_read_only},
                      raw);
        plan.allocations[hdr.index] = {
            .block = 0, .offset = 0, .size = 1843200, .first_level = 0, .last_level = 1};
        plan.blocks.push_back({.size = 1843200});
        plan.statistics.culled = 1;
        plan.statistics.transient_bytes = 1843200;
        plan.statistics.naive_bytes = 3686400;
        plan.statistics.peak_bytes = 1843200;
    }
};

//   main:     draw --> (semaphore) ------------------> at the end
//   compute:           post/tonemap, waits for draw --'
struct TwoQueues : Pipeline {
    TwoQueues() {
        plan.levels[1].queue = Queue::compute;
        plan.levels[1].submission = 1;
        plan.submissions = {{.queue = Queue::graphics},
                            {.queue = Queue::compute, .first_wait = 0, .wait_count = 1},
                            {.queue = Queue::graphics, .first_wait = 1, .wait_count = 1}};
        plan.waits = {0, 1};
        ImageBarrier& acquired = plan.image_barriers[0];
        acquired.to_queue = Queue::compute;
        plan.levels[0].first_release = 1;
        plan.levels[0].release_count = 1;
        plan.image_barriers.push_back(ImageBarrier(acquired));
    }
};

TEST(Explain, TellsTheQueueOfEveryLevelAndWhoWaitsForWhom) {
    const std::string text = explain(TwoQueues().plan, {});
    EXPECT_THAT(text, HasSubstr("level 0, graphics queue"));
    EXPECT_THAT(text, HasSubstr("level 1, compute queue\n"
                                "  waits for the end of the execution before\n"
                                "  waits for the graphics queue, after level 0\n"));
    EXPECT_THAT(text, HasSubstr("at the end\n  waits for the compute queue, after level 1\n"));
    EXPECT_THAT(text, HasSubstr("3 submissions, 2 waits of one queue for another"));
}

TEST(Explain, TellsWhatGoesFromOneQueueToAnother) {
    const std::string text = explain(TwoQueues().plan, {});
    EXPECT_THAT(text, HasSubstr("after   image hdr  color_attachment -> shader_read_only, from the "
                                "graphics queue to the compute queue"));
    EXPECT_THAT(text, HasSubstr("barrier  image hdr  color_attachment -> shader_read_only, from "
                                "the graphics queue to the compute queue"));
}

TEST(Explain, DrawingsNameTheQueuesBesideTheMainOne) {
    const TwoQueues p;
    EXPECT_THAT(explain_svg(p.plan, {}), HasSubstr("level 1, compute"));
    EXPECT_THAT(explain_dot(p.plan, {}), HasSubstr("compute queue"));
    EXPECT_THAT(explain_dot(Pipeline().plan, {}), Not(HasSubstr("queue")));
}

TEST(Explain, TellsWhoseObjectAResourceReuses) {
    Pipeline p;
    p.plan.allocations[p.ldr.index] = p.plan.allocations[p.hdr.index];
    p.plan.allocations[p.hdr.index].object = p.hdr;
    p.plan.allocations[p.ldr.index].object = p.hdr;
    const std::string text = explain(p.plan, {});
    EXPECT_THAT(text, HasSubstr("reuses the image of hdr"));
    EXPECT_THAT(text, Not(HasSubstr("reuses the image of ldr")));
}

TEST(Describe, names_writer_and_reader_with_what_they_do) {
    Pipeline p;
    EXPECT_EQ(describe(p.plan, p.raw), "draw draws into hdr, post/tonemap samples it");
}

TEST(Describe, picks_the_access_that_the_hazard_is_about) {
    HandBuiltPlan p;
    const ResourceId tmp = p.image("tmp");
    const NodeId first = p.node("first");
    p.reads(p.newest(tmp), Access::sampled);
    const VersionId written = p.writes(tmp, Access::storage_write);
    const NodeId second = p.node("second");
    p.reads(written, Access::copy_read);
    (void)p.writes(tmp, Access::clear_write);
    const auto sentence = [&](Hazard hazard) {
        return describe(p.plan,
                        {.hazard = hazard, .resource = tmp, .before = first, .after = second});
    };
    EXPECT_EQ(sentence(Hazard::read_after_write), "first writes tmp, second copies from it");
    EXPECT_EQ(sentence(Hazard::write_after_read), "first samples tmp, second clears it");
    EXPECT_EQ(sentence(Hazard::write_after_write), "first writes tmp, second clears it");
}

TEST(Describe, tells_who_acted_before_the_execution_by_the_lifetime) {
    HandBuiltPlan p;
    const ResourceId imported = p.image("swapchain", Lifetime::imported);
    const ResourceId history = p.image("past", Lifetime::history);
    const NodeId reader = p.node("reader");
    p.reads(p.newest(imported), Access::sampled);
    p.reads(p.newest(history), Access::sampled);
    EXPECT_THAT(describe(p.plan, {.resource = imported, .after = reader}),
                HasSubstr("the host hands over swapchain"));
    EXPECT_THAT(describe(p.plan, {.resource = history, .after = reader}),
                HasSubstr("an earlier execution left past"));
}

TEST(Describe, names_the_former_holder_of_reused_memory) {
    Pipeline p;
    const std::string text = describe(p.plan, {.hazard = Hazard::reuse,
                                               .resource = p.ldr,
                                               .before = p.draw,
                                               .after = p.tonemap,
                                               .reused_from = p.hdr});
    EXPECT_EQ(text, "draw draws into hdr, post/tonemap writes ldr in the same memory");
}

TEST(Describe, has_words_for_every_hazard_without_any_neighbour) {
    HandBuiltPlan p;
    const ResourceId lone = p.image("lone");
    for (const Hazard hazard :
         {Hazard::read_after_write, Hazard::write_after_read, Hazard::write_after_write,
          Hazard::layout, Hazard::first_use, Hazard::reuse, Hazard::final_state, Hazard::forced}) {
        EXPECT_FALSE(describe(p.plan, {.hazard = hazard, .resource = lone}).empty());
    }
}

TEST(Explain, gives_kind_and_size_of_the_work_of_each_node) {
    const std::string text = explain(Pipeline().plan);
    EXPECT_THAT(text, HasSubstr("raster 82 draws, 640x360"));
    EXPECT_THAT(text, HasSubstr("compute 80x45x1 groups"));
}

TEST(Explain, puts_a_barrier_with_its_reason_before_the_level_that_needs_it) {
    const std::string text = explain(Pipeline().plan);
    const auto level = text.find("level 1");
    const auto layouts = text.find("color_attachment -> shader_read_only");
    const auto stages = text.find("color_output / color_write -> compute / sampled_read");
    const auto reason = text.find("read after write: draw draws into hdr, post/tonemap samples it");
    const auto node = text.find("compute 80x45x1");
    ASSERT_NE(node, std::string::npos);
    EXPECT_LT(level, layouts);
    EXPECT_LT(layouts, stages);
    EXPECT_LT(stages, reason);
    EXPECT_LT(reason, node);
}

TEST(Explain, shows_the_reasons_of_a_memory_barrier_below_it) {
    Pipeline p;
    p.plan.levels[1].memory = {.source_stages = stage::kCompute,
                               .source_memory = memory::kStorageWrite,
                               .destination_stages = stage::kDrawIndirect,
                               .destination_memory = memory::kIndirectRead};
    p.plan.reasons.push_back({.hazard = Hazard::forced});
    ++p.plan.levels[1].reason_count;
    const std::string text = explain(p.plan);
    EXPECT_THAT(text, HasSubstr("compute / storage_write -> indirect / indirect_read\n"
                                "           forced: "));
}

TEST(Explain, says_why_a_node_was_culled) {
    EXPECT_THAT(explain(Pipeline().plan),
                testing::ContainsRegex("debug/view +no output, history or host effect needs its "
                                       "debug/heat"));
}

TEST(Explain, compares_memory_with_and_without_aliasing_in_human_sizes) {
    const std::string text = explain(Pipeline().plan);
    EXPECT_THAT(text, HasSubstr("1.76 MiB in 1 block"));
    EXPECT_THAT(text, HasSubstr("3.52 MiB without aliasing (50 % saved)"));
    EXPECT_THAT(text, testing::ContainsRegex("0 +hdr +1.76 MiB +0 +0-1 +rgba16_sfloat 640x360"));
}

TEST(Explain, names_outputs_with_their_writer_and_size) {
    EXPECT_THAT(explain(Pipeline().plan),
                testing::ContainsRegex("picture +rgba16_sfloat 640x360 +from post/tonemap"));
}

TEST(Explain, has_escapes_only_when_colour_is_on) {
    const Pipeline p;
    EXPECT_THAT(explain(p.plan), Not(HasSubstr("\x1b")));
    EXPECT_THAT(explain(p.plan, {.colour = ExplainColour::on}), HasSubstr("\x1b[1m"));
}

TEST(Explain, lists_lasting_resources_one_by_one_in_full_detail_only) {
    Pipeline p;
    p.image("albedo", Lifetime::constant);
    EXPECT_THAT(explain(p.plan), HasSubstr("constant  1 resource"));
    EXPECT_THAT(explain(p.plan), Not(HasSubstr("albedo")));
    EXPECT_THAT(explain(p.plan, {.detail = ExplainDetail::full}), HasSubstr("albedo"));
}

TEST(Explain, tells_the_device_and_the_safe_modes) {
    Pipeline p;
    p.plan.options.barriers = BarrierMode::full;
    DeviceCaps caps;
    caps.name = "Some GPU";
    const std::string text = explain(p.plan, {.title = "x.json", .device = &caps});
    EXPECT_THAT(text, testing::StartsWith("x.json\n"));
    EXPECT_THAT(text, HasSubstr("Some GPU"));
    EXPECT_THAT(text, HasSubstr("barriers=full"));
}

TEST(Explain, lines_have_no_trailing_spaces) {
    EXPECT_THAT(explain(Pipeline().plan), Not(HasSubstr(" \n")));
}

TEST(Explain, of_an_empty_plan_is_a_text) {
    EXPECT_THAT(explain(Plan{}), HasSubstr("0 nodes"));
}

/// sky/filter, which runs once -> environment -> draw -> hdr -> output.
struct ConstantSky : HandBuiltPlan {
    ResourceId environment = image("environment");
    ResourceId hdr = image("hdr");
    NodeId filter = node("sky/filter", ComputeNode{.groups = {8, 8, 6}});
    VersionId filtered = writes(environment, Access::storage_write);
    NodeId draw = node("draw", ComputeNode{.groups = {80, 45, 1}});
    VersionId drawn = (reads(filtered, Access::sampled), writes(hdr, Access::storage_write));

    ConstantSky() {
        output("picture", drawn);
        plan.culled[filter.index] = CullReason::runs_once;
        auto setup = std::make_shared<Plan>();
        setup->order = {filter};
        setup->levels.push_back({.first_node = 0, .node_count = 1});
        plan.setup = setup;
        level({draw});
    }
};

TEST(ExplainDot, says_which_nodes_run_once) {
    const std::string text = explain_dot(ConstantSky().plan);
    EXPECT_THAT(text, HasSubstr("\\nonce\", style=dotted"));
    EXPECT_THAT(text, HasSubstr("n0 -> n1 [label=\"environment\"]"));
    EXPECT_THAT(text, Not(HasSubstr("dashed")));
}

TEST(ExplainSvg, draws_what_runs_once_before_the_levels) {
    const ConstantSky sky;
    const std::string text = explain_svg(sky.plan);
    EXPECT_THAT(text, HasSubstr("class=\"box pass compute once\""));
    EXPECT_THAT(text, Not(HasSubstr(">culled<")));
    const std::size_t once = text.find("y=\"18\">once<");
    const std::size_t level = text.find("y=\"18\">level 0<");
    ASSERT_NE(once, std::string::npos);
    ASSERT_NE(level, std::string::npos);
    EXPECT_LT(once, level);
    EXPECT_THAT(text, HasSubstr("<title>environment v1</title></path>")) << "the wire to draw";
}

TEST(ExplainDot, draws_an_edge_for_each_version_taken) {
    const std::string text = explain_dot(Pipeline().plan, {.title = "x.json"});
    EXPECT_THAT(text, HasSubstr("digraph \"x.json\""));
    EXPECT_THAT(text, HasSubstr("n0 -> n1 [label=\"hdr\"]"));
    EXPECT_THAT(text, HasSubstr("n1 -> o0"));
}

TEST(ExplainDot, dashes_culled_nodes) {
    EXPECT_THAT(explain_dot(Pipeline().plan),
                testing::ContainsRegex("n2 \\[shape=box, label=\"debug/view[^]]*style=dashed"));
}

TEST(ExplainDot, escapes_names) {
    HandBuiltPlan p;
    p.node("a \"quoted\" name");
    EXPECT_THAT(explain_dot(p.plan), HasSubstr("a \\\"quoted\\\" name"));
}

} // namespace
} // namespace tuff
