#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Commands and their options. One source, arguments.cpp, knows the library that parses them, whose
/// headers take longer to compile than all commands together.
namespace tuff::cli {

/// An option, or an argument that is known by its place.
class Option {
  public:
    /// What --help calls the value, and what tells shell completion what to offer.
    Option* type_name(std::string name);
    /// The heading that --help lists it under.
    Option* group(std::string heading);
    /// It has to be given.
    Option* required();
    /// Other numbers are refused.
    Option* range(double low, double high);
    /// Takes "64MiB" for a number of bytes.
    Option* byte_size();
    /// May be given several times, with one value each.
    Option* repeated();
    /// A value may be a list, split by `separator`.
    Option* separated_by(char separator);
    /// It excludes `other`.
    Option* excludes(const Option* other);

    bool is_help() const;
    bool is_positional() const;
    bool is_required() const;
    bool takes_value() const;
    bool takes_several() const;
    std::string type() const;
    std::string description() const;
    std::string heading() const;
    std::vector<std::string> long_names() const;  ///< "--frames"
    std::vector<std::string> short_names() const; ///< "-h"

    /// @cond
    struct Impl;
    explicit Option(std::unique_ptr<Impl> impl);
    ~Option();
    /// @endcond

  private:
    friend class Command;
    std::unique_ptr<Impl> impl_;
};

/// A command of a program, with options and commands of its own; the program itself is one.
class Command {
  public:
    /// A program.
    Command(std::string_view name, std::string_view description, std::string_view version);
    ~Command();
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    Command* add_subcommand(std::string_view name, std::string_view description);
    /// Without one of its commands it does nothing, or, where `optional`, its own work.
    void require_subcommand(bool optional);

    /// `value` keeps what it is where the option is not given. A name without dashes is an argument
    /// known by its place.
    template <typename T>
    Option* add_option(const std::string& name, T& value, const std::string& help);
    /// `take` gets the text, and returns what is wrong with it.
    Option* add_text_option(const std::string& name,
                            std::function<std::string(const std::string&)> take,
                            const std::string& help);
    Option* add_flag(const std::string& name, bool& value, const std::string& help);
    Option* add_flag(const std::string& name, std::function<void()> given, const std::string& help);
    /// Examples and remarks at the end of --help.
    void footer(const std::string& text);
    /// Called when the command line chose this command and was read in full.
    void callback(std::function<void()> chosen);

    std::string name() const;
    std::string full_name() const; ///< "tuff bench graphs"
    std::string description() const;
    std::string footer() const;
    std::string help() const;
    std::vector<std::string> headings() const; ///< of groups of options
    std::vector<const Option*> options() const;
    std::vector<const Command*> subcommands() const;
    /// The one of them that the command line chose, or null.
    const Command* chosen() const;

    /// What became of a command line.
    struct Parsed {
        enum class Kind : std::uint8_t { ok, help, version, unexpected, wrong };
        Kind kind = Kind::ok;
        std::string text = {}; ///< to be printed; what is not expected; what is wrong
    };
    /// Reads a command line, without the name of the program.
    Parsed parse(const std::vector<std::string>& arguments);

  private:
    struct Impl;
    explicit Command(std::unique_ptr<Impl> impl);
    Option* keep(std::unique_ptr<Option::Impl> option);
    std::unique_ptr<Impl> impl_;
};

} // namespace tuff::cli
