#include "tests/oracle/timeline.hpp"

#include <algorithm>
#include <array>

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
        for (const Level& level : plan_.levels) {
            run_batch(level);
            for (std::uint32_t i = 0; i < level.node_count; ++i)
                run_node(plan_.order[level.first_node + i]);
        }
        run_batch(plan_.epilogue);
        end_execution();
    }
}

// --- between executions --------------------------------------------------------------------------

/// The executor has filled constants and cleared histories, and has waited for that.
void Timeline::begin_world() {
    for (std::uint32_t r = 0; r < graph_.resources.size(); ++r) {
        const Lifetime lifetime = graph_.resources[r].lifetime;
        if (lifetime != Lifetime::constant && lifetime != Lifetime::history) continue;
        for (const std::uint32_t part : parts_.of(parts_.object_of({r}, 0))) {
            states_[part].layout = plan_.boundaries[r].first.layout;
            states_[part].contents.loss = Loss::none;
        }
    }
}

void Timeline::begin_execution() {
    for (State& state : states_) {
        state.contents.version = {};
        state.contents.lacks.clear();
    }
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
    const Scope& first = desc.import.first;
    for (const std::uint32_t part : parts_.of(parts_.object_of(resource, execution_))) {
        State& state = states_[part];
        state = {.layout = first.layout};
        const bool defined = !desc.is_image() || first.layout != Layout::undefined;
        state.contents.loss = defined ? Loss::none : Loss::never_written;
        if (first.stages == 0) continue;
        const MemoryMask writes = single_accesses(first.memory & memory::kAllWrites);
        state.records.push_back({.standing = Standing::seen_by(first.stages, first.memory),
                                 .of_host = true,
                                 .followed = writes == 0});
        for (const StageMask stage : kStages)
            if (single_stages(first.stages) & stage)
                state.records.push_back(
                    {.standing = {.stage = stage, .writes = writes, .is_write = writes != 0},
                     .of_host = true});
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
    const Scope& last = desc.import.last;
    const bool layout_matters = desc.is_image() && last.layout != Layout::undefined;
    if (plan_.boundaries[resource.index].last != last)
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
                          tuff::name_of(last.layout), moment());
        check_kept("the host", versions_.newest(resource), part);
        for (const Record& record : state.records)
            if (!record.of_host) check_against(host, part, record, part);
    }
}

// --- barriers ------------------------------------------------------------------------------------

void Timeline::run_batch(const Level& batch) {
    if (!batch.has_barriers()) return;
    ++batch_;
    const MemoryBarrier& m = batch.memory;
    const Dependency global(m.source_stages, m.source_memory, m.destination_stages,
                            m.destination_memory);
    std::vector<std::pair<const ImageBarrier*, Dependency>> images;
    for (std::uint32_t i = 0; i < batch.image_barrier_count; ++i) {
        const ImageBarrier& b = plan_.image_barriers[batch.first_image_barrier + i];
        images.emplace_back(&b, Dependency(b.source_stages, b.source_memory, b.destination_stages,
                                           b.destination_memory));
    }
    std::map<std::uint32_t, std::vector<Dependency>> of_images; // per part
    for (const auto& [barrier, dependency] : images)
        for (const std::uint32_t part :
             parts_.inside(parts_.object_of(barrier->resource, execution_), barrier->range)) {
            of_images[part].push_back(dependency);
            for (const std::uint32_t sharer : parts_.all()[part].sharing)
                if (!states_[sharer].records.empty()) of_images[sharer].push_back(dependency);
        }
    // The barriers of one command do not chain: each sees what was before the command.
    RecordsBefore before;
    for (auto& [part, dependencies] : of_images) {
        before[part] = states_[part].records;
        dependencies.push_back(global);
        for (Record& record : states_[part].records)
            record.standing = record.standing.after(dependencies);
    }
    for (std::uint32_t part = 0; part < states_.size(); ++part)
        if (m != MemoryBarrier{} && !of_images.contains(part))
            for (Record& record : states_[part].records)
                record.standing = record.standing.after(std::array{global});
    for (const auto& [barrier, dependency] : images)
        if (barrier->from != barrier->to) transition(*barrier, dependency, before);
}

void Timeline::transition(const ImageBarrier& barrier, const Dependency& dependency,
                          const RecordsBefore& before) {
    const auto check = [&](std::uint32_t part, std::uint32_t where) {
        if (states_[where].transitioned_in == batch_)
            findings_.add(Fault::unordered, "one batch changes the layout of {} and of {}{}",
                          parts_.name(part), parts_.name(where), moment());
        const auto records = before.find(where);
        if (records == before.end()) return;
        for (const Record& record : records->second) {
            if (record.standing.is_transition) continue; // these follow each other on a queue
            if (!record.standing.precedes(dependency))
                findings_.add(Fault::unordered, "the layout change of {} does not wait for {}{}",
                              parts_.name(part), describe(record), moment());
            else if (record.standing.is_write && !record.standing.available_to(dependency))
                findings_.add(Fault::unavailable,
                              "the layout change of {} may come before {} is available{}",
                              parts_.name(part), describe(record), moment());
        }
    };
    for (const std::uint32_t part :
         parts_.inside(parts_.object_of(barrier.resource, execution_), barrier.range)) {
        State& state = states_[part];
        check(part, part);
        for (const std::uint32_t sharer : parts_.all()[part].sharing)
            check(part, sharer);
        if (barrier.from == Layout::undefined) {
            state.contents = {.loss = Loss::discarded};
        } else if (barrier.from != state.layout) {
            findings_.add(Fault::wrong_layout, "a barrier takes {} for {}, but it is in {}{}",
                          parts_.name(part), tuff::name_of(barrier.from),
                          tuff::name_of(state.layout), moment());
        }
        state.layout = barrier.to;
        state.transitioned_in = batch_;
        forget_all_before(part);
        add_record(part, {.standing = Standing::transition(dependency), .execution = execution_});
        overwrite_sharers(part);
    }
}

// --- accesses ------------------------------------------------------------------------------------

void Timeline::run_node(NodeId node) {
    const NodeDesc& desc = graph_.nodes[node.index];
    for (std::uint32_t a = desc.first_access; a < desc.first_access + desc.access_count; ++a) {
        const AccessDesc& access = graph_.accesses[a];
        const ResourceId resource = graph_.versions[access.read.index].resource;
        const User user{.name = fmt::format("'{}'", graph_.name_of(node)),
                        .rules = rules_of(access, graph_.resources[resource.index].is_image()),
                        .access = access.access,
                        .node = node,
                        .read = access.read,
                        .written = access.written};
        for (const std::uint32_t part :
             parts_.inside(parts_.object_of(resource, execution_), access.range))
            use(user, part, plan_.access_layouts[a]);
    }
}

void Timeline::use(const User& user, std::uint32_t part, Layout named) {
    check_layout(user, part, named);
    check_contents(user, part);
    check_order(user, part);
    remember(user, part);
}

void Timeline::check_layout(const User& user, std::uint32_t part, Layout named) {
    const ResourceDesc& resource = resource_at(part);
    if (!resource.is_image()) return;
    const Layout actual = states_[part].layout;
    if (actual != named)
        findings_.add(Fault::wrong_layout, "{} {} {}, which it takes for {}, but it is in {}{}",
                      user.name, tuff::name_of(user.access), parts_.name(part),
                      tuff::name_of(named), tuff::name_of(actual), moment());
    else if (!allows_layout(user.access, named, resource.image().format))
        findings_.add(Fault::wrong_layout, "{} {} {} in {}, which Vulkan does not allow{}",
                      user.name, tuff::name_of(user.access), parts_.name(part),
                      tuff::name_of(named), moment());
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
                          user.name, tuff::name_of(user.access), parts_.name(part), moment());
    } else if (contents.version && !versions_.is_older(contents.version, user.written)) {
        findings_.add(Fault::wrong_version, "{} writes {} of {} over {}{}", user.name,
                      name_of(user.written), parts_.name(part), describe(contents), moment());
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
                  loss, moment());
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
    return fmt::format("{} of {}, but it holds {}", name_of(expected), parts_.name(part),
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
                      parts_.name(part), what, describe(record), moment());
    };
    const Standing& before = record.standing;
    const StageMask stages = single_stages(user.rules.stages);
    for (std::size_t s = 0; s < kStages.size(); ++s) {
        if (!(stages & kStages[s])) continue;
        if (!(before.ordered & kStages[s]))
            return complain(Fault::unordered, "is not ordered after");
        if (!before.is_write) continue;
        if (!(before.available & kStages[s]))
            return complain(Fault::unavailable, "may come before the cache holds no more of");
        // What is read must be visible. A write must see the one straight before it, too.
        const MemoryMask reads = user.rules.memory & ~memory::kAllWrites;
        MemoryMask needed = record.followed ? 0 : user.rules.memory;
        if (user.rules.needs_contents) needed |= reads;
        if ((needed & ~before.visible[s]) != 0) return complain(Fault::invisible, "may not see");
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
    } else {
        for (Record& record : state.records)
            record.followed = true;
    }
    for (const StageMask stage : kStages)
        if (single_stages(user.rules.stages) & stage)
            add_record(part,
                       {.standing = {.stage = stage, .writes = writes, .is_write = writes != 0},
                        .node = user.node,
                        .access = user.access,
                        .execution = execution_,
                        .accumulated = accumulates ? user.written : VersionId{}});
}

/// The newer of two alike stands worse towards everything that follows, so it speaks for both.
bool Timeline::Record::replaces(const Record& other) const {
    return standing.stage == other.standing.stage && standing.writes == other.standing.writes &&
           standing.is_transition == other.standing.is_transition && of_host == other.of_host &&
           accumulated == other.accumulated && (!accumulated || execution == other.execution);
}

void Timeline::add_record(std::uint32_t part, Record record) {
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
        for (Record& record : states_[sharer].records)
            record.followed = true;
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

std::string Timeline::moment() const {
    return fmt::format(" (execution {})", execution_ + 1);
}

} // namespace tuff::oracle
