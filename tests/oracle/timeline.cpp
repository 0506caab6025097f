#include "tests/oracle/timeline.hpp"

#include "tests/oracle/queue_checks.hpp"

#include <algorithm>

namespace tuff::oracle {

Timeline::Timeline(const Plan& plan, const Settings& settings, const VersionBook& versions,
                   Findings& findings)
    : plan_(plan), graph_(plan.graph), versions_(versions), findings_(findings),
      parts_(plan, settings), states_(parts_.all().size()) {}

/// Enough executions for the copies of every history to come round, and at least two.
void Timeline::play() {
    std::uint32_t executions = 2;
    for (const ResourceDesc& resource : graph_.resources)
        executions = std::max(executions, resource.history_depth + 2);
    begin_world();
    for (execution_ = 0; execution_ < executions && !findings_.full(); ++execution_) {
        begin_execution();
        for (std::uint32_t l = 0; l < plan_.levels.size(); ++l)
            run_level(plan_.levels[l]);
        run_level(plan_.epilogue);
        end_execution();
    }
}

// --- between executions --------------------------------------------------------------------------

/// The executor has filled constants and cleared histories on the graphics queue, and has waited.
void Timeline::begin_world() {
    for (std::uint32_t r = 0; r < graph_.resources.size(); ++r) {
        const Lifetime lifetime = graph_.resources[r].lifetime;
        if (lifetime != Lifetime::constant && lifetime != Lifetime::history) continue;
        for (const std::uint32_t part : parts_.of(parts_.object_of({r}, 0))) {
            states_[part].layout = plan_.boundaries[r].first.layout;
            states_[part].contents.loss = Loss::none;
            states_[part].owner = Queue::graphics;
        }
    }
}

void Timeline::begin_execution() {
    follow_execution_before();
    for (State& state : states_) {
        state.contents.version = {};
        state.contents.lacks.clear();
    }
    // By parts: what the setup wrote last there.
    for (const KeptResult& kept : plan_.kept)
        for (const std::uint32_t part : parts_.of(parts_.object_of(kept.resource, execution_)))
            states_[part].contents.version =
                versions_.last_change(kept.version, parts_.all()[part].range);
    for (std::uint32_t r = 0; r < graph_.resources.size(); ++r) {
        if (graph_.resources[r].lifetime == Lifetime::transient)
            for (const std::uint32_t part : parts_.of(parts_.object_of({r}, execution_)))
                states_[part].contents.loss = Loss::never_written;
        if (graph_.resources[r].lifetime == Lifetime::imported) hand_over_import({r});
    }
}

/// The host's last use, and what it has made its last write visible to. No stages: the host has
/// waited for a fence or a semaphore, and nothing is left to wait for.
void Timeline::hand_over_import(ResourceId resource) {
    const ResourceDesc& desc = graph_.resources[resource.index];
    const Scope first = of_host(desc.import.first);
    for (const std::uint32_t part : parts_.of(parts_.object_of(resource, execution_))) {
        State& state = states_[part];
        state = {.layout = first.layout, .owner = Queue::graphics};
        const bool defined = !desc.is_image() || first.layout != Layout::undefined;
        state.contents.loss = defined ? Loss::none : Loss::never_written;
        if (first.stages == 0) continue;
        const MemoryMask writes = single_accesses(first.memory & memory::kAllWrites);
        add_record(part,
                   {.standing = Standing::seen_by(first.stages, first.memory), .of_host = true},
                   Queue::graphics);
        for (const StageMask stage : kStages)
            if (single_stages(first.stages) & stage)
                add_record(part,
                           {.standing = {.stage = stage, .writes = writes, .is_write = writes != 0},
                            .of_host = true},
                           Queue::graphics);
    }
}

void Timeline::end_execution() {
    for (const OutputDesc& output : graph_.outputs) {
        const ResourceId resource = graph_.versions[output.version.index].resource;
        // Shaders of the host's own may be of any stage.
        constexpr StageMask kShaders =
            stage::kVertexShader | stage::kFragmentShader | stage::kCompute;
        const User host{
            .name = fmt::format("the host (output '{}')", graph_.name(output.name)),
            .rules = rules_of(output.access, kShaders, graph_.resources[resource.index].is_image()),
            .access = output.access,
            .node = {},
            .read = output.version,
            .written = {}};
        for (const std::uint32_t part : parts_.of(parts_.object_of(resource, execution_)))
            use(host, part, plan_.boundaries[resource.index].last.layout);
    }
    for (std::uint32_t part = 0; part < states_.size(); ++part)
        if (states_[part].in_transit)
            findings_.add(Fault::ownership, "{} is released to the {} queue and never acquired{}",
                          parts_.name(part), oracle::name_of(states_[part].in_transit->to_queue),
                          point());
    for (std::uint32_t r = 0; r < graph_.resources.size(); ++r) {
        const Lifetime lifetime = graph_.resources[r].lifetime;
        if (lifetime == Lifetime::imported) take_back_import({r});
        if (lifetime == Lifetime::history)
            for (const std::uint32_t part : parts_.of(parts_.object_of({r}, execution_)))
                check_kept("the next execution", versions_.newest({r}), part);
    }
}

/// The host goes on in the state it asked for: all that was done here comes before it, is visible
/// to it, and nothing is lost.
void Timeline::take_back_import(ResourceId resource) {
    const ResourceDesc& desc = graph_.resources[resource.index];
    const Scope last = of_host(desc.import.last);
    const bool layout_matters = desc.is_image() && last.layout != Layout::undefined;
    if (plan_.boundaries[resource.index].last != desc.import.last)
        findings_.add(Fault::malformed, "the plan promises import '{}' in another state",
                      graph_.name_of(resource));
    const User host{
        .name = "the host",
        .rules = {.stages = last.stages, .memory = single_accesses(last.memory), .changes = true},
        .access = Access::storage_read,
        .node = {},
        .read = versions_.newest(resource),
        .written = {}};
    for (const std::uint32_t part : parts_.of(parts_.object_of(resource, execution_))) {
        const State& state = states_[part];
        if (layout_matters && state.layout != last.layout)
            findings_.add(Fault::wrong_layout, "import {} goes back in {}, not in {}{}",
                          parts_.name(part), tuff::name_of(state.layout),
                          tuff::name_of(last.layout), point());
        check_owner(host, part);
        check_kept("the host", versions_.newest(resource), part);
        for (const Record& record : state.records)
            if (!record.of_host) check_against(host, part, record, part);
    }
}

// --- accesses ------------------------------------------------------------------------------------

void Timeline::run_level(const Level& level) {
    enter(level.submission);
    run_batch(steps_before(level), level.queue);
    for (std::uint32_t i = 0; i < level.node_count; ++i)
        run_node(plan_.order[level.first_node + i], level.queue);
    run_batch(steps_after(level), level.queue);
    const auto follows = [&](const Level& other) {
        return &other > &level && other.submission == level.submission;
    };
    const bool is_epilogue = &level == &plan_.epilogue;
    const bool ends = is_epilogue || (plan_.epilogue.submission != level.submission &&
                                      std::ranges::none_of(plan_.levels, follows));
    if (ends) run_host_barrier(plan_.submissions[level.submission].to_host, level.queue);
}

void Timeline::run_node(NodeId node, Queue queue) {
    const NodeDesc& desc = graph_.nodes[node.index];
    for (std::uint32_t a = desc.first_access; a < desc.first_access + desc.access_count; ++a) {
        const AccessDesc& access = graph_.accesses[a];
        const ResourceId resource = graph_.versions[access.read.index].resource;
        const User user{.name = fmt::format("'{}'", graph_.name_of(node)),
                        .rules = rules_of(access, graph_.resources[resource.index].is_image()),
                        .access = access.access,
                        .node = node,
                        .read = access.read,
                        .written = access.written,
                        .queue = queue};
        for (const std::uint32_t part :
             parts_.inside(parts_.object_of(resource, execution_), access.range))
            use(user, part, plan_.access_layouts[a]);
    }
}

void Timeline::use(const User& user, std::uint32_t part, Layout named) {
    forget_previous_alias(user, part);
    check_owner(user, part);
    check_layout(user, part, named);
    check_contents(user, part);
    check_order(user, part);
    remember(user, part);
}

/// What another resource left in the object that both have is nothing to this one.
void Timeline::forget_previous_alias(const User& user, std::uint32_t part) {
    Contents& contents = states_[part].contents;
    if (!contents.version) return;
    const ResourceId former = graph_.versions[contents.version.index].resource;
    if (former != graph_.versions[user.read.index].resource)
        contents = {.loss = Loss::overwritten, .overwritten_by = former};
}

/// A buffer that holds nothing may be taken by any queue; an image has a layout to inherit.
void Timeline::check_owner(const User& user, std::uint32_t part) {
    const ResourceId resource = graph_.versions[user.read.index].resource;
    if (!is_exclusive(resource) || user.queue == Queue::host) return; // the host is of no family
    State& state = states_[part];
    const bool free = !state.owner || (!graph_.resources[resource.index].is_image() &&
                                       state.contents.loss != Loss::none);
    if (state.in_transit)
        findings_.add(Fault::ownership, "{} uses {} between its release and its acquisition{}",
                      user.name, name_of(user, part), point());
    else if (!free && *state.owner != user.queue)
        findings_.add(Fault::ownership, "{} uses {} on the {} queue, but the {} queue owns it{}",
                      user.name, name_of(user, part), oracle::name_of(user.queue),
                      oracle::name_of(*state.owner), point());
    state.owner = user.queue;
}

void Timeline::check_layout(const User& user, std::uint32_t part, Layout named) {
    const ResourceDesc& resource = resource_at(part);
    if (!resource.is_image()) return;
    const Layout actual = states_[part].layout;
    if (actual != named)
        findings_.add(Fault::wrong_layout, "{} {} {}, which it takes for {}, but it is in {}{}",
                      user.name, tuff::name_of(user.access), name_of(user, part),
                      tuff::name_of(named), tuff::name_of(actual), point());
    else if (!allows_layout(user.access, named, resource.image().format))
        findings_.add(Fault::wrong_layout, "{} {} {} in {}, which Vulkan does not allow{}",
                      user.name, tuff::name_of(user.access), name_of(user, part),
                      tuff::name_of(named), point());
}

void Timeline::check_contents(const User& user, std::uint32_t part) {
    Contents& contents = states_[part].contents;
    if (user.rules.needs_contents) {
        // Nodes that accumulate find what others have already added.
        const bool joins = user.access == Access::accumulate && contents.version == user.written &&
                           contents.loss == Loss::none;
        if (!joins) check_kept(user.name, user.read, part);
        const ResourceDesc& resource = graph_.resource_of(user.read);
        const bool began_empty =
            resource.lifetime == Lifetime::transient ||
            (resource.lifetime == Lifetime::history && resource.history_age == 0) ||
            (resource.lifetime == Lifetime::imported && contents.loss != Loss::none);
        if (began_empty && !versions_.last_change(user.read, parts_.all()[part].range) && !joins)
            findings_.add(Fault::undefined_contents, "{} {} {}, which holds nothing yet{}",
                          user.name, tuff::name_of(user.access), name_of(user, part), point());
    } else if (contents.version && !versions_.is_older(contents.version, user.written)) {
        findings_.add(Fault::wrong_version, "{} writes {} of {} over {}{}", user.name,
                      name_of(user.written), name_of(user, part), describe(contents), point());
    }
    // A write that keeps the rest needs what was there only if somebody reads it later.
    if (user.rules.changes)
        contents.lacks = user.rules.replaces_all || user.rules.needs_contents
                             ? std::string()
                             : loss_of(user.read, part);
}

/// What `version` made of the part is still there.
void Timeline::check_kept(std::string_view user, VersionId version, std::uint32_t part) {
    const std::string loss = loss_of(version, part);
    if (loss.empty()) return;
    const bool other = states_[part].contents.loss == Loss::none;
    findings_.add(other ? Fault::wrong_version : Fault::undefined_contents, "{} needs {}{}", user,
                  loss, point());
}

/// "what 'a' wrote of 'x', but it holds what 'b' wrote"; empty where all of it is there. What the
/// part held before any write may be lost, unless it came from the host or an earlier execution.
std::string Timeline::loss_of(VersionId version, std::uint32_t part) const {
    const Contents& contents = states_[part].contents;
    const VersionId expected = versions_.last_change(version, parts_.all()[part].range);
    const ResourceDesc& resource = graph_.resource_of(version);
    if (!expected) {
        const bool from_host =
            resource.lifetime == Lifetime::imported &&
            (!resource.is_image() || resource.import.first.layout != Layout::undefined);
        const bool from_before =
            resource.lifetime == Lifetime::constant ||
            (resource.lifetime == Lifetime::history && resource.history_age > 0);
        if (!from_host && !from_before) return {};
    }
    if (contents.loss == Loss::none && contents.version == expected) return contents.lacks;
    return fmt::format("{} of {}, but it holds {}", name_of(expected),
                       parts_.name(part, graph_.versions[version.index].resource),
                       describe(contents));
}

void Timeline::check_order(const User& user, std::uint32_t part) {
    for (const Record& record : states_[part].records)
        check_against(user, part, record, part);
    for (const std::uint32_t sharer : parts_.all()[part].sharing)
        for (const Record& record : states_[sharer].records)
            check_against(user, part, record, sharer);
}

void Timeline::check_against(const User& user, std::uint32_t part, const Record& record,
                             std::uint32_t where) {
    if (!user.rules.changes && !record.standing.is_write) return;
    const bool accumulate_together = user.access == Access::accumulate && record.accumulated &&
                                     record.accumulated == user.written &&
                                     record.execution == execution_;
    if (accumulate_together && part == where) return;
    const auto complain = [&](Fault fault, std::string_view what) {
        findings_.add(fault, "{} {} {}, which {} {}{}", user.name, tuff::name_of(user.access),
                      name_of(user, part), what, describe(record), point());
    };
    const StageMask stages = single_stages(user.rules.stages);
    // One thread of the host does all its work, and also reads the outputs.
    if (record.standing.queue == Queue::host && stages == stage::kHost) return;
    const Sight& before = record.standing.from(user.queue);
    for (std::size_t s = 0; s < kStages.size(); ++s) {
        if (!(stages & kStages[s])) continue;
        if (!(before.ordered & kStages[s]))
            return complain(Fault::unordered, "is not ordered after");
        if (!record.standing.is_write) continue;
        if (!(before.available & kStages[s]))
            return complain(Fault::unavailable, "may come before the cache holds no more of");
        // What is read must be visible, and a write must see those before it, read or not: of two
        // that do not see each other memory may keep either.
        if ((user.rules.memory & ~before.visible[s]) != 0)
            return complain(Fault::invisible, "may not see");
    }
}

void Timeline::remember(const User& user, std::uint32_t part) {
    State& state = states_[part];
    const bool accumulates = user.access == Access::accumulate;
    const MemoryMask writes = user.rules.changes ? user.rules.memory & memory::kAllWrites : 0;
    if (user.rules.changes) {
        // All of these come before this write; whatever comes after it comes after them.
        if (!accumulates) forget_all_before(part);
        overwrite_sharers(part);
        state.contents.loss = Loss::none;
        state.contents.version = user.written;
    }
    for (const StageMask stage : kStages)
        if (single_stages(user.rules.stages) & stage)
            add_record(part,
                       {.standing = {.stage = stage, .writes = writes, .is_write = writes != 0},
                        .node = user.node,
                        .access = user.access,
                        .execution = execution_,
                        .accumulated = accumulates ? user.written : VersionId{}},
                       user.queue);
}

/// The newer of two alike stands worse towards everything that follows, so it speaks for both.
bool Timeline::Record::replaces(const Record& other) const {
    return standing.queue == other.standing.queue && standing.stage == other.standing.stage &&
           standing.writes == other.standing.writes &&
           standing.is_transition == other.standing.is_transition && of_host == other.of_host &&
           accumulated == other.accumulated && (!accumulated || execution == other.execution);
}

void Timeline::add_record(std::uint32_t part, Record record, Queue queue) {
    record.standing.queue = queue;
    // The submission that runs now is the latest to have begun.
    const std::uint32_t next = next_submission_[static_cast<std::size_t>(queue)];
    record.reached[static_cast<std::size_t>(queue)] = next == 0 ? 0 : next - 1;
    std::vector<Record>& records = states_[part].records;
    const auto same =
        std::ranges::find_if(records, [&](const Record& other) { return record.replaces(other); });
    if (same != records.end())
        *same = std::move(record);
    else
        records.push_back(std::move(record));
}

/// Whatever is ordered after the write that comes now is ordered after all that it waited for.
void Timeline::forget_all_before(std::uint32_t part) {
    states_[part].records.clear();
    for (const std::uint32_t covered : parts_.all()[part].covered)
        states_[covered].records.clear();
}

/// A write leaves nothing of what other resources held in the same bytes, nor of their layouts.
void Timeline::overwrite_sharers(std::uint32_t part) {
    const ResourceId writer = parts_.objects()[parts_.all()[part].object].resource;
    for (const std::uint32_t sharer : parts_.all()[part].sharing) {
        states_[sharer].layout = Layout::undefined;
        states_[sharer].contents = {.loss = Loss::overwritten, .overwritten_by = writer};
    }
}

// --- words ---------------------------------------------------------------------------------------

std::string Timeline::describe(const Record& record) const {
    if (record.of_host) return "the host's use before the execution";
    if (record.standing.is_transition)
        return fmt::format("a layout change of execution {}", record.execution + 1);
    const std::string who =
        record.node ? fmt::format("'{}'", graph_.name_of(record.node)) : std::string("the host");
    const char* what = record.standing.is_write ? "the write" : "the read";
    return record.execution == execution_
               ? fmt::format("{} of {}", what, who)
               : fmt::format("{} of {} in execution {}", what, who, record.execution + 1);
}

std::string Timeline::describe(const Contents& contents) const {
    switch (contents.loss) {
    case Loss::never_written: return "nothing, for nothing has written it";
    case Loss::discarded: return "nothing, for a layout change has discarded it";
    case Loss::overwritten:
        return fmt::format("nothing, for '{}' has overwritten its memory",
                           graph_.name_of(contents.overwritten_by));
    case Loss::none: break;
    }
    return name_of(contents.version);
}

std::string Timeline::name_of(VersionId version) const {
    const VersionDesc* desc = version ? &graph_.versions[version.index] : nullptr;
    return desc && desc->writer ? fmt::format("what '{}' wrote", graph_.name_of(desc->writer))
                                : std::string("the contents it began with");
}

std::string Timeline::name_of(const User& user, std::uint32_t part) const {
    return parts_.name(part, graph_.versions[user.read.index].resource);
}

std::string Timeline::point() const {
    return fmt::format(" (execution {})", execution_ + 1);
}

} // namespace tuff::oracle
