#include "model/config_text.hpp"

#include "apps/shared/common.hpp"
#include "config/read/source_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

namespace tuff::viewer {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF"; ///< a byte order mark

/// Bytes [begin, end) become `text`.
struct Replacement {
    std::size_t begin = 0, end = 0;
    std::string text;
};

std::size_t begin_of(const Json::Value& value) {
    return static_cast<std::size_t>(value.getOffsetStart());
}
std::size_t end_of(const Json::Value& value) {
    return static_cast<std::size_t>(value.getOffsetLimit());
}

/// "$sigma", "=2*$sigma"; two signs begin a plain text.
bool is_computed(const std::string& text) {
    const auto begins = [&](char sign) {
        return text.size() > 1 && text[0] == sign && text[1] != sign;
    };
    return begins('$') || begins('=');
}

/// Why a value stands in no one place of the file; empty where it does.
std::string computed_by(const Json::Value& value) {
    if (value.isString() && is_computed(value.asString())) return '"' + value.asString() + '"';
    if (value.isObject()) return "keyframes";
    if (value.isArray())
        for (const Json::Value& item : value)
            if (std::string why = computed_by(item); !why.empty()) return why;
    return {};
}

void collect_leaves(const Json::Value& value, std::vector<const Json::Value*>& leaves) {
    if (!value.isArray()) return leaves.push_back(&value);
    for (const Json::Value& item : value)
        collect_leaves(item, leaves);
}

/// With a blank after each comma, as people write lists.
std::string spaced(const std::string& json) {
    const Json::Value value = parse_json_text(json).value_or(Json::Value());
    if (!value.isArray()) return json;
    std::string text;
    for (const Json::Value& item : value) {
        const auto from = static_cast<std::size_t>(item.getOffsetStart());
        const auto to = static_cast<std::size_t>(item.getOffsetLimit());
        text += (text.empty() ? "" : ", ") + json.substr(from, to - from);
    }
    return "[" + text + "]";
}

/// Makes one change.
class Editor {
  public:
    Editor(const SourceFile& source, const Json::Value& root) : source_(source), root_(root) {}

    Result<std::string> change(const ParameterKey& key, const std::string& text) {
        key_ = &key;
        if (key.node.empty())
            change_own(text);
        else
            change_of_node(text);
        return finish();
    }

  private:
    void change_of_node(const std::string& text) {
        const ParameterKey& key = *key_;
        const Json::Value& nodes = root_["nodes"];
        if (!nodes.isObject() || !nodes.isMember(key.node))
            return refuse("viewer/not-in-file", root_,
                          key.node.find('/') != std::string::npos
                              ? fmt::format("'{}' is a parameter of another config, which {} uses",
                                            full_name(key), key.node.substr(0, key.node.find('/')))
                              : fmt::format("the file has no node '{}'", key.node),
                          "change the file that has it, or take the change back");
        const Json::Value& node = nodes[key.node];
        if (!node.isMember("params"))
            return insert(node, "params", "{" + wrapped(key.name, spaced(text)) + "}");
        set_below(node["params"], key.name, text);
    }

    Result<std::string> finish() {
        if (!problems_.empty()) return std::unexpected(std::move(problems_));
        // They stand in the order of the text. From the end on, so that the places of those before
        // stay true.
        std::string text(source_.text());
        for (auto change = changes_.rbegin(); change != changes_.rend(); ++change)
            text.replace(change->begin, change->end - change->begin, change->text);
        return text;
    }

    /// A parameter of the config, its size, or a member of a group.
    void change_own(const std::string& text) {
        const std::string& name = key_->name;
        if (name == "width" || name == "height") return change_size(text);
        const Json::Value& params = root_["params"];
        if (params.isObject() && params.isMember(name)) {
            const Json::Value& entry = params[name];
            if (entry.isObject() && entry.isMember("default"))
                return replace(entry["default"], text);
            return replace(entry, text);
        }
        const std::size_t dot = name.find('.');
        const Json::Value& groups = root_["groups"];
        if (dot != std::string::npos && groups.isObject() && groups.isMember(name.substr(0, dot)))
            return set_below(groups[name.substr(0, dot)], name.substr(dot + 1), text);
        refuse("viewer/not-in-file", root_, fmt::format("the file has no parameter '{}'", name),
               "was it removed meanwhile? take the change back");
    }

    void change_size(const std::string& text) {
        const Json::Value& size = root_["size"];
        const bool wide = key_->name == "width";
        if (size.isArray() && size.size() == 2) return replace(size[wide ? 0 : 1], text);
        refuse("viewer/not-in-file", root_,
               fmt::format("the file has no \"size\", in which the {} would stand", key_->name),
               R"(write one: "size": [1280, 720])");
    }

    /// "camera.position" lies in an object "camera", and may be written in one word as well.
    void set_below(const Json::Value& object, const std::string& path, const std::string& text) {
        if (object.isString())
            return refuse("viewer/computed", object,
                          fmt::format("'{}' comes from the group \"{}\"", full_name(*key_),
                                      object.asString()),
                          fmt::format("change {}.{} instead, or take the change back",
                                      object.asString().substr(1), path));
        if (!object.isObject())
            return refuse("viewer/not-in-file", object, "here stands no object of parameters");
        if (object.isMember(path)) return replace(object[path], text);
        const std::size_t dot = path.find('.');
        if (dot != std::string::npos && object.isMember(path.substr(0, dot)))
            return set_below(object[path.substr(0, dot)], path.substr(dot + 1), text);
        insert(object, path.substr(0, dot),
               dot == std::string::npos ? spaced(text)
                                        : "{" + wrapped(path.substr(dot + 1), spaced(text)) + "}");
    }

    /// `"a": {"b": text}` for "a.b".
    static std::string wrapped(const std::string& path, const std::string& text) {
        const std::size_t dot = path.find('.');
        if (dot == std::string::npos) return fmt::format("\"{}\": {}", path, text);
        return fmt::format("\"{}\": {{{}}}", path.substr(0, dot),
                           wrapped(path.substr(dot + 1), text));
    }

    void replace(const Json::Value& value, const std::string& text) {
        const std::string why = computed_by(value);
        if (!why.empty())
            return refuse("viewer/computed", value,
                          fmt::format("'{}' is computed: the file says {}", full_name(*key_), why),
                          "change what it is computed from, write a plain value in the file, or "
                          "take the change back");
        const Json::Value wanted = parse_json_text(text).value_or(Json::Value());
        std::vector<const Json::Value*> before, after;
        collect_leaves(value, before);
        collect_leaves(wanted, after);
        // Lists of the same length keep their blanks, lines and comments.
        if (before.size() == after.size() && value.isArray() == wanted.isArray()) {
            for (std::size_t i = 0; i < before.size(); ++i)
                if (*before[i] != *after[i])
                    changes_.push_back({begin_of(*before[i]), end_of(*before[i]),
                                        text.substr(begin_of(*after[i]),
                                                    end_of(*after[i]) - begin_of(*after[i]))});
        } else {
            changes_.push_back({begin_of(value), end_of(value), spaced(text)});
        }
    }

    /// Where the last member of an object ends, and what follows it.
    struct End {
        std::size_t value = 0; ///< behind its value
        std::size_t line = 0;  ///< behind the comma and the comment that follow it in its line
        bool comma = false;    ///< one follows
    };
    End end_after(std::size_t value) const {
        const std::string_view text = source_.text();
        End end{.value = value, .line = value};
        std::size_t at = value;
        while (at < text.size()) {
            const char c = text[at];
            if (c == ',' && !end.comma) {
                end.comma = true;
                end.line = ++at;
            } else if (c == ' ' || c == '\t') {
                ++at;
            } else if (text.substr(at).starts_with("//")) {
                at = std::min(text.find('\n', at), text.size());
                end.line = at > 0 && text[at - 1] == '\r' ? at - 1 : at;
                break;
            } else if (text.substr(at).starts_with("/*")) {
                const std::size_t close = text.find("*/", at + 2);
                if (close == std::string_view::npos) break;
                end.line = at = close + 2;
            } else {
                break;
            }
        }
        return end;
    }

    /// Adds a member behind the last one, in the way the object is written.
    void insert(const Json::Value& object, const std::string& name, const std::string& value) {
        const std::string member = fmt::format("\"{}\": {}", name, value);
        if (object.empty()) {
            changes_.push_back({begin_of(object) + 1, begin_of(object) + 1, member});
            return;
        }
        const Json::Value* last = nullptr;
        std::string last_key;
        for (const std::string& key : object.getMemberNames())
            if (!last || begin_of(object[key]) > begin_of(*last)) {
                last = &object[key];
                last_key = key;
            }
        const std::string_view text = source_.text();
        const std::size_t key_at = key_span(source_, object, last_key).begin;
        const std::size_t line_at = text.rfind('\n', key_at) + 1; // 0 in the first line
        const std::string_view indent = text.substr(line_at, key_at - line_at);
        const bool own_line =
            indent.find_first_not_of(" \t") == std::string_view::npos && line_at > begin_of(object);
        const End end = end_after(end_of(*last));
        const bool returns = line_at > 1 && text[line_at - 2] == '\r';
        const std::string between =
            own_line ? (returns ? "\r\n" : "\n") + std::string(indent) : std::string(" ");
        if (!end.comma) changes_.push_back({end.value, end.value, ","});
        changes_.push_back({end.line, end.line, between + member + (end.comma ? "," : "")});
    }

    void refuse(const char* code, const Json::Value& at, std::string message,
                std::string hint = {}) {
        problems_.push_back({.code = code,
                             .message = std::move(message),
                             .where = span_of(source_, at).place(),
                             .hint = std::move(hint)});
    }

    const SourceFile& source_;
    const Json::Value& root_;
    const ParameterKey* key_ = nullptr;
    std::vector<Replacement> changes_;
    Diagnostics problems_;
};

} // namespace

Result<std::string> with_changes(std::string_view text, const fs::path& file, const Edits& edits) {
    const bool marked = text.starts_with(kMark);
    std::string now(text.substr(marked ? kMark.size() : 0));
    const auto changed = [&](const std::string& from, const ParameterKey& key,
                             const std::string& value) -> Result<std::string> {
        const SourceFile source(file.string(), from);
        auto root = parse_json(source);
        if (!root) return propagate(std::move(root));
        if (!root->isObject()) return fail("config/wrong-type", "a config is a JSON object");
        return Editor(source, *root).change(key, value);
    };
    // All refusals, with their places in the file as it is.
    Diagnostics problems;
    for (const auto& [key, value] : edits)
        if (const auto one = changed(now, key, value); !one) {
            problems.insert(problems.end(), one.error().begin(), one.error().end());
            if (problems.front().code.starts_with("config/")) break; // it is no JSON for all
        }
    if (!problems.empty()) return std::unexpected(std::move(problems));
    for (const auto& [key, value] : edits) {
        auto next = changed(now, key, value);
        if (!next) return next;
        now = std::move(*next);
    }
    const SourceFile again(file.string(), now);
    if (auto sound = parse_json(again); !sound) return propagate(std::move(sound));
    return marked ? std::string(kMark) + now : now;
}

Result<bool> save_changes(const fs::path& file, const Edits& edits) {
    std::error_code error;
    const fs::path real = fs::canonical(file, error);
    std::ifstream stream(error ? file : real, std::ios::binary);
    if (error || !stream)
        return fail("config/not-found", fmt::format("cannot read '{}'", file.string()));
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    auto changed = with_changes(text, file, edits);
    if (!changed) return propagate(std::move(changed));
    if (*changed == text) return false;
    auto written = cli::write_text_file(real, *changed);
    if (!written) return std::unexpected(std::move(written.error().diagnostics));
    return true;
}

} // namespace tuff::viewer
