#include <tuff/graph.hpp>

#include <fmt/format.h>

/// The part of Graph that builds acceleration structures for the device's own ray tracing.
namespace tuff {

Acceleration Graph::build_acceleration(const AccelerationInput& input, std::string_view name) {
    const AccelerationSizes* sizes = target_.acceleration_sizes.get();
    const AccelerationSizes::Size* size = sizes ? sizes->bottom_for(input.triangles) : nullptr;
    if (!size) {
        error("graph/no-acceleration",
              sizes ? fmt::format("an acceleration structure cannot hold {} triangles",
                                  input.triangles)
                    : fmt::format("device \"{}\" builds no acceleration structures", target_.name),
              "use a hierarchy of bvh/lbvh_build, which works on every device");
        return {};
    }
    const auto room = [&](std::string_view of, std::uint64_t bytes) {
        return buffer(fmt::format("{}.{}", name, of), {.size = (bytes + 255) / 256 * 256});
    };
    const auto scratch_of = [&](NodeId node, std::string_view of, std::uint64_t bytes) {
        return add_write(node, room(of, bytes + kAccelerationScratchAlignment).version, {},
                         Access::acceleration_scratch, stage::kNone)
            .access;
    };
    BuildAccelerationNode bottom{.level = AccelerationLevel::bottom,
                                 .indices = ~0u,
                                 .vertices = input.vertices,
                                 .triangles = input.triangles};
    const NodeId below = add_node(fmt::format("{}_bottom", name));
    bottom.positions =
        add_read(below, input.positions.version, {}, Access::acceleration_input, stage::kNone);
    if (input.indices)
        bottom.indices =
            add_read(below, input.indices.version, {}, Access::acceleration_input, stage::kNone);
    const Written built = add_write(below, room("bottom", size->bytes).version, {},
                                    Access::acceleration_write, stage::kNone);
    bottom.destination = built.access;
    bottom.scratch = scratch_of(below, "bottom_scratch", size->scratch_bytes);
    const Written instances =
        add_write(below, room("instances", 64).version, {}, Access::clear_write, stage::kNone);
    bottom.instances = instances.access;
    attach_payload(below, bottom);

    BuildAccelerationNode top{.level = AccelerationLevel::top};
    const NodeId above = add_node(fmt::format("{}_top", name));
    top.instances =
        add_read(above, instances.version, {}, Access::acceleration_input, stage::kNone);
    add_read(above, built.version, {}, Access::acceleration_read, stage::kNone);
    const Written whole = add_write(above, room("top", sizes->top.bytes).version, {},
                                    Access::acceleration_write, stage::kNone);
    top.destination = whole.access;
    top.scratch = scratch_of(above, "top_scratch", sizes->top.scratch_bytes);
    attach_payload(above, top);
    return {.top = {whole.version}, .bottom = {built.version}};
}

} // namespace tuff
