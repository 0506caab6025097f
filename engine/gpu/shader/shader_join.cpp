#include "gpu/shader/shader_reflection.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff {
namespace {

Diagnostic clash(std::string message, std::string hint = {}) {
    return {.code = "shader/binding-clash",
            .severity = Severity::error,
            .message = std::move(message),
            .where = {},
            .hint = std::move(hint)};
}

bool same_layout(const std::vector<BlockMember>& a, const std::vector<BlockMember>& b) {
    return std::ranges::equal(a, b, [](const BlockMember& x, const BlockMember& y) {
        return x.name == y.name && x.scalar == y.scalar && x.rows == y.rows &&
               x.columns == y.columns && x.array_length == y.array_length && x.offset == y.offset &&
               x.array_stride == y.array_stride && x.matrix_stride == y.matrix_stride;
    });
}

bool same_resource(const ShaderBinding& a, const ShaderBinding& b) {
    return a.kind == b.kind && a.count == b.count && a.count_constant == b.count_constant &&
           a.dimension == b.dimension && a.multisampled == b.multisampled;
}

void join_bindings(ShaderInterface& joined, const ShaderInterface& fragment,
                   Diagnostics& problems) {
    const std::size_t vertex_count = joined.bindings.size();
    for (const ShaderBinding& binding : fragment.bindings) {
        const auto end = joined.bindings.begin() + static_cast<std::ptrdiff_t>(vertex_count);
        const auto place = std::find_if(joined.bindings.begin(), end, [&](const auto& other) {
            return other.set == binding.set && other.binding == binding.binding;
        });
        if (place == end) {
            joined.bindings.push_back(binding);
            continue;
        }
        if (place->name != binding.name || !same_resource(*place, binding)) {
            problems.push_back(clash(
                fmt::format("kernel {}: set {} binding {} is \"{}\" in the vertex stage and \"{}\" "
                            "in the fragment stage, of different name or type",
                            joined.name, binding.set, binding.binding, place->name, binding.name),
                "leave out `binding =`, then the stages get numbers of their own"));
            continue;
        }
        place->stages |= binding.stages;
        place->reads |= binding.reads;
        place->writes |= binding.writes;
        if (place->format == Format::undefined) place->format = binding.format;
    }
}

void join_params(ShaderInterface& joined, const ShaderInterface& fragment, Diagnostics& problems) {
    if (fragment.param_bytes == 0) return;
    if (joined.param_bytes == 0) {
        joined.param_members = fragment.param_members;
        joined.param_bytes = fragment.param_bytes;
        joined.param_set = fragment.param_set;
        joined.param_binding = fragment.param_binding;
    } else if (!same_layout(joined.param_members, fragment.param_members)) {
        problems.push_back(
            clash(fmt::format("kernel {}: the Params blocks of the two stages differ", joined.name),
                  "declare the block once, in a file that both include"));
    }
    joined.param_stages |= fragment.param_stages;
}

void check_param_place(const ShaderInterface& joined, Diagnostics& problems) {
    if (joined.param_bytes == 0) return;
    for (const ShaderBinding& binding : joined.bindings)
        if (binding.set == joined.param_set && binding.binding == joined.param_binding)
            problems.push_back(
                clash(fmt::format("kernel {}: \"{}\" and the Params block share set "
                                  "{} binding {}",
                                  joined.name, binding.name, binding.set, binding.binding),
                      "leave out `binding =`"));
}

void join_push_constants(ShaderInterface& joined, const ShaderInterface& fragment,
                         Diagnostics& problems) {
    if (fragment.push_bytes == 0) return;
    if (joined.push_bytes == 0) {
        joined.push_members = fragment.push_members;
        joined.push_bytes = fragment.push_bytes;
    } else if (!same_layout(joined.push_members, fragment.push_members)) {
        problems.push_back(clash(
            fmt::format("kernel {}: the push constants of the two stages differ", joined.name),
            "declare the block once, in a file that both include"));
    }
    joined.push_stages |= fragment.push_stages;
}

void join_constants(ShaderInterface& joined, const ShaderInterface& fragment,
                    Diagnostics& problems) {
    for (const SpecializationConstant& constant : fragment.constants) {
        const auto same =
            std::ranges::find(joined.constants, constant.id, &SpecializationConstant::id);
        if (same == joined.constants.end()) {
            joined.constants.push_back(constant);
        } else if (same->name != constant.name || same->scalar != constant.scalar) {
            problems.push_back(clash(fmt::format(
                "kernel {}: specialisation constant {} is \"{}\" in the vertex stage and \"{}\" in "
                "the fragment stage",
                joined.name, constant.id, same->name, constant.name)));
        }
    }
}

} // namespace

Result<ShaderInterface> join_stages(const ShaderInterface& vertex,
                                    const ShaderInterface& fragment) {
    ShaderInterface joined = vertex;
    Diagnostics problems;
    joined.stages |= fragment.stages;
    joined.indexes_textures |= fragment.indexes_textures;
    join_bindings(joined, fragment, problems);
    join_params(joined, fragment, problems);
    check_param_place(joined, problems);
    join_push_constants(joined, fragment, problems);
    join_constants(joined, fragment, problems);
    if (!problems.empty()) return std::unexpected(std::move(problems));
    return joined;
}

Result<ShaderInterface> join_called(ShaderInterface kernel, const ShaderInterface& called) {
    const auto refuse = [&](std::string_view what) {
        return fail("shader/unsupported-binding",
                    fmt::format("kernel {}: {}, which only its ray generation stage may",
                                kernel.name, what),
                    "let ray generation put what is needed into the payload");
    };
    if (!called.bindings.empty())
        return refuse(
            fmt::format("a stage that rays call binds \"{}\"", called.bindings.front().name));
    if (called.param_bytes != 0 || called.push_bytes != 0 || !called.constants.empty())
        return refuse("a stage that rays call has parameters");
    kernel.stages |= called.stages;
    return kernel;
}

} // namespace tuff
