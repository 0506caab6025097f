#include "config/check/flat_config.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff {
namespace {

constexpr std::size_t kMaxParametersNamed = 12; ///< of a cycle, in a message

/// Depth first, without recursion: chains may be as long as the config.
class ParameterSorter {
  public:
    ParameterSorter(ConfigFile& file, const FileNames& names, Problems& problems)
        : file_(file), names_(names), problems_(problems), states_(file.parameters.size()) {}

    std::vector<std::uint32_t> sort() {
        for (std::uint32_t i = 0; i < states_.size(); ++i)
            if (states_[i] == State::unseen) visit(i);
        return std::move(order_);
    }

  private:
    enum class State : std::uint8_t { unseen, open, done };
    struct Reference {
        std::uint32_t parameter = 0;
        Span span;
    };
    struct Visit {
        std::uint32_t parameter = 0;
        std::vector<Reference> references;
        std::size_t next = 0;
    };

    Visit begin(std::uint32_t parameter) {
        Visit visit{.parameter = parameter, .references = {}};
        for_each_reference(file_.parameters[parameter].value,
                           [&](const std::string& name, Span span) {
                               const auto found = names_.parameters.find(name);
                               if (found != names_.parameters.end())
                                   visit.references.push_back({found->second, span});
                           });
        states_[parameter] = State::open;
        return visit;
    }

    void visit(std::uint32_t first) {
        way_.push_back(begin(first));
        while (!way_.empty()) {
            Visit& current = way_.back();
            if (current.next == current.references.size()) {
                states_[current.parameter] = State::done;
                order_.push_back(current.parameter);
                way_.pop_back();
                continue;
            }
            const Reference reference = current.references[current.next++];
            if (states_[reference.parameter] == State::open)
                report(reference);
            else if (states_[reference.parameter] == State::unseen)
                way_.push_back(begin(reference.parameter));
        }
    }

    /// The end of the way, from the parameter that `closing` leads back to, is a cycle.
    void report(const Reference& closing) {
        const auto start = std::ranges::find(way_, closing.parameter, &Visit::parameter);
        std::string cycle;
        std::size_t named = 0;
        for (auto at = start; at != way_.end(); ++at) {
            ParameterDecl& decl = file_.parameters[at->parameter];
            decl.faulty = true;
            if (named++ < kMaxParametersNamed) cycle += "$" + decl.name.text + " -> ";
        }
        if (named > kMaxParametersNamed)
            cycle += fmt::format("({} more) -> ", named - kMaxParametersNamed);
        problems_.error("config/cycle", closing.span,
                        fmt::format("the parameters refer to each other in a circle: {}${}", cycle,
                                    file_.parameters[closing.parameter].name.text),
                        "give one of them a value of its own");
    }

    ConfigFile& file_;
    const FileNames& names_;
    Problems& problems_;
    std::vector<State> states_;
    std::vector<Visit> way_;
    std::vector<std::uint32_t> order_;
};

} // namespace

std::unique_ptr<LoadedFile> make_loaded_file(const std::filesystem::path& path, ConfigFile config,
                                             Problems& problems) {
    FileNames names(config);
    std::vector<std::uint32_t> order = ParameterSorter(config, names, problems).sort();
    return std::make_unique<LoadedFile>(
        LoadedFile{path, std::move(config), std::move(names), std::move(order)});
}

} // namespace tuff
