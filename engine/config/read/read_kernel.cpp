#include "config/read/read_kernel.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <utility>

namespace tuff {
namespace {

/// Reads one node's kernel.
class KernelReader {
  public:
    KernelReader(ObjectReader& entry, const SourceFile& source, NodeDecl& node, Problems& problems)
        : entry_(entry), source_(source), node_(node), problems_(problems) {}

    void read() {
        if (entry_.has("glsl"))
            read_text(*entry_.find("glsl"));
        else if (const auto file = entry_.text("kernel"))
            read_file(*file);
        if (kernel_.is_inline)
            if (const auto stage = entry_.text("stage")) read_stage(*stage);
        if (const Json::Value* out = entry_.find_object("out")) read_outputs(*out);
        if (const Json::Value* dispatch = entry_.find_object("dispatch")) read_dispatch(*dispatch);
        node_.kernel = std::move(kernel_);
    }

  private:
    void read_file(const Placed& file) {
        node_.target = file;
        if (file.text.empty())
            problems_.error("config/bad-file", file.span, "the file name is empty",
                            "name a .comp, .frag, .hlsl or .spv below the folder of this config");
    }

    void read_stage(const Placed& stage) {
        kernel_.is_fragment = stage.text == "fragment";
        if (!kernel_.is_fragment && stage.text != "compute")
            problems_.error("config/kernel-stage", stage.span,
                            fmt::format("there is no stage \"{}\" for a kernel", stage.text),
                            "\"stage\" must be \"compute\" or \"fragment\"");
    }

    void read_text(const Json::Value& json) {
        kernel_.is_inline = true;
        const Span span = span_of(source_, json);
        node_.target = {"glsl of " + node_.name.text, span};
        const auto add = [&](const Json::Value& line) {
            if (!line.isString()) {
                problems_.error("config/wrong-type", span_of(source_, line),
                                "\"glsl\" must be a text, or a list of lines");
                node_.target.text.clear();
                return;
            }
            kernel_.lines.push_back(span_of(source_, line));
            kernel_.text += line.asString() + "\n";
        };
        if (!json.isArray()) return add(json);
        for (const Json::Value& line : json)
            add(line);
    }

    void read_outputs(const Json::Value& json) {
        for (const std::string& name : json.getMemberNames()) {
            ObjectReader entry(source_, json[name], fmt::format("output \"{}\"", name), problems_);
            KernelOutputDecl output;
            output.name = name;
            output.span = key_span(source_, json, name);
            if (const auto like = entry.text("like")) {
                output.like = like->text;
                output.like_span = like->span;
            }
            if (const auto format = entry.text("format")) read_format(*format, output);
            output.has_size = read_argument(entry, "size", kernel_argument(name, "size"));
            output.has_length = read_argument(entry, "length", kernel_argument(name, "length"));
            if (int{output.has_size} + int{output.has_length} + int{!output.like.empty()} > 1)
                problems_.error("config/kernel-size", output.span,
                                fmt::format("output \"{}\" must have one of \"like\", \"size\" and "
                                            "\"length\", not several",
                                            name));
            entry.finish();
            kernel_.outputs.push_back(std::move(output));
        }
    }

    void read_format(const Placed& format, KernelOutputDecl& output) {
        output.format = parse_format(format.text).value_or(Format::undefined);
        output.format_span = format.span;
        if (output.format != Format::undefined) return;
        std::vector<std::string> names;
        for (const FormatInfo& known : all_formats())
            if (known.format != Format::undefined) names.emplace_back(known.name);
        problems_.error("config/bad-format", format.span,
                        fmt::format("there is no format \"{}\"", format.text),
                        suggest(format.text, names));
    }

    void read_dispatch(const Json::Value& json) {
        ObjectReader entry(source_, json, fmt::format("\"dispatch\" of {}", entry_.what()),
                           problems_);
        kernel_.dispatch_span = entry.span();
        int ways = 0;
        if (const auto over = entry.text("over")) {
            kernel_.dispatch = KernelDispatch::over;
            kernel_.over = over->text;
            kernel_.dispatch_span = over->span;
            ++ways;
        }
        if (read_argument(entry, "count", std::string(kKernelCount))) {
            kernel_.dispatch = KernelDispatch::count;
            ++ways;
        }
        if (read_argument(entry, "groups", std::string(kKernelGroups))) {
            kernel_.dispatch = KernelDispatch::groups;
            ++ways;
        }
        if (const auto wire = entry.text("indirect")) {
            kernel_.dispatch = KernelDispatch::indirect;
            node_.connections.push_back(
                {.port = {std::string(kKernelIndirect), wire->span}, .wires = {*wire}});
            ++ways;
        }
        entry.finish();
        if (ways != 1 && json.size() != 0)
            problems_.error("config/kernel-dispatch", entry.span(),
                            "\"dispatch\" must have one of \"over\", \"count\", \"groups\" and "
                            "\"indirect\"");
    }

    /// What is a value stands among the arguments, which are evaluated and checked as parameters.
    bool read_argument(ObjectReader& entry, const std::string& key, std::string name) {
        const Json::Value* json = entry.find(key);
        if (!json) return false;
        if (auto value = read_value(source_, *json, problems_))
            node_.arguments.push_back({{std::move(name), entry.key(key)}, std::move(*value)});
        return true;
    }

    ObjectReader& entry_;
    const SourceFile& source_;
    NodeDecl& node_;
    Problems& problems_;
    KernelDecl kernel_;
};

} // namespace

std::string kernel_argument(std::string_view output, std::string_view what) {
    return fmt::format("out.{}.{}", output, what);
}

void read_kernel(ObjectReader& entry, const SourceFile& source, NodeDecl& node,
                 Problems& problems) {
    KernelReader(entry, source, node, problems).read();
}

} // namespace tuff
