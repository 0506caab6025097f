#include "apps/shared/arguments.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <optional>

namespace tuff::cli {

struct Option::Impl {
    CLI::Option* option;
};

Option::Option(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Option::~Option() = default;

Option* Option::type_name(std::string name) {
    impl_->option->type_name(std::move(name));
    return this;
}
Option* Option::group(std::string heading) {
    impl_->option->group(std::move(heading));
    return this;
}
Option* Option::required() {
    impl_->option->required();
    return this;
}
Option* Option::range(double low, double high) {
    impl_->option->check(CLI::Range(low, high).description(""));
    return this;
}
Option* Option::byte_size() {
    impl_->option->transform(CLI::AsSizeValue(false).description(""));
    return this;
}
Option* Option::repeated() {
    impl_->option->expected(1)->take_all();
    return this;
}
Option* Option::separated_by(char separator) {
    impl_->option->delimiter(separator);
    return this;
}
Option* Option::excludes(const Option* other) {
    impl_->option->excludes(other->impl_->option);
    return this;
}

bool Option::is_help() const {
    return impl_->option->check_lname("help");
}
bool Option::is_positional() const {
    return impl_->option->get_positional();
}
bool Option::is_required() const {
    return impl_->option->get_required();
}
bool Option::takes_value() const {
    return impl_->option->get_items_expected_max() > 0;
}
bool Option::takes_several() const {
    return impl_->option->get_items_expected_max() > 1;
}
std::string Option::type() const {
    return impl_->option->get_type_name();
}
std::string Option::description() const {
    return impl_->option->get_description();
}
std::string Option::heading() const {
    return impl_->option->get_group();
}
std::vector<std::string> Option::long_names() const {
    std::vector<std::string> names;
    for (const std::string& name : impl_->option->get_lnames())
        names.push_back("--" + name);
    return names;
}
std::vector<std::string> Option::short_names() const {
    std::vector<std::string> names;
    for (const std::string& name : impl_->option->get_snames())
        names.push_back("-" + name);
    return names;
}

struct Command::Impl {
    std::unique_ptr<CLI::App> program; ///< of the program only
    CLI::App* app = nullptr;
    std::vector<std::unique_ptr<Command>> commands = {};
    std::vector<std::unique_ptr<Option>> options = {};
};

Command::Command(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
    keep(std::make_unique<Option::Impl>(impl_->app->get_help_ptr()));
}

Command::Command(std::string_view name, std::string_view description, std::string_view version)
    : impl_(std::make_unique<Impl>()) {
    impl_->program = std::make_unique<CLI::App>(std::string(description), std::string(name));
    impl_->app = impl_->program.get();
    impl_->app->set_version_flag("--version", std::string(version));
    keep(std::make_unique<Option::Impl>(impl_->app->get_help_ptr()));
}

Command::~Command() = default;

Command* Command::add_subcommand(std::string_view name, std::string_view description) {
    auto impl = std::make_unique<Impl>();
    impl->app = impl_->app->add_subcommand(std::string(name), std::string(description));
    impl_->commands.push_back(std::unique_ptr<Command>(new Command(std::move(impl))));
    return impl_->commands.back().get();
}

void Command::require_subcommand(bool optional) {
    impl_->app->require_subcommand(optional ? 0 : 1, 1);
}

Option* Command::keep(std::unique_ptr<Option::Impl> option) {
    impl_->options.push_back(std::make_unique<Option>(std::move(option)));
    return impl_->options.back().get();
}

template <typename T>
Option* Command::add_option(const std::string& name, T& value, const std::string& help) {
    return keep(std::make_unique<Option::Impl>(impl_->app->add_option(name, value, help)));
}
template Option* Command::add_option(const std::string&, std::string&, const std::string&);
template Option* Command::add_option(const std::string&, std::vector<std::string>&,
                                     const std::string&);
template Option* Command::add_option(const std::string&, std::vector<std::uint32_t>&,
                                     const std::string&);
template Option* Command::add_option(const std::string&, double&, const std::string&);
template Option* Command::add_option(const std::string&, std::uint32_t&, const std::string&);
template Option* Command::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option* Command::add_option(const std::string&, std::optional<std::uint64_t>&,
                                     const std::string&);
template Option* Command::add_option(const std::string&, std::int64_t&, const std::string&);

Option* Command::add_text_option(const std::string& name,
                                 std::function<std::string(const std::string&)> take,
                                 const std::string& help) {
    const auto checked = [take = std::move(take)](const std::string& text) {
        if (std::string wrong = take(text); !wrong.empty()) throw CLI::ValidationError(wrong);
    };
    return keep(std::make_unique<Option::Impl>(
        impl_->app->add_option_function<std::string>(name, checked, help)));
}
Option* Command::add_flag(const std::string& name, bool& value, const std::string& help) {
    return keep(std::make_unique<Option::Impl>(impl_->app->add_flag(name, value, help)));
}
Option* Command::add_flag(const std::string& name, std::function<void()> given,
                          const std::string& help) {
    return keep(std::make_unique<Option::Impl>(
        impl_->app->add_flag_callback(name, std::move(given), help)));
}

void Command::footer(const std::string& text) {
    impl_->app->footer(text);
}
void Command::callback(std::function<void()> chosen) {
    impl_->app->callback(std::move(chosen));
}

std::string Command::name() const {
    return impl_->app->get_name();
}
std::string Command::full_name() const {
    std::string name = impl_->app->get_name();
    for (const CLI::App* parent = impl_->app->get_parent(); parent; parent = parent->get_parent())
        name = parent->get_name() + " " + name;
    return name;
}
std::string Command::description() const {
    return impl_->app->get_description();
}
std::string Command::footer() const {
    return impl_->app->get_footer();
}
std::string Command::help() const {
    return impl_->app->help();
}
std::vector<std::string> Command::headings() const {
    return impl_->app->get_groups();
}
std::vector<const Option*> Command::options() const {
    std::vector<const Option*> all;
    for (const auto& option : impl_->options)
        all.push_back(option.get());
    return all;
}
std::vector<const Command*> Command::subcommands() const {
    std::vector<const Command*> all;
    for (const auto& command : impl_->commands)
        all.push_back(command.get());
    return all;
}
const Command* Command::chosen() const {
    for (const auto& command : impl_->commands)
        if (command->impl_->app->parsed()) return command.get();
    return nullptr;
}

Command::Parsed Command::parse(const std::vector<std::string>& arguments) {
    using Kind = Parsed::Kind;
    try {
        // The library takes them from the back.
        impl_->app->parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        return {};
    } catch (const CLI::CallForAllHelp&) {
        return {Kind::help, impl_->app->help("", CLI::AppFormatMode::All)};
    } catch (const CLI::CallForHelp&) {
        return {Kind::help, impl_->app->help()};
    } catch (const CLI::CallForVersion& version) {
        return {Kind::version, version.what()};
    } catch (const CLI::ExtrasError&) {
        const std::vector<std::string> rest = impl_->app->remaining(true);
        return {Kind::unexpected, rest.empty() ? std::string() : rest.front()};
    } catch (const CLI::ParseError& error) {
        std::string message = error.what();
        if (message.ends_with('.')) message.pop_back();
        return {Kind::wrong, message};
    }
}

} // namespace tuff::cli
