// Memory that changes hands between queues.

#include "sketch.hpp"
#include "tests/oracle/oracle.hpp"

namespace tuff {
namespace {

using namespace test;

// Another queue wrote the previous alias, and a semaphore has shown that; but the change of its
// layout came after the semaphore, on the new alias's queue.
TEST(QueueReuse, SeesAFormerTenantsChangeOfLayoutOnTheSameQueue) {
    constexpr BufferDesc kBytes{.size = 256};
    constexpr ImageDesc kImage{.format = Format::rgba8_unorm, .extent = {8, 16}};
    Graph g;
    auto first = g.custom("first");
    const Buffer written = first.write(g.buffer("written", kBytes), Access::storage_write);
    auto paint = g.custom("paint");
    paint.read(written, Access::storage_read);
    const Image alias = paint.write(g.image("alias", kImage), Access::storage_write);
    g.push_queue(QueueHint::compute);
    auto look = g.custom("look");
    look.read(alias, Access::sampled);
    const Image seen = look.write(g.image("seen", kImage), Access::storage_write);
    g.pop_queue();
    auto keep = g.custom("keep");
    keep.read(seen, Access::sampled);
    (void)keep.write(g.buffer("kept", kBytes), Access::storage_write);
    keep.keep();
    g.push_queue(QueueHint::transfer);
    const Image copied = g.copy_to_image(
        written, g.image("copied", {.format = Format::rgba8_unorm, .extent = {8, 8}}), "copy");
    g.pop_queue();
    g.push_queue(QueueHint::compute);
    auto last = g.custom("last");
    last.read(copied, Access::sampled);
    g.output("result", last.write(g.buffer("result", kBytes), Access::storage_write));
    g.pop_queue();
    const GraphDesc declared = std::move(g).finish();

    DeviceCaps caps;
    caps.async_compute = caps.transfer_queue = true;
    const auto plan = compile(declared, caps, {.order = OrderMode::declared});
    ASSERT_TRUE(plan) << to_string(plan.error());
    const auto place = [&](std::string_view name) {
        return plan->allocations[resource_named(plan->graph, name).index];
    };
    ASSERT_TRUE(share_bytes(place("alias"), place("result"))) << "the test tests nothing";
    for (const oracle::Violation& violation : oracle::check(declared, *plan))
        ADD_FAILURE() << violation.text;
}

// Other queues begin after the execution before, and the main one does not: so its part of an image
// waits for the last use there, although another queue has used another part first.
TEST(QueueReuse, APartThatTheMainQueueUsesFirstWaitsForTheExecutionBefore) {
    Graph g;
    g.push_queue(QueueHint::compute);
    const Image top = g.custom("top").write(mip(g.image("chain", mipped(2)), 0),
                                            Access::storage_write, stage::kCompute);
    g.pop_queue();
    g.output("result",
             g.custom("below").write(mip(top, 1), Access::storage_write, stage::kCompute));
    const GraphDesc declared = std::move(g).finish();

    DeviceCaps caps;
    caps.async_compute = true;
    const auto plan = compile(declared, caps);
    ASSERT_TRUE(plan) << to_string(plan.error());
    ASSERT_EQ(batch_before(*plan, "top").queue, Queue::compute) << "the test tests nothing";
    const std::vector<ImageBarrier> below = image_barriers(*plan, batch_before(*plan, "below"));
    ASSERT_EQ(below.size(), 1u);
    EXPECT_EQ(below[0].source_stages, stage::kCopy) << "the host has waited for the write";
    for (const oracle::Violation& violation : oracle::check(declared, *plan))
        ADD_FAILURE() << violation.text;
}

} // namespace
} // namespace tuff
