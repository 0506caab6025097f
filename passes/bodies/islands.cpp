#include "passes/bodies/islands.hpp"

namespace tuff::passes {
namespace {

constexpr std::uint64_t kJoinGroups = 20; // bytes: where the tally has groups for constraints

} // namespace

void SleepIslands::describe(PassInfo<SleepIslands>& info) {
    info.summary("Puts groups of resting rigid bodies to sleep, and wakes them")
        .details("Bodies that touch or share a joint, directly or through others, form an "
                 "island. The lowest index in it identifies the island. If all bodies of an "
                 "island have been slower than \"sleep.speed\" for the time \"sleep.after\", "
                 "they stop and count as immovable. A moving body that touches one of them "
                 "wakes all. Bodies that never move do not connect islands.")
        .source("J. Jaiganesh and M. Burtscher, \"A High-Performance Connected Components "
                "Implementation for GPUs\", HPDC 2018")
        .complexity("O(bodies + contacts)")
        .cost([](const SleepIslands& pass, const Graph&) {
            return Cost{.bytes = 140.0 * pass.source.count, .operations = 60.0 * pass.source.count};
        });
    info.input("source", &SleepIslands::source, "the bodies, of bodies/solve");
    info.input("contacts", &SleepIslands::contacts, "the contacts, from bodies/contacts");
    info.optional_input("counts", &SleepIslands::counts, "the status to continue")
        .elements<BodiesStatus>();
    info.group("sleep", &SleepIslands::sleep);
    info.parameter("dt", &SleepIslands::dt, "length of the step").range(0.0, 1.0).unit("seconds");
    info.output("bodies", &SleepIslands::bodies, "the bodies, some of them asleep");
    info.output("roots", &SleepIslands::roots,
                "one index a body: another body of its island, "
                "or itself; following these leads to the "
                "island's index")
        .elements<std::uint32_t>();
    info.output("status", &SleepIslands::status, "counts").elements<BodiesStatus>();
}

void SleepIslands::build(Graph& graph) {
    if (!is_valid(graph, source)) return;
    bodies = source;
    ComputeNodeBuilder begin = graph.compute("bodies/islands_begin");
    begin.set("count", source.count);
    roots = begin.write("roots", body_array(graph, "roots", source.count, 4));
    Buffer awake = begin.write("awake", body_array(graph, "awake", source.count, 4));
    begin.dispatch_each(source.count);

    ComputeNodeBuilder join = graph.compute("bodies/islands_join");
    join.read("tally", contacts.pairs.tally);
    join.read("pairs", contacts.pairs.pairs);
    join.read("manifolds", contacts.manifolds);
    join.read("places", source.places);
    join.read_optional("joints", source.joints);
    join.set("count", source.count);
    join.set("joint_count", source.joint_count);
    roots = join.write("roots", roots);
    join.dispatch_indirect(contacts.pairs.tally, kJoinGroups);

    ComputeNodeBuilder quiet = graph.compute("bodies/islands_quiet");
    quiet.read("motions", source.motions);
    quiet.read("places", source.places);
    quiet.read("old_rest", source.rest);
    quiet.set("count", source.count);
    quiet.set("dt", dt);
    quiet.set("speed", sleep.speed);
    quiet.set("after", sleep.after);
    roots = quiet.write("roots", roots);
    awake = quiet.write("awake", awake);
    bodies.rest = quiet.write("new_rest", body_array(graph, "rest", source.count, 8));
    quiet.dispatch_each(source.count);

    ComputeNodeBuilder end = graph.compute("bodies/islands_sleep");
    end.read("places", source.places);
    end.read("awake", awake);
    end.set("count", source.count);
    roots = end.write("roots", roots);
    bodies.rest = end.write("new_rest", bodies.rest);
    bodies.motions =
        end.write("motions", graph.copy(source.motions,
                                        body_array(graph, "motions", source.count, 32), "own"));
    status = end.accumulate("status", counts ? counts : empty_status(graph));
    end.dispatch_each(source.count);
}

TUFF_PASS(SleepIslands)

} // namespace tuff::passes
